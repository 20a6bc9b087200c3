#include "recourse/person_isolation.h"

#include <limits>

namespace cfrules {

struct PersonIsolation::Shrinking {
  static constexpr std::uint32_t kFixed = 0xFFFFFFFF;

  const Grid& grid;
  const Tree& tree;
  std::span<const Code> codes;
  std::span<const std::uint32_t> slots;  // per feature: place among the changed ones, or kFixed
  std::vector<SmallNode>& nodes;

  [[nodiscard]] std::size_t skip_fixed(std::size_t node) const {
    for (;;) {
      const Node& here = tree.nodes[node];
      if (here.is_leaf() || slots[here.split_feature()] != kFixed) return node;
      node = static_cast<std::size_t>(here.left) + (here.goes_left(codes[here.split_feature()]) ? 0 : 1);
    }
  }

  // code <= cut is the same as position <= cuts[cut - 1]; only missing has code 0.
  [[nodiscard]] double threshold(const Node& node) const {
    const std::vector<double>& cuts = grid.axis(node.split_feature()).cuts;
    if (node.cut == 0) return -std::numeric_limits<double>::infinity();
    return node.cut <= cuts.size() ? cuts[node.cut - 1] : std::numeric_limits<double>::infinity();
  }

  void copy(std::size_t node, std::size_t to) {
    node = skip_fixed(node);
    const Node& here = tree.nodes[node];
    if (here.is_leaf()) {
      nodes[to] = {tree.leaf_values[here.leaf_id()], -1, 0};
      return;
    }
    const std::size_t children = nodes.size();
    nodes[to] = {threshold(here), static_cast<std::int32_t>(children), slots[here.split_feature()]};
    nodes.resize(children + 2);
    copy(static_cast<std::size_t>(here.left), children);
    copy(static_cast<std::size_t>(here.left) + 1, children + 1);
  }
};

PersonIsolation::PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                                 std::span<const std::size_t> changed)
    : forest_(&forest) {
  std::vector<Code> codes(positions.size());
  for (std::size_t feature = 0; feature < positions.size(); ++feature)
    codes[feature] = forest.cuts().code_of_position(feature, positions[feature]);
  std::vector<std::uint32_t> slots(positions.size(), Shrinking::kFixed);
  for (std::size_t slot = 0; slot < changed.size(); ++slot) slots[changed[slot]] = static_cast<std::uint32_t>(slot);
  for (const Tree& tree : forest.trees()) {
    roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.emplace_back();
    Shrinking{forest.cuts(), tree, codes, slots, nodes_}.copy(0, roots_.back());
  }
}

double PersonIsolation::score(std::span<const double> positions) const {
  double total = 0;
  for (const std::uint32_t root : roots_) {
    const SmallNode* node = &nodes_[root];
    while (node->left >= 0)
      node = &nodes_[static_cast<std::size_t>(node->left) + (positions[node->slot] <= node->threshold ? 0 : 1)];
    total += node->threshold;
  }
  return forest_->score_of_path(total / static_cast<double>(roots_.size()));
}

}  // namespace cfrules
