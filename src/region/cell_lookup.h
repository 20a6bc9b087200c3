// The bounds of one tree's cell, level by level in any order: what CellWalk finds, looked up in the tree's NodeBits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "region/level_bounds.h"
#include "region/node_bits.h"
#include "region/region.h"

namespace cfrules {

class CellLookup {
 public:
  // All referred data must outlive this.
  CellLookup(const NodeBits& nodes, const Region& region, Estimator estimator, SidesMemory& memory, NodeBitsRoom& room)
      : nodes_(nodes), region_(region), estimator_(estimator), room_(room) {
    nodes.reach(region, memory, room);
  }

  // Whether there is such a level. The tree's deepest may say no more than the one above it.
  [[nodiscard]] bool reach(std::size_t level) const { return level < levels(); }
  [[nodiscard]] std::size_t levels() const { return nodes_.levels(); }
  void copy(std::size_t level, std::vector<std::uint16_t>& tight) {
    tight.resize(2 * region_.features());
    nodes_.bounds(level, room_, tight);
    if (estimator_ == Estimator::inside) add_ranges(tight);
  }

 private:
  void add_ranges(std::span<std::uint16_t> tight) {
    const LevelBounds bounds{tight, region_.features()};
    for (std::size_t feature = 0; feature < region_.features(); ++feature)
      if (region_.role(feature) == Role::range) bounds.add(0, feature, region_.side(feature));
  }

  const NodeBits& nodes_;
  const Region& region_;
  Estimator estimator_;
  NodeBitsRoom& room_;
};

}  // namespace cfrules
