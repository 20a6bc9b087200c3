#include "explain/feature_sets.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace cfrules {

CandidateUnits::CandidateUnits(std::span<const std::size_t> candidates, const Reach& reach, std::size_t max_features)
    : max_features_(reach.max_changes() > 0 ? std::min(max_features, reach.max_changes()) : max_features) {
  std::set<std::size_t> taken;
  for (const std::size_t feature : candidates) {
    if (!reach.may_change(feature) || taken.contains(feature)) continue;
    FeatureIndexes unit{feature};
    for (const auto& group : reach.groups())
      if (std::find(group.begin(), group.end(), feature) != group.end()) unit.assign(group.begin(), group.end());
    std::sort(unit.begin(), unit.end());
    taken.insert(unit.begin(), unit.end());
    units_.push_back(std::move(unit));
  }
}

std::vector<FeatureIndexes> CandidateUnits::sets_of(std::size_t size) const {
  std::vector<FeatureIndexes> sets;
  FeatureIndexes chosen;
  const std::function<void(std::size_t)> extend = [&](std::size_t from) {
    if (chosen.size() == size) {
      sets.push_back(chosen);
      std::sort(sets.back().begin(), sets.back().end());
      return;
    }
    for (std::size_t unit = from; unit < units_.size(); ++unit) {
      if (chosen.size() + units_[unit].size() > size) continue;
      chosen.insert(chosen.end(), units_[unit].begin(), units_[unit].end());
      extend(unit + 1);
      chosen.resize(chosen.size() - units_[unit].size());
    }
  };
  if (size > 0) extend(0);
  return sets;
}

std::vector<FeatureIndexes> CandidateUnits::sets_on_paths(const Forest& forest, std::span<const Code> codes, std::size_t count,
                                                          RandomStream random) const {
  std::set<FeatureIndexes> sets;
  for (std::size_t attempt = 0; attempt < 4 * count && sets.size() < count; ++attempt) {
    const Tree& tree = forest.trees[random.below(forest.trees.size())];
    std::vector<std::size_t> met;  // units, in the order of the path
    for (std::size_t node = 0; !tree.nodes[node].is_leaf();) {
      const Node& here = tree.nodes[node];
      for (std::size_t unit = 0; unit < units_.size(); ++unit)
        if (std::binary_search(units_[unit].begin(), units_[unit].end(), here.split_feature()) &&
            std::find(met.begin(), met.end(), unit) == met.end())
          met.push_back(unit);
      node = static_cast<std::size_t>(here.left) + (here.goes_left(codes[here.split_feature()]) ? 0 : 1);
    }
    if (met.empty()) continue;
    const std::size_t wanted = 1 + random.below(std::min(met.size(), max_features_));
    random.shuffle(std::span(met));
    FeatureIndexes set;
    for (std::size_t i = 0; i < met.size() && set.size() < wanted; ++i)
      if (set.size() + units_[met[i]].size() <= max_features_)
        set.insert(set.end(), units_[met[i]].begin(), units_[met[i]].end());
    if (set.empty()) continue;
    std::sort(set.begin(), set.end());
    sets.insert(std::move(set));
  }
  std::vector<FeatureIndexes> by_size(sets.begin(), sets.end());
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return by_size;
}

std::vector<std::size_t> leading_features(std::span<const double> importance, std::size_t count) {
  std::vector<std::size_t> features(importance.size());
  std::iota(features.begin(), features.end(), std::size_t{0});
  std::stable_sort(features.begin(), features.end(), [&](std::size_t a, std::size_t b) { return importance[a] > importance[b]; });
  features.resize(std::min(count, features.size()));
  return features;
}

}  // namespace cfrules
