#include "recourse/person_isolation.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cfrules {

struct PersonIsolation::Shrinking {
  static constexpr std::uint32_t kFixed = 0xFFFFFFFF;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  const Grid& grid;
  const Tree& tree;
  std::span<const Fixed> leaf_paths;
  std::span<const Code> codes;
  std::span<const std::uint32_t> slots;  // per feature: place among the changed ones, or kFixed
  std::span<const Grid::ValueRange> ranges;
  std::vector<SmallNode>& nodes;
  std::vector<Fixed>& paths;

  // Down to the next split that can go either way.
  [[nodiscard]] std::size_t skip_decided(std::size_t node) const {
    for (;;) {
      const Node& here = tree.nodes[node];
      if (here.is_leaf()) return node;
      const std::uint32_t slot = slots[here.split_feature()];
      bool left = false;
      if (slot == kFixed) {
        left = here.goes_left(codes[here.split_feature()]);
      } else {
        const double cut = threshold(here);
        left = ranges[slot].high <= cut;
        if (!left && ranges[slot].low < cut) return node;
      }
      node = static_cast<std::size_t>(here.left) + (left ? 0 : 1);
    }
  }

  // code <= cut is the same as position <= cuts[cut - 1]; only missing has code 0.
  [[nodiscard]] double threshold(const Node& node) const {
    const std::vector<double>& cuts = grid.axis(node.split_feature()).cuts;
    if (node.cut == 0) return -kInfinity;
    return node.cut <= cuts.size() ? cuts[node.cut - 1] : kInfinity;
  }

  std::uint32_t add_nodes(std::size_t count) {
    const std::size_t first = nodes.size();
    nodes.resize(first + count);
    paths.resize(first + count);
    return static_cast<std::uint32_t>(first);
  }

  // Returns the depth of what was copied.
  std::uint32_t copy(std::size_t node, std::uint32_t to) {
    const Node& here = tree.nodes[skip_decided(node)];
    if (here.is_leaf()) {
      nodes[to] = {kInfinity, to, 0};
      paths[to] = leaf_paths[here.leaf_id()];
      return 0;
    }
    const std::uint32_t left = add_nodes(2);
    nodes[to] = {threshold(here), left, slots[here.split_feature()]};
    const auto child = static_cast<std::size_t>(here.left);
    return 1 + std::max(copy(child, left), copy(child + 1, left + 1));
  }
};

PersonIsolation::PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                                 std::span<const std::size_t> changed, std::vector<Grid::ValueRange> ranges)
    : forest_(&forest),
      row_(positions.begin(), positions.end()),
      changed_(changed.begin(), changed.end()),
      ranges_(std::move(ranges)) {
  std::vector<Code> codes(positions.size());
  for (std::size_t feature = 0; feature < positions.size(); ++feature)
    codes[feature] = forest.cuts().code_of_position(feature, positions[feature]);
  std::vector<std::uint32_t> slots(positions.size(), Shrinking::kFixed);
  for (std::size_t slot = 0; slot < changed.size(); ++slot) slots[changed[slot]] = static_cast<std::uint32_t>(slot);
  for (std::size_t tree = 0; tree < forest.trees().size(); ++tree) {
    Shrinking shrinking{forest.cuts(), forest.trees()[tree], forest.paths()[tree], codes, slots, ranges_, nodes_, paths_};
    const std::uint32_t root = shrinking.add_nodes(1);
    const std::uint32_t depth = shrinking.copy(0, root);
    if (depth > 0)
      trees_.push_back({root, depth});
    else
      constant_ += paths_[root];
  }
  std::stable_sort(trees_.begin(), trees_.end(),
                   [](const SmallTree& one, const SmallTree& other) { return one.depth > other.depth; });
}

// A few trees of like depth step down together, without a branch to mispredict.
double PersonIsolation::score(std::span<const double> positions) const {
  for (std::size_t slot = 0; slot < positions.size(); ++slot)
    if (!(ranges_[slot].low < positions[slot] && positions[slot] <= ranges_[slot].high))
      return score_anywhere(positions);
  constexpr std::size_t kTogether = 8;
  Fixed sum = constant_;
  for (std::size_t first = 0; first < trees_.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, trees_.size() - first);
    std::array<std::uint32_t, kTogether> at{};
    for (std::size_t i = 0; i < count; ++i) at[i] = trees_[first + i].root;
    for (std::uint32_t level = 0; level < trees_[first].depth; ++level) {
      for (std::size_t i = 0; i < kTogether; ++i) {
        const SmallNode& node = nodes_[at[i]];
        at[i] = node.left + (positions[node.slot] > node.threshold ? 1u : 0u);
      }
    }
    for (std::size_t i = 0; i < count; ++i) sum += paths_[at[i]];
  }
  return forest_->score_of_paths(sum);
}

double PersonIsolation::score_anywhere(std::span<const double> positions) const {
  std::vector<double> row = row_;
  for (std::size_t slot = 0; slot < positions.size(); ++slot) row[changed_[slot]] = positions[slot];
  return forest_->score(row);
}

}  // namespace cfrules
