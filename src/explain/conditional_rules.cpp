#include "explain/conditional_rules.h"

#include <algorithm>

#include "explain/condition_writer.h"
#include "explain/conditional_box_search.h"
#include "explain/donor_points.h"
#include "explain/moved_rules.h"

namespace cfrules {

ConditionalRules::ConditionalRules(const Context& context, const Reach& reach, const Settings& settings, Region base,
                                   std::vector<const CodedPerson*> people, std::function<void()> stop)
    : context_(context),
      reach_(reach),
      settings_(settings),
      base_(std::move(base)),
      people_(std::move(people)),
      stop_(std::move(stop)),
      scratch_(context.conditional.scratch()) {}

double ConditionalRules::from(std::size_t feature) const {
  return people_.size() == 1 ? people_.front()->values[feature] : kUnknown;
}

Region ConditionalRules::with_free(const FeatureIndexes& features) const {
  Region region = base_;
  for (const std::size_t feature : features) region.free(feature, context_.grid);
  return region;
}

double ConditionalRules::cdp(const FeatureIndexes& features) const {
  return context_.conditional.probability(with_free(features), context_.hits, settings_.cell_rule(), scratch_);
}

void ConditionalRules::hear_cdps(std::span<const FeatureIndexes> sets, double least, std::span<MeanShare> means) const {
  Region free = base_;
  for (const FeatureIndexes& set : sets)
    for (const std::size_t feature : set) free.free(feature, context_.grid);
  context_.conditional.hear(base_, free, sets, context_.hits, settings_.cell_rule(), least, means);
}

// Codes that everybody may take, and combinations that break an implication for somebody.
BoxLimits ConditionalRules::limits(const FeatureIndexes& features) const {
  BoxLimits limits;
  limits.stop = stop_;
  for (const std::size_t feature : features) {
    std::vector<std::uint8_t>& allowed = limits.allowed.emplace_back(context_.grid.last_code(feature) + 1u, 1);
    for (const CodedPerson* person : people_) {
      const std::vector<std::uint8_t> codes = reach_.codes(feature, person->values[feature]);
      for (std::size_t code = 0; code < allowed.size(); ++code) allowed[code] &= codes[code];
    }
  }
  if (reach_.has_implications())
    limits.forbidden = [this, features](std::span<const Code> cell) {
      return std::any_of(people_.begin(), people_.end(), [&](const CodedPerson* person) {
        return reach_.breaks_implication(person->values, features, cell);
      });
    };
  return limits;
}

ConditionalBoxSearch& ConditionalRules::search(const FeatureIndexes& features) {
  if (search_ && searched_ == features) return *search_;
  searched_ = features;
  return search_.emplace(context_, with_free(features), features, settings_.cell_rule(), limits(features));
}

std::vector<Rule> ConditionalRules::solve(const FeatureIndexes& features, std::size_t rules) {
  search_.reset();
  ConditionalBoxSearch& boxes = search(features);
  // One and two features are to be exact; beyond, proofs are rare and greedy growth is near, so less is spent on them.
  // `inside` tells boxes apart by every code: of two features some have too many to prove anything.
  const std::size_t small_sets = settings_.cell_rule().estimator == Estimator::inside ? 1 : 5;
  const std::size_t work_limit =
      features.size() <= 2 ? small_sets * settings_.work_limit : settings_.work_limit / 200;
  std::vector<Rule> found;
  while (found.size() < rules) {
    const ConditionalBoxSearch::Answer answer = boxes.heaviest(settings_.min_probability, work_limit);
    if (!answer.box) break;
    found.push_back(write_rule(features, *answer.box, answer.optimal));
    boxes.cover(*answer.box);
  }
  if (!found.empty()) search_.reset();  // it knows of boxes that are taken
  return found;
}

std::vector<Rule> ConditionalRules::best_effort(const FeatureIndexes& features) {
  const std::optional<ConditionalBox> cell = search(features).purest_cell();
  if (!cell) return {};
  return {write_rule(features, *cell, false)};
}

Rule ConditionalRules::write_rule(const FeatureIndexes& features, const ConditionalBox& box, bool optimal) {
  Rule rule;
  rule.mass = search_->lines().exact_mass(box.bins);
  rule.support = search_->lines().support(box.bins);
  rule.optimal = optimal;
  rule.probability.raw = search_->probability(box.bins);
  const std::vector<Interval> sides = search_->lines().codes(box.bins);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::size_t feature = features[i];
    rule.conditions.push_back(
        condition_of(context_.schema(), context_.grid, feature, sides[i], from(feature), context_.values));
    for (const CodedPerson* person : people_) reach_.clip(rule.conditions.back(), person->values[feature]);
  }
  if (people_.size() == 1) rule.cost = cost_of_box(context_, reach_, rule.conditions, people_.front()->values);
  return rule;
}

bool ConditionalRules::plausible(const Rule& rule) const {
  FeatureIndexes features;
  std::vector<Interval> box;
  for (const Condition& condition : rule.conditions) {
    features.push_back(condition.index);
    box.push_back(condition.codes);
  }
  return holds_ordinary_point(context_, features, box, people_);
}

}  // namespace cfrules
