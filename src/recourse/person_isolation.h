// The isolation forest as one person sees it: all features but the changed ones keep the person's values, so that each
// tree shrinks to its splits on the changed features, within the ranges that will be asked about. The same scores, to
// the bit, at a fraction of the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/isolation_forest.h"

namespace cfrules {

class PersonIsolation {
 public:
  // positions: of the whole row, NaN where missing. ranges: per changed feature where most questions will lie, (low,
  // high]. The forest must outlive this.
  PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                  std::span<const std::size_t> changed, std::vector<Grid::ValueRange> ranges);

  // positions: one per changed feature, in their order, never missing.
  [[nodiscard]] double score(std::span<const double> positions) const;

 private:
  struct SmallNode {
    double threshold = 0;    // positions up to it go left; a leaf is its own left child, whatever the position
    std::uint32_t left = 0;  // the right child is left + 1
    std::uint32_t slot = 0;  // of the changed feature
  };

  struct SmallTree {
    std::uint32_t root = 0;
    std::uint32_t depth = 0;
  };

  struct Shrinking;

  [[nodiscard]] double score_anywhere(std::span<const double> positions) const;

  const IsolationForest* forest_;
  std::vector<double> row_;  // the person
  std::vector<std::size_t> changed_;
  std::vector<Grid::ValueRange> ranges_;
  std::vector<SmallNode> nodes_;
  std::vector<Fixed> paths_;      // path length, per node; leaves only
  std::vector<SmallTree> trees_;  // those that still split, deepest first
  Fixed constant_ = 0;            // path lengths of all others
};

}  // namespace cfrules
