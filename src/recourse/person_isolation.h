// The isolation forest as one person sees it, within the ranges that will be asked about: the same scores, to the bit.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/sorted_numbers.h"
#include "forest/isolation_forest.h"
#include "recourse/shrunk_forest.h"

namespace cfrules {

class PersonIsolation {
 public:
  // positions: of the whole row, NaN where missing. ranges: per changed feature where most questions will lie, (low,
  // high]. The forest must outlive this.
  PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                  std::span<const std::size_t> changed, std::span<const Grid::ValueRange> ranges);

  // positions: one per changed feature, in their order, never missing.
  [[nodiscard]] double score(std::span<const double> positions);

  // The same in two steps, for positions within the ranges: where each stands between the splits, and the score there.
  [[nodiscard]] Code cell(std::size_t slot, double position) const {
    return static_cast<Code>(slots_[slot].cuts.count_below(position));
  }
  [[nodiscard]] double score_at(std::span<const Code> cells) const {
    return forest_->score_of_paths(trees_.sums(cells).first);
  }

 private:
  struct Slot {
    std::size_t feature;
    Grid::ValueRange range;
    SortedNumbers cuts;  // between the cells of the shrunken trees, in positions
  };

  [[nodiscard]] double score_anywhere(std::span<const double> positions) const;

  const IsolationForest* forest_;
  std::vector<double> row_;  // the person
  ShrunkForest trees_;
  std::vector<Slot> slots_;  // one per changed feature
  std::vector<Code> cells_;  // of the point asked about
};

}  // namespace cfrules
