#include "api/lessons.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "api/person_explainer.h"
#include "api/tried_targets.h"
#include "base/parallel.h"
#include "base/random.h"
#include "quality/trials.h"

namespace cfrules {

namespace {

constexpr std::size_t kPeopleARound = 500;
constexpr double kThreshold = 0.9;

}  // namespace

Lessons::Lessons(const Table& rows, const Outcome& outcome, const FitOptions& options)
    : options_(options), targets_(tried_targets(outcome)), order_(rows.rows()) {
  people_a_target_ = kPeopleARound / targets_.size();
  std::iota(order_.begin(), order_.end(), 0u);
  RandomStream(options.seed, Purpose::lessons, 0).shuffle(std::span(order_));
}

// Every target and round goes on along the order where the one before might have ended.
std::vector<Lessons::Drawn> Lessons::people_outside(std::size_t target, std::size_t round,
                                                    std::span<const double> answers) const {
  std::vector<Drawn> people;
  const std::size_t first = (round * targets_.size() + target) * people_a_target_;
  for (std::size_t i = 0; i < order_.size() && people.size() < people_a_target_; ++i) {
    const std::uint32_t row = order_[(first + i) % order_.size()];
    if (!targets_[target].contains(answers[row])) people.push_back({row, {}});
  }
  return people;
}

void Lessons::draw(const Explainer::Impl& model, std::size_t target, const Run& run, std::vector<Drawn>& people) const {
  ExplainOptions asked;
  asked.min_probability = kThreshold;
  asked.rules = 1;
  asked.seed = options_.seed;
  const PersonExplainer explainer(model, targets_[target], asked, run);
  const TrialMaker maker(model.model.rows, model.conditional.blocks(), model.model.weights, model.costs, options_.seed);
  parallel_for(people.size(), run, [&](std::size_t i) {
    const std::uint32_t row = people[i].person;
    const Explanation answer = explainer.explain(model.model.rows, model.model.outcome.values, row);
    if (answer.rules.empty()) return;
    RandomStream random(options_.seed, Purpose::lessons, 1 + row);
    people[i].points = maker.draws(model.model.rows.row(row), answer.rules.front(), random);
  });
}

void Lessons::add_round(std::size_t round, const Explainer::Impl& model, const Run& run, LearningRows& rows) const {
  const Run quiet{run.threads, run.stop, {}};
  std::vector<std::vector<double>> columns(model.model.rows.features());
  std::vector<std::uint32_t> bases;
  for (std::size_t target = 0; target < targets_.size(); ++target) {
    std::vector<Drawn> people = people_outside(target, round, model.model.outcome.values);
    draw(model, target, quiet, people);
    for (const Drawn& drawn : people) {
      bases.insert(bases.end(), drawn.points.size(), drawn.person);
      add_points(drawn.points, columns);
    }
  }
  if (bases.empty()) return;
  const Table points(model.model.rows.schema(), std::move(columns));
  add_rows(rows, points, ask(options_.labeller, points), bases);
}

}  // namespace cfrules
