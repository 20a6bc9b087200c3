#include "explain/conditional_rules.h"

#include "explain/condition_writer.h"
#include "explain/conditional_box_search.h"
#include "explain/moved_rules.h"

namespace cfrules {

ConditionalRules::ConditionalRules(const Context& context, const Reach& reach, const Settings& settings, Region base,
                                   std::vector<double> person, std::function<void()> stop)
    : context_(context),
      reach_(reach),
      settings_(settings),
      base_(std::move(base)),
      person_(std::move(person)),
      stop_(std::move(stop)) {}

Region ConditionalRules::with_free(const FeatureIndexes& features) const {
  Region region = base_;
  for (const std::size_t feature : features) region.free(feature, context_.grid);
  return region;
}

double ConditionalRules::cdp(const FeatureIndexes& features) const {
  return context_.conditional.probability(with_free(features), context_.forest.hits(), settings_.cell_rule());
}

ConditionalBoxSearch ConditionalRules::search(const FeatureIndexes& features) const {
  ConditionalBoxSearch::Limits limits;
  limits.stop = stop_;
  for (const std::size_t feature : features) limits.allowed.push_back(reach_.codes(feature, person_.empty() ? kUnknown : person_[feature]));
  if (reach_.has_implications() && !person_.empty())
    limits.forbidden = [this, features](std::span<const Code> cell) { return reach_.breaks_implication(person_, features, cell); };
  return {context_, with_free(features), features, settings_.cell_rule(), std::move(limits)};
}

std::vector<Rule> ConditionalRules::solve(const FeatureIndexes& features, std::size_t rules) const {
  ConditionalBoxSearch boxes = search(features);
  // One and two features are to be exact; beyond, proofs are rare and greedy growth is near, so less is spent on them.
  const std::size_t work_limit = features.size() <= 2 ? 50 * settings_.work_limit : settings_.work_limit / 20;
  std::vector<Rule> found;
  while (found.size() < rules) {
    const ConditionalBoxSearch::Answer answer = boxes.heaviest(settings_.min_probability, work_limit);
    if (!answer.box) break;
    found.push_back(write_rule(features, boxes.codes(answer.box->bins), answer.box->mass, boxes.support(answer.box->bins),
                               answer.box->probability, answer.optimal));
    boxes.cover(*answer.box);
  }
  return found;
}

std::vector<Rule> ConditionalRules::best_effort(const FeatureIndexes& features) const {
  ConditionalBoxSearch boxes = search(features);
  const std::optional<ConditionalBox> cell = boxes.purest_cell();
  if (!cell) return {};
  return {write_rule(features, boxes.codes(cell->bins), cell->mass, boxes.support(cell->bins), cell->probability, false)};
}

Rule ConditionalRules::write_rule(const FeatureIndexes& features, std::span<const Interval> box, double mass, std::size_t support,
                                  double probability, bool optimal) const {
  Rule rule;
  rule.mass = mass;
  rule.support = support;
  rule.optimal = optimal;
  rule.probability.raw = probability;
  rule.cost = person_.empty() ? kUnknown : 0.0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const double from = person_.empty() ? kUnknown : person_[features[i]];
    rule.conditions.push_back(condition_of(context_.schema(), context_.grid, features[i], box[i], from));
    if (person_.empty()) continue;
    reach_.clip(rule.conditions.back(), from);
    rule.cost += reach_.cost(features[i]) * cost_of_side(context_, features[i], box[i], from);
  }
  return rule;
}

}  // namespace cfrules
