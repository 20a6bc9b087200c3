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

void DivergentSets::look_at(std::span<const FeatureIndexes> sets) {
  constexpr std::size_t kTogether = 1024;  // between two questions whether to stop
  for (; !sets.empty(); sets = sets.subspan(std::min(kTogether, sets.size()))) {
    if (stop_) stop_();
    const auto part = sets.first(std::min(kTogether, sets.size()));
    const std::vector<double> cdps = rules_.cdps(part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (cdps[i] > best_.cdp) best_ = {cdps[i], part[i]};
      if (cdps[i] >= settings_.pi && is_minimal(part[i])) reached_.push_back({cdps[i], part[i]});
    }
  }
}

std::vector<ScoredSet> DivergentSets::find(const Forest& forest, std::span<const Code> codes) {
  constexpr std::size_t kWorthAWalk = 256;  // fewer sets share their walks with those of the next size
  std::vector<FeatureIndexes> waiting;
  for (std::vector<FeatureIndexes>& sets : by_size(forest, codes)) {
    if (!reached_.empty() && !settings_.all_sets) break;
    std::move(sets.begin(), sets.end(), std::back_inserter(waiting));
    if (waiting.size() < kWorthAWalk) continue;
    look_at(waiting);
    waiting.clear();
  }
  if (reached_.empty() || settings_.all_sets) look_at(waiting);
  if (reached_.empty() && !best_.features.empty()) return {best_};
  return reached_;
}

}  // namespace cfrules
