#include "api/audit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "api/model_labels.h"
#include "api/person_explainer.h"
#include "api/tried_targets.h"
#include "base/parallel.h"
#include "data/row_distance.h"
#include "quality/trials.h"

namespace cfrules {

namespace {

constexpr std::array kThresholds = {0.7, 0.8, 0.9, 0.95};
constexpr std::size_t kNearRows = 5;

std::vector<std::size_t> people_outside(const Target& target, std::span<const double> answers, std::size_t most) {
  std::vector<std::size_t> people;
  for (std::size_t row = 0; row < answers.size() && people.size() < most; ++row)
    if (!target.contains(answers[row])) people.push_back(row);
  return people;
}

bool inside(const Rule& rule, const Grid& grid, const Table& rows, std::size_t row) {
  return std::all_of(rule.conditions.begin(), rule.conditions.end(), [&](const Condition& condition) {
    return condition.codes.contains(grid.code(condition.index, rows.value(row, condition.index)));
  });
}

class Auditor {
 public:
  Auditor(const Explainer::Impl& model, const HeldOut& held_out, const Run& run)
      : model_(model),
        held_out_(held_out),
        run_{run.threads, run.stop, {}},
        maker_(model.model.rows, model.conditional.blocks(), model.model.weights, model.costs,
               model.model.settings.seed),
        distance_(held_out.rows),
        targets_(tried_targets(model.model.outcome)) {}

  Audit audit(std::size_t most) {
    audit_.asked_the_model = static_cast<bool>(held_out_.judge);
    audit_.judge = audit_.asked_the_model ? "the model, asked about points drawn from the rules"
                                          : "held-out rows in the rules, nearest to the person on everything else";
    if (model_.model.outcome.numeric())
      most = (most + targets_.size() - 1) / targets_.size();  // they are read together
    for (const Target& target : targets_) {
      audit_.targets.push_back(target.names().front());
      const std::vector<std::size_t> people = people_outside(target, held_out_.answers, most);
      for (const double threshold : kThresholds) explain(target, threshold, people);
    }
    if (audit_.asked_the_model) ask_the_judge();
    return std::move(audit_);
  }

 private:
  void explain(const Target& target, double threshold, const std::vector<std::size_t>& people) {
    ExplainOptions options;
    options.min_probability = threshold;
    options.rules = 1;
    options.seed = model_.model.settings.seed;
    const PersonExplainer explainer(model_, target, options, run_);
    const std::size_t first = audit_.cases.size();
    audit_.cases.resize(first + people.size());
    trials_.resize(audit_.cases.size());
    parallel_for(people.size(), run_, [&](std::size_t i) {
      AuditCase& one = audit_.cases[first + i];
      one.target = static_cast<std::uint32_t>(audit_.targets.size() - 1);
      one.person = static_cast<std::uint32_t>(people[i]);
      one.threshold = threshold;
      const Explanation answer = explainer.explain(held_out_.rows, held_out_.answers, people[i]);
      if (answer.status != Status::found) return;
      one.stated = answer.rules.front().probability.stated();
      if (held_out_.judge)
        trials_[first + i] = maker_.make(held_out_.rows.row(people[i]), answer);
      else
        look_nearby(answer.rules.front(), people[i], target, one);
    });
  }

  // The distance is in units of what two people who have nothing to do with each other are apart.
  void look_nearby(const Rule& rule, std::size_t person, const Target& target, AuditCase& one) const {
    std::vector<std::pair<double, std::size_t>> near;
    const std::vector<double> values = held_out_.rows.row(person);
    for (std::size_t row = 0; row < held_out_.rows.rows(); ++row) {
      if (row == person || !inside(rule, model_.model.grid, held_out_.rows, row)) continue;
      double distance = 0;
      for (std::size_t feature = 0; feature < values.size(); ++feature)
        if (std::none_of(rule.conditions.begin(), rule.conditions.end(),
                         [&](const auto& c) { return c.index == feature; }))
          distance += distance_.squared(feature, values[feature], held_out_.rows.value(row, feature));
      near.emplace_back(distance, row);
    }
    if (near.empty()) return;
    const std::size_t looked_at = std::min(near.size(), kNearRows);
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(looked_at), near.end());
    double hits = 0;
    for (std::size_t i = 0; i < looked_at; ++i) hits += target.contains(held_out_.answers[near[i].second]) ? 1 : 0;
    one.came_true = hits / static_cast<double>(looked_at);
    one.hit = target.contains(held_out_.answers[near.front().second]);
    one.distance = std::sqrt(near.front().first / (2 * static_cast<double>(values.size())));
  }

  void ask_the_judge() {
    const Table points = points_of(trials_, held_out_.rows.schema());
    if (points.rows() == 0) return;
    const std::vector<double> answers = ask(held_out_.judge, points);
    std::size_t next = 0;
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      const std::size_t count = trials_[i].points.size();
      if (count == 0) continue;
      AuditCase& one = audit_.cases[i];
      const std::vector<std::uint8_t> accepted = targets_[one.target].mark(std::span(answers).subspan(next, count));
      one.came_true = static_cast<double>(std::count(accepted.begin(), accepted.end(), 1)) / static_cast<double>(count);
      one.hit = accepted.front() != 0;
      next += count;
    }
  }

  const Explainer::Impl& model_;
  const HeldOut& held_out_;
  Run run_;
  TrialMaker maker_;
  RowDistance distance_;
  std::vector<Target> targets_;
  Audit audit_;
  std::vector<Trial> trials_;  // per case; without points where the model is not asked
};

}  // namespace

Audit audit(const Explainer::Impl& model, const HeldOut& held_out, std::size_t most, const Run& run) {
  model.conditional.prepare(run);
  return Auditor(model, held_out, run).audit(most);
}

}  // namespace cfrules
