// What the leaves of trees say, read for a purpose: one or two numbers each, in fixed point. Many leaves say the same,
// so each only says which numbers of a list: four bytes a leaf, and the list stays in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed.h"
#include "forest/tree.h"

namespace cfrules {

// Which numbers of the list.
using NumbersId = std::uint32_t;
inline constexpr NumbersId kSaysNothing = 0;  // its numbers are 0

struct LeafNumbers {
  std::span<const Tree> trees;
  std::span<const std::vector<NumbersId>> said;  // per tree: by its leaves
  std::span<const Fixed> list;
  std::size_t channels = 1;                                  // numbers per leaf, side by side in the list
  Fixed everywhere = 0;                                      // what every leaf says besides, as its first number
  std::span<const std::vector<SmallNode>> small_trees = {};  // empty: there are none

  [[nodiscard]] const Fixed* of(std::size_t tree, std::size_t leaf) const { return &list[said[tree][leaf] * channels]; }
  // Of all trees, wherever one is.
  [[nodiscard]] Fixed sum_everywhere() const { return everywhere * static_cast<Fixed>(trees.size()); }
};

// Makes the list. Numbers stand in it in the order in which they are first said.
class LeafNumberList {
 public:
  explicit LeafNumberList(std::size_t channels = 1);

  void begin_tree(std::size_t leaves);
  // Of the next leaf of the tree begun last.
  void add(Fixed first, Fixed second = 0);
  // Nothing is added any more.
  void end();

  [[nodiscard]] LeafNumbers of(std::span<const Tree> trees) const { return {trees, said_, list_, channels_}; }

 private:
  [[nodiscard]] NumbersId* place_of(Fixed first, Fixed second);
  void grow();

  std::size_t channels_;
  std::vector<std::vector<NumbersId>> said_;
  std::vector<Fixed> list_;
  std::vector<NumbersId> places_;  // ids by a hash of their numbers; a power of two, at least half of them free
};

}  // namespace cfrules
