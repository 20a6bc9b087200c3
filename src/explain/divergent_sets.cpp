#include "explain/divergent_sets.h"

#include <algorithm>

namespace cfrules {

std::vector<std::vector<FeatureIndexes>> DivergentSets::by_size(const Forest& forest,
                                                                std::span<const Code> codes) const {
  std::vector<std::vector<FeatureIndexes>> sets(units_.max_features() + 1);
  if (settings_.path_sets == 0) {
    for (std::size_t size = 1; size < sets.size(); ++size) sets[size] = units_.sets_of(size);
    return sets;
  }
  const RandomStream random(settings_.seed, Purpose::candidate_sets, 0);
  for (FeatureIndexes& set : units_.sets_on_paths(forest, codes, settings_.path_sets, random))
    sets[set.size()].push_back(std::move(set));
  return sets;
}

bool DivergentSets::is_minimal(const FeatureIndexes& set) const {
  if (!settings_.all_sets) return reached_.empty() || set.size() == reached_.front().features.size();
  return std::none_of(reached_.begin(), reached_.end(), [&](const ScoredSet& other) {
    return std::includes(set.begin(), set.end(), other.features.begin(), other.features.end());
  });
}

void DivergentSets::hear(std::size_t begin, double least) {
  constexpr std::size_t kTogether = 1024;  // between two questions whether to stop
  for (; begin < sets_.size(); begin += kTogether) {
    if (stop_) stop_();
    const std::size_t count = std::min(kTogether, sets_.size() - begin);
    rules_.hear_cdps(std::span(sets_).subspan(begin, count), least, std::span(cdps_).subspan(begin, count));
  }
}

void DivergentSets::look_at(std::vector<FeatureIndexes> sets, std::size_t trees) {
  const std::size_t begin = sets_.size();
  std::move(sets.begin(), sets.end(), std::back_inserter(sets_));
  cdps_.resize(sets_.size(), MeanShare(trees));
  hear(begin, settings_.pi);
  for (std::size_t set = begin; set < sets_.size(); ++set)
    if (cdps_[set].value() >= settings_.pi && is_minimal(sets_[set]))
      reached_.push_back({cdps_[set].value(), sets_[set]});
}

ScoredSet DivergentSets::leading() const {
  ScoredSet first;
  for (std::size_t set = 0; set < sets_.size(); ++set)
    if (cdps_[set].value() > first.cdp) first = {cdps_[set].value(), sets_[set]};
  return first;
}

std::vector<ScoredSet> DivergentSets::find(const Forest& forest, std::span<const Code> codes) {
  constexpr std::size_t kWorthAWalk = 256;  // fewer sets share their walks with those of the next size
  std::vector<FeatureIndexes> waiting;
  for (std::vector<FeatureIndexes>& sets : by_size(forest, codes)) {
    if (!reached_.empty() && !settings_.all_sets) break;
    std::move(sets.begin(), sets.end(), std::back_inserter(waiting));
    if (waiting.size() < kWorthAWalk) continue;
    look_at(std::move(waiting), forest.trees.size());
    waiting.clear();
  }
  if (reached_.empty() || settings_.all_sets) look_at(std::move(waiting), forest.trees.size());
  const ScoredSet guess = leading();
  if (!reached_.empty() || guess.features.empty()) return reached_;
  // Once one is heard to the end, most others are soon seen not to be better.
  hear(0, rules_.cdp(guess.features));
  return {leading()};
}

}  // namespace cfrules
