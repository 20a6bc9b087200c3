// The isolation forest as one person sees it: all features but the changed ones keep the person's values, so that each
// tree shrinks to its splits on the changed features. The same scores, to the bit, at a fraction of the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/isolation_forest.h"

namespace cfrules {

class PersonIsolation {
 public:
  // positions: of the whole row, NaN where missing. The forest must outlive this.
  PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                  std::span<const std::size_t> changed);

  // positions: one per changed feature, in their order, never missing.
  [[nodiscard]] double score(std::span<const double> positions) const;

 private:
  struct SmallNode {
    double threshold = 0;    // positions up to it go left; a leaf holds its path length here
    std::int32_t left = -1;  // the right child is left + 1; -1: a leaf
    std::uint32_t slot = 0;  // of the changed feature
  };

  struct Shrinking;

  const IsolationForest* forest_;
  std::vector<SmallNode> nodes_;
  std::vector<std::uint32_t> roots_;  // one per tree
};

}  // namespace cfrules
