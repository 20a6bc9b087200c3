// One pass of the forest for one person that serves every set of features at once.
//
// A leaf is reached by a person who changes the features of a set exactly when the path to it leaves the person's own way
// only at splits on those features: the features departed on are a mask, and a set reaches the leaves whose mask it
// contains. So all candidate features are walked as free, paths with more than `departures` departed features are cut off,
// and what is met is kept by mask, with the bounds that the path puts on each candidate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "forest/tree.h"
#include "region/move_grid.h"

namespace cfrules {

class MoveLeaves {
 public:
  static constexpr std::size_t kMostCandidates = 64;

  // fixed: the person's codes as these trees speak them; last_codes: of every feature. values: of the leaves, per tree
  // (second may be empty). Isolation tells how axes translate bounds into bins.
  enum class World { forest, isolation };
  MoveLeaves(World world, std::span<const Tree> trees, std::span<const std::vector<Fixed>> first,
             std::span<const std::vector<Fixed>> second, std::span<const Code> fixed, std::span<const Code> last_codes,
             std::span<const std::size_t> candidates, std::size_t departures);

  // The same numbers as sum_grid or path_grid give. Every axis' feature must be a candidate.
  [[nodiscard]] SumGrid sums(const MoveAxes& axes) const;

 private:
  struct Bound {
    std::uint8_t candidate;
    Interval codes;
  };
  struct Leaf {
    Fixed first;
    Fixed second;
    std::uint32_t bounds_begin;
    std::uint32_t bounds_end;
  };
  friend class LeafCollector;

  World world_;
  bool two_channels_;
  std::vector<std::uint8_t> candidate_of_;  // per feature; kNone: not one
  std::map<std::uint64_t, std::vector<Leaf>> by_mask_;
  std::vector<Bound> bounds_;
};

}  // namespace cfrules
