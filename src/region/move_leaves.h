// One pass of the forest for one person that serves every set of features at once.
//
// A leaf is reached by a person who changes the features of a set exactly when the path to it leaves the person's own
// way only at splits on those features: the features departed on are a mask, and a set reaches the leaves whose mask it
// contains. So all candidate features are walked as free, paths with more than `departures` departed features are cut
// off, and what is met is kept by mask, as a box of bins of all candidates.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/room.h"
#include "forest/leaf_numbers.h"
#include "kernels/box_sums.h"
#include "region/move_grid.h"

namespace cfrules {

class MovePages;

class MoveLeaves {
 public:
  static constexpr std::size_t kMostCandidates = 64;
  static constexpr std::size_t kMostClosed = 4;  // departures; where more are allowed no leaf is closed

  // World tells how axes translate bounds into bins.
  enum class World { forest, isolation };
  struct Source {
    World world;
    LeafNumbers leaves;
    const MovePages* pages = nullptr;  // of the same leaves: where many are reached, they are looked up here
  };

  // How far ways may depart: on so many candidates, and where sets are named (by the mask of their candidates), on those
  // of one of them.
  struct Departures {
    std::size_t most;
    std::vector<std::uint64_t> sets;

    [[nodiscard]] bool allow(std::uint64_t mask) const;
    // Few leaves are reached by single features, or where few sets are named: walks touch only what leads there.
    [[nodiscard]] bool lead_far() const;
  };

  // Whether pages, if there are any, can say what a walk would.
  [[nodiscard]] static bool may_scan(std::size_t candidates, const Departures& departures);

  // Forgets what was walked before and keeps its memory. fixed: the person's codes as these trees speak them.
  // candidates: one axis for each.
  void walk(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates,
            const Departures& departures);

  // For these axes alone, at most kMostClosed: their features are free from the root on.
  void walk_set(const Source& source, std::span<const Code> fixed, const MoveAxes& axes);

  // The same numbers as sum_grid or path_grid give. axes: those of candidates on which ways might depart together.
  void sums(const MoveAxes& axes, BoxSums& into) const;

 private:
  static constexpr std::uint8_t kNone = 0xFF;

  // Leaves with the same mask: their sides, and what they say; who says nothing is left out. Where no further feature
  // may depart only the departed have sides, in the order of their candidates; elsewhere every candidate has one.
  struct Group {
    std::uint64_t mask = 0;
    bool closed = false;
    Room<BoxSide> sides;
    Room<NumbersId> said;
  };
  template <class AnyNode>
  friend class LeafCollector;
  friend class LeafScan;

  // Where ways begin: with all features to depart yet, or with all of them departed.
  enum class Start { open, closed };
  void collect(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates,
               const Departures& departures, Start start);
  void forget(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates);
  [[nodiscard]] std::uint32_t group_of(std::uint64_t mask, const Departures& departures);

  // Where a candidate stands among those of a mask.
  [[nodiscard]] static std::uint8_t slot(std::uint64_t mask, std::uint8_t candidate) {
    return static_cast<std::uint8_t>(std::popcount(mask & ((std::uint64_t{1} << candidate) - 1)));
  }

  std::vector<std::uint8_t> candidate_of_;  // per feature; kNone: not one
  std::size_t candidates_ = 0;
  LeafNumbers leaves_;  // what was walked last
  std::vector<Group> groups_;
  std::map<std::uint64_t, std::uint32_t> group_of_;
};

}  // namespace cfrules
