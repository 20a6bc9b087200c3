#include "api/person_explainer.h"

#include <cmath>

#include "base/decimal.h"
#include "base/text.h"
#include "recourse/person_forest.h"

namespace cfrules {

namespace {

Explanation whole(LocalSearch& search) { return search.explain(); }

}  // namespace

PersonExplainer::PersonExplainer(const Explainer::Impl& impl, const Target& target, const ExplainOptions& options,
                                 const Run& run)
    : impl_(impl),
      options_(options),
      settings_(impl.settings(options, target)),
      reading_(impl.reading(target, run)),
      forest_(reading_->forest),
      context_(reading_->context),
      reach_(options.constraints, impl.model.rows.schema(), impl.model.grid, impl.values),
      sampler_(impl.model.rows, impl.conditional.blocks(), impl.model.grid, impl.model.inliers, reach_, impl.costs,
               shrunk_to_person(forest_), options.recourse, settings_.min_probability),
      stop_(run.stop) {}

Explanation PersonExplainer::explain(const Table& people, std::span<const double> outcomes, std::size_t row) const {
  const CodedPerson person = impl_.coded(people.row(row));
  Explanation answer;
  if (forest_.target().contains(impl_.present_outcome(people, outcomes, row))) {
    answer.status = Status::already_in_target;
    answer.search = settings_.search;
    answer.estimator = settings_.estimator;
    answer.target = forest_.target().names();
    answer.base_rate = forest_.base_rate();
  } else {
    answer = search(reach_, settings_, person, whole);
    if (answer.status != Status::found) name_binding_constraints(person, answer);
    add_intervals(answer);
    add_recourses(person, row, answer);
  }
  answer.row = row;
  return answer;
}

bool PersonExplainer::found_with(const Constraints& constraints, const CodedPerson& person) const {
  ExplainOptions options = options_;
  options.constraints = constraints;
  const Reach reach(constraints, context_.schema(), context_.grid, context_.values);
  return search(reach, impl_.settings(options, forest_.target()), person, whole).status == Status::found;
}

// Would there be a rule without the constraints? Then say which one stands in the way on its own.
void PersonExplainer::name_binding_constraints(const CodedPerson& person, Explanation& answer) const {
  const Constraints& constraints = options_.constraints;
  const bool any = !constraints.features.empty() || !constraints.implies.empty() || constraints.max_changes > 0 ||
                   !constraints.linked.empty();
  if (!any || !found_with({}, person)) return;
  std::vector<std::string> binding;
  for (std::size_t i = 0; i < constraints.features.size(); ++i) {
    Constraints without = constraints;
    without.features.erase(without.features.begin() + static_cast<std::ptrdiff_t>(i));
    if (found_with(without, person)) binding.push_back(quote(constraints.features[i].feature));
  }
  answer.status = Status::no_recourse;
  answer.note = "no recourse under these constraints";
  if (!answer.rules.empty())
    answer.note += "; the best reachable probability is " +
                   shortest_decimal(std::round(answer.rules.front().probability.stated() * 1000) / 1000);
  if (binding.empty()) {
    answer.note += "; it takes more than one of them to go: ";
    const std::vector<std::string> all = reach_.binding_hint();
    for (std::size_t i = 0; i < all.size(); ++i) answer.note += (i > 0 ? "; " : "") + all[i];
  } else {
    answer.note += "; without the constraint on ";
    for (std::size_t i = 0; i < binding.size(); ++i) answer.note += (i > 0 ? " or " : "") + binding[i];
    answer.note += " there would be one";
  }
}

// What the audit says of rules that state about as much. It looked at moved people only.
void PersonExplainer::add_intervals(Explanation& answer) const {
  if (settings_.estimator != Estimator::moved) return;
  for (Rule& rule : answer.rules) {
    const auto interval = reading_->audit.interval(rule.probability.stated());
    if (!interval) continue;
    rule.probability.low = interval->bounds.low;
    rule.probability.high = interval->bounds.high;
    rule.probability.held_out = interval->cases;
  }
}

void PersonExplainer::add_recourses(const CodedPerson& person, std::size_t row, Explanation& answer) const {
  if (options_.recourse.per_rule == 0) return;
  for (std::size_t i = 0; i < answer.rules.size(); ++i)
    answer.rules[i].recourses =
        sampler_.draw(person.values, answer.rules[i], (static_cast<std::uint64_t>(row) << 8) + i, options_.seed);
}

}  // namespace cfrules
