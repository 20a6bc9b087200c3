// The leaf of one row in every tree.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "forest/tree.h"

namespace cfrules {

// visit(tree, leaf) for all trees, in their order; nodes(tree) are a tree's. A few trees step down together: while one
// waits for its next node to come from memory, the others go on.
template <class Nodes, class Visit>
void visit_leaves(std::size_t trees, const Nodes& nodes, std::span<const Code> codes, const Visit& visit) {
  constexpr std::size_t kTogether = 8;
  for (std::size_t first = 0; first < trees; first += kTogether) {
    const std::size_t count = std::min(kTogether, trees - first);
    std::array<decltype(nodes(0)), kTogether> roots;
    std::array<std::size_t, kTogether> at{};
    for (std::size_t i = 0; i < count; ++i) roots[i] = nodes(first + i);
    for (bool going = true; going;) {
      going = false;
      for (std::size_t i = 0; i < count; ++i) {
        const auto& node = roots[i][at[i]];
        if (node.is_leaf()) continue;
        at[i] = static_cast<std::size_t>(node.left) + (node.goes_left(codes[node.split_feature()]) ? 0 : 1);
        going = true;
      }
    }
    for (std::size_t i = 0; i < count; ++i) visit(first + i, roots[i][at[i]].leaf_id());
  }
}

template <class Visit>
void visit_leaves(std::span<const Tree> trees, std::span<const Code> codes, const Visit& visit) {
  visit_leaves(trees.size(), [&](std::size_t tree) { return trees[tree].nodes.data(); }, codes, visit);
}

template <class Visit>
void visit_leaves(const Forest& forest, std::span<const Code> codes, const Visit& visit) {
  if (forest.small_trees.empty()) return visit_leaves(std::span(forest.trees), codes, visit);
  visit_leaves(forest.trees.size(), [&](std::size_t tree) { return forest.small_trees[tree].data(); }, codes, visit);
}

}  // namespace cfrules
