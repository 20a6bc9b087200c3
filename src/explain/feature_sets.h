// Which sets of features may change together: candidates, subsets by size, sets met on decision paths.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "forest/tree.h"
#include "region/reach.h"

namespace cfrules {

using FeatureIndexes = std::vector<std::size_t>;  // ascending

// Candidates as units that enter and leave together: single features, or linked groups.
class CandidateUnits {
 public:
  // candidates: leading first; those that may not change are left out. max_features: of a set.
  CandidateUnits(std::span<const std::size_t> candidates, const Reach& reach, std::size_t max_features);

  [[nodiscard]] std::size_t max_features() const { return max_features_; }
  [[nodiscard]] bool empty() const { return units_.empty(); }
  // Every set of exactly this many features, leading units first.
  [[nodiscard]] std::vector<FeatureIndexes> sets_of(std::size_t size) const;
  // Up to this many distinct sets, drawn from the features a person meets on the way down random trees; by size.
  [[nodiscard]] std::vector<FeatureIndexes> sets_on_paths(const Forest& forest, std::span<const Code> codes, std::size_t count,
                                                          RandomStream random) const;

 private:
  std::vector<FeatureIndexes> units_;
  std::size_t max_features_;
};

// The leading `count` features by importance (or by how many splits use them), ties by index.
[[nodiscard]] std::vector<std::size_t> leading_features(std::span<const double> importance, std::size_t count);

}  // namespace cfrules
