// The one traversal. In: a tree's nodes and a region. Out, through a visitor: the leaves the region reaches, each with
// the part of the region that falls in it, and the bounds that one-way splits put on the cell.
//
// At a split (feature f, cut k):  side.high <= k  go left, the cell is bounded to codes <= k
//                                 side.low  >  k  go right, the cell is bounded to codes > k
//                                 otherwise       go both ways, the cell is unchanged
//
// This one walk is the projected forest (fixed + free), the regional forest (fixed + intervals), the grid of moves of
// one person, and an isolation forest read over a box. (CellWalk and MoveLeaves go level by level, for speed.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/send_for.h"
#include "cfrules/code.h"
#include "forest/tree.h"
#include "region/level_bounds.h"

namespace cfrules {

// What a side does at a split: which children it reaches and, if only one, what the cell keeps.
struct Turn {
  bool left;
  bool right;
  Interval kept;

  template <class AnyNode>
  Turn(Interval side, const AnyNode& node) {
    const Code cut = node.cut;
    const bool low_goes_right = side.low == kMissing && node.missing_right();
    left = std::max<Code>(side.low, low_goes_right ? 1 : 0) <= std::min(side.high, cut);
    right = side.high > cut || low_goes_right;
    const Code first = node.missing_right() ? Code{1} : kMissing;
    // Missing goes right together with large codes. No interval says that, so the cell keeps the missing alone.
    const Interval right_only = !low_goes_right ? Interval{static_cast<Code>(cut + 1), kTop}
                                : side.high > cut ? Interval{kMissing, kTop} : Interval{kMissing, kMissing};
    kept = left ? Interval{first, cut} : right_only;
  }
  [[nodiscard]] bool one_way() const { return left != right; }
  // Of a side that goes both ways.
  [[nodiscard]] static Interval left_part(Interval side, const Node& node) {
    const bool low_goes_right = side.low == kMissing && node.missing_right();
    return {low_goes_right ? Code{1} : side.low, std::min(side.high, node.cut)};
  }
  [[nodiscard]] static Interval right_part(Interval side, const Node& node) {
    if (side.high <= node.cut) return {kMissing, kMissing};  // missing alone goes right
    return {std::max(side.low, static_cast<Code>(node.cut + 1)), side.high};
  }
};

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
      const Turn turn(side, here);
      if (turn.one_way()) {
        // Whether left or right is a coin toss; worked out without a branch it costs no misprediction.
        visitor_.bound(depth, feature, turn.kept, left + (turn.left ? 1 : 0));
        node = left + (turn.left ? 0 : 1);
        continue;
      }
      prefetch_children(nodes_[left + 1]);
      descend(here, true, depth, feature, turn.left_part(side, here));
      descend(here, false, depth, feature, turn.right_part(side, here));
      return;
    }
  }

 private:
  void descend(const Node& node, bool left, std::size_t depth, std::size_t feature, Interval part) {
    if (!visitor_.enter(feature, part, node, left)) return;
    run(static_cast<std::size_t>(node.left) + (left ? 0 : 1), depth + 1);
    visitor_.leave(feature);
  }

  // The right child waits until the left is done; by then what it leads to is at hand.
  void prefetch_children(const Node& node) const {
    if (!node.is_leaf()) send_for(nodes_.data() + node.left);
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
