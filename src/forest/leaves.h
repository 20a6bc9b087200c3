// The leaf of one row in every tree.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "forest/tree.h"

namespace cfrules {

// visit(tree, leaf) for all trees, in their order. A few trees step down together: while one waits for its next node to
// come from memory, the others go on.
template <class Visit>
void visit_leaves(std::span<const Tree> trees, std::span<const Code> codes, const Visit& visit) {
  constexpr std::size_t kTogether = 8;
  for (std::size_t first = 0; first < trees.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, trees.size() - first);
    std::array<std::size_t, kTogether> at{};
    for (bool going = true; going;) {
      going = false;
      for (std::size_t i = 0; i < count; ++i) {
        const Node& node = trees[first + i].nodes[at[i]];
        if (node.is_leaf()) continue;
        at[i] = static_cast<std::size_t>(node.left) + (node.goes_left(codes[node.split_feature()]) ? 0 : 1);
        going = true;
      }
    }
    for (std::size_t i = 0; i < count; ++i) visit(first + i, trees[first + i].nodes[at[i]].leaf_id());
  }
}

}  // namespace cfrules
