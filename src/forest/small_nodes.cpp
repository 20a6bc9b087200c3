#include "forest/small_nodes.h"

#include <limits>

namespace cfrules {

namespace {

bool fits(const Node& node) {
  if (node.is_leaf()) return node.leaf_id() <= std::numeric_limits<std::uint16_t>::max();
  return node.left <= std::numeric_limits<std::uint16_t>::max() && !node.missing_right() &&
         node.split_feature() < SmallNode::kLeaf && node.cut <= std::numeric_limits<std::uint8_t>::max();
}

SmallNode smaller(const Node& node) {
  if (node.is_leaf()) return {static_cast<std::uint16_t>(node.leaf_id()), SmallNode::kLeaf, 0};
  return {static_cast<std::uint16_t>(node.left), static_cast<std::uint8_t>(node.split_feature()),
          static_cast<std::uint8_t>(node.cut)};
}

}  // namespace

SmallTrees small_nodes(std::span<const Tree> trees) {
  SmallTrees small(trees.size());
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    small[tree].reserve(trees[tree].nodes.size());
    for (const Node& node : trees[tree].nodes) {
      if (!fits(node)) return {};
      small[tree].push_back(smaller(node));
    }
  }
  return small;
}

}  // namespace cfrules
