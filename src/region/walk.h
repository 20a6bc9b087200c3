// The one traversal. In: a tree's nodes and a region. Out, through a visitor: the leaves the region reaches, each with
// the part of the region that falls in it, and the bounds that one-way splits put on the cell.
//
// At a split (feature f, cut k):  side.high <= k  go left, the cell is bounded to codes <= k
//                                 side.low  >  k  go right, the cell is bounded to codes > k
//                                 otherwise       go both ways, the cell is unchanged
//
// This one walk is the projected forest (fixed + free), the regional forest (fixed + intervals), the grid of moves of
// one person, and an isolation forest read over a box. (MoveLeaves meets the leaves of all sets of features at once in
// another order, for speed.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "cfrules/code.h"
#include "forest/tree.h"

namespace cfrules {

// A visitor has
//   void bound(depth, feature, Interval codes, std::size_t other)   a one-way split: what the cell keeps; other is the
//                                                                   child that is not visited
//   bool enter(feature, Interval part, node, left)   a both-way split: the part of the side that goes down the left or
//                                                    the right of this node; false prunes
//   void leave(feature)                              back from the last enter of this feature
//   void leaf(node_index, depth)
template <class Side, class Visitor>
class Walker {
 public:
  Walker(std::span<const Node> nodes, const Side& side, Visitor& visitor)
      : nodes_(nodes), side_(side), visitor_(visitor) {}

  void run(std::size_t node = 0, std::size_t depth = 0) {
    for (;; ++depth) {
      const Node& here = nodes_[node];
      if (here.is_leaf()) return visitor_.leaf(node, depth);
      const std::size_t feature = here.split_feature();
      const auto left = static_cast<std::size_t>(here.left);
      const Interval side = side_(feature);
      const bool low_goes_right = side.low == kMissing && here.missing_right();
      const bool right = side.low > here.cut;
      if ((right || side.high <= here.cut) && !low_goes_right) {
        // Whether left or right is a coin toss; worked out without a branch it costs no misprediction.
        const Code least = here.missing_right() ? Code{1} : kMissing;
        visitor_.bound(depth, feature,
                       right ? Interval{static_cast<Code>(here.cut + 1), kTop} : Interval{least, here.cut},
                       left + (right ? 0 : 1));
        node = left + (right ? 1 : 0);
      } else if (low_goes_right && side.high == kMissing) {
        // Missing goes right together with large codes. No interval says that, so the cell keeps the missing alone.
        visitor_.bound(depth, feature, Interval{kMissing, kMissing}, left);
        node = left + 1;
      } else {
        const Code lowest = low_goes_right ? Code{1} : side.low;
        const bool only_missing_right = side.high <= here.cut;
        prefetch_children(nodes_[left + 1]);
        descend(here, true, depth, feature, {lowest, std::min(side.high, here.cut)});
        descend(here, false, depth, feature,
                only_missing_right ? Interval{kMissing, kMissing}
                                   : Interval{std::max(side.low, static_cast<Code>(here.cut + 1)), side.high});
        return;
      }
    }
  }

 private:
  static constexpr Code kTop = 0xFFFF;

  void descend(const Node& node, bool left, std::size_t depth, std::size_t feature, Interval part) {
    if (!visitor_.enter(feature, part, node, left)) return;
    run(static_cast<std::size_t>(node.left) + (left ? 0 : 1), depth + 1);
    visitor_.leave(feature);
  }

  // The right child waits until the left is done; by then what it leads to is at hand.
  void prefetch_children(const Node& node) const {
    if (!node.is_leaf()) __builtin_prefetch(nodes_.data() + node.left);
  }

  std::span<const Node> nodes_;
  const Side& side_;  // feature -> Interval
  Visitor& visitor_;
};

template <class Side, class Visitor>
void walk(std::span<const Node> nodes, const Side& side, Visitor& visitor) {
  Walker<Side, Visitor>(nodes, side, visitor).run();
}

}  // namespace cfrules
