#include "explain/sufficient.h"

#include <algorithm>

#include "explain/condition_writer.h"

namespace cfrules {

namespace {

double probability_at(const KeptDecision& decision, const FeatureIndexes& features, std::span<const Code> codes) {
  std::vector<Interval> sides;
  for (const std::size_t feature : features) sides.push_back({codes[feature], codes[feature]});
  return decision.probability(features, sides);
}

}  // namespace

SufficientSearch::Found SufficientSearch::search(const CodedPerson& person, const KeptDecision& decision) const {
  Found found;
  const auto holds_found = [&](const FeatureIndexes& set) {
    return std::any_of(found.sets.begin(), found.sets.end(), [&](const ScoredSet& smaller) {
      return std::includes(set.begin(), set.end(), smaller.features.begin(), smaller.features.end());
    });
  };
  const auto better = [](const ScoredSet& a, const ScoredSet& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.features < b.features;
  };
  for (std::size_t size = 1; size <= units_.max_features(); ++size) {
    std::vector<ScoredSet> reached;
    for (const FeatureIndexes& features : units_.sets_of(size)) {
      stop_();
      if (holds_found(features)) continue;
      const ScoredSet scored{features, probability_at(decision, features, person.codes)};
      if (scored.probability >= options_.pi)
        reached.push_back(scored);
      else if (scored.probability > found.best.probability)
        found.best = scored;
    }
    std::sort(reached.begin(), reached.end(), better);
    found.sets.insert(found.sets.end(), reached.begin(), reached.end());
    if (!found.sets.empty() && !options_.all) break;
  }
  return found;
}

SufficientExplanation SufficientSearch::explain(const CodedPerson& person, const KeptDecision& decision) const {
  Found found = search(person, decision);
  SufficientExplanation answer;
  answer.found = !found.sets.empty();
  if (!answer.found && !found.best.features.empty()) found.sets.push_back(found.best);
  answer.frequency.assign(schema_.size(), 0.0);
  for (const ScoredSet& scored : found.sets) {
    SufficientSet& set = answer.sets.emplace_back();
    set.probability = scored.probability;
    for (const std::size_t feature : scored.features) {
      set.features.push_back(schema_[feature].name);
      answer.frequency[feature] += 1.0 / static_cast<double>(found.sets.size());
    }
    if (options_.rules && answer.found) add_rule(person, decision, scored, set);
  }
  return answer;
}

// A range cannot say "missing": a set that rests on a missing value stays without a rule.
void SufficientSearch::add_rule(const CodedPerson& person, const KeptDecision& decision, const ScoredSet& scored,
                                SufficientSet& set) const {
  for (const std::size_t feature : scored.features)
    if (person.codes[feature] == kMissing) return;
  const SufficientBox box = widen(decision, scored.features, person.codes, options_.pi, stop_);
  for (std::size_t i = 0; i < scored.features.size(); ++i) {
    const std::size_t feature = scored.features[i];
    set.rule.push_back(condition_of(schema_, decision.grid(), feature, box.sides[i], person.values[feature], values_));
  }
  set.rule_probability = box.probability;
  set.rule_share = decision.mass(scored.features, box.sides) / decision.mass({}, {});
}

}  // namespace cfrules
