#include "recourse/person_forest.h"

#include <limits>

namespace cfrules {

struct PersonForest::Shrinking {
  static constexpr std::uint16_t kFixed = std::numeric_limits<std::uint16_t>::max();

  PersonForest& result;
  std::size_t tree;
  std::span<const Code> codes;
  std::span<const std::uint16_t> slots;  // per feature: place among the changed ones, or kFixed

  // Down to the next split that can go either way.
  [[nodiscard]] const Node& skip_decided(std::size_t node) const {
    const std::vector<Node>& nodes = result.forest_->forest().trees[tree].nodes;
    while (!nodes[node].is_leaf() && slots[nodes[node].split_feature()] == kFixed)
      node = static_cast<std::size_t>(nodes[node].left) +
             (nodes[node].goes_left(codes[nodes[node].split_feature()]) ? 0 : 1);
    return nodes[node];
  }

  [[nodiscard]] LeafSums leaf(const Node& node) const {
    const TargetForest& forest = *result.forest_;
    return {forest.first(tree)[node.leaf_id()], forest.numeric() ? forest.second(tree)[node.leaf_id()] : 0};
  }

  void copy(const Node& from, std::size_t to) {
    Node node = from;
    if (from.is_leaf()) {
      node.left = ~static_cast<std::int32_t>(result.leaves_.size());
      result.leaves_.push_back(leaf(from));
      result.nodes_[to] = node;
      return;
    }
    node.left = static_cast<std::int32_t>(result.nodes_.size());
    node.feature = static_cast<std::uint16_t>(slots[from.split_feature()] | (from.feature & Node::kMissingRight));
    result.nodes_[to] = node;
    result.nodes_.resize(result.nodes_.size() + 2);
    const auto left = static_cast<std::size_t>(from.left);
    copy(skip_decided(left), static_cast<std::size_t>(node.left));
    copy(skip_decided(left + 1), static_cast<std::size_t>(node.left) + 1);
  }
};

PersonForest::PersonForest(const TargetForest& forest, std::span<const Code> codes,
                           std::span<const std::size_t> changed)
    : forest_(&forest) {
  std::vector<std::uint16_t> slots(codes.size(), Shrinking::kFixed);
  for (std::size_t slot = 0; slot < changed.size(); ++slot) slots[changed[slot]] = static_cast<std::uint16_t>(slot);
  for (std::size_t tree = 0; tree < forest.forest().trees.size(); ++tree) {
    Shrinking shrinking{*this, tree, codes, slots};
    const Node& root = shrinking.skip_decided(0);
    if (root.is_leaf()) {
      const LeafSums leaf = shrinking.leaf(root);
      constant_.first += leaf.first;
      constant_.second += leaf.second;
      continue;
    }
    roots_.push_back(nodes_.size());
    nodes_.emplace_back();
    shrinking.copy(root, roots_.back());
  }
}

double PersonForest::probability(std::span<const Code> codes) const {
  LeafSums sums = constant_;
  for (std::size_t node : roots_) {
    while (!nodes_[node].is_leaf())
      node = static_cast<std::size_t>(nodes_[node].left) +
             (nodes_[node].goes_left(codes[nodes_[node].split_feature()]) ? 0 : 1);
    const LeafSums& leaf = leaves_[nodes_[node].leaf_id()];
    sums.first += leaf.first;
    sums.second += leaf.second;
  }
  return forest_->probability(sums);
}

PersonProbability shrunk_to_person(const TargetForest& forest) {
  return [&forest](std::span<const Code> person, std::span<const std::size_t> changed) -> CellProbability {
    return [shrunk = PersonForest(forest, person, changed)](std::span<const Code> cell) {
      return shrunk.probability(cell);
    };
  };
}

}  // namespace cfrules
