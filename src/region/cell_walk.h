// The bounds of one tree's cell, level by level, as far down as somebody asks: what the walk says about a region when
// nobody wants its leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "forest/tree.h"
#include "region/level_bounds.h"
#include "region/region.h"

namespace cfrules {

// A child that the walk does not visit.
struct Excluded {
  std::size_t depth;  // of its parent
  std::size_t node;
};

// Room for a walk; kept by whoever walks many trees.
struct CellWalkRoom {
  std::vector<std::uint16_t> tight;
  std::vector<std::uint32_t> nodes;  // of the level the walk stands at
  std::vector<std::uint32_t> next;
};

// Through Node or SmallNode.
template <class AnyNode>
class CellWalk {
 public:
  // excluded: gets the nodes not visited, if wanted. All referred data must outlive this.
  CellWalk(std::span<const AnyNode> nodes, const Region& region, Estimator estimator, CellWalkRoom& room,
           std::vector<Excluded>* excluded = nullptr);

  // Walks on until there is such a level; false if the tree ends above it.
  bool reach(std::size_t level) {
    while (levels_ <= level)
      if (!step()) return false;
    return true;
  }
  void finish() {
    while (step()) {
    }
  }
  // Those walked so far.
  [[nodiscard]] std::size_t levels() const { return levels_; }
  [[nodiscard]] LevelBounds bounds() const {
    return {std::span(room_.tight).first(levels_ * 2 * features_), features_};
  }
  [[nodiscard]] std::span<const std::uint16_t> level(std::size_t index) const { return bounds().level(index); }
  void copy(std::size_t level, std::vector<std::uint16_t>& to) const { bounds().copy(level, to); }

 private:
  bool step();

  std::span<const AnyNode> nodes_;
  const Region& region_;
  std::size_t features_;
  std::size_t levels_ = 1;
  std::size_t width_ = 1;  // nodes of the level the walk stands at
  CellWalkRoom& room_;
  std::vector<Excluded>* excluded_;
};

}  // namespace cfrules
