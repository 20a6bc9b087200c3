#include "recourse/shrunk_forest.h"

#include <algorithm>
#include <array>
#include <limits>

#include "region/walk.h"

namespace cfrules {

namespace {

void add(LeafSums& sums, const LeafSums& more) {
  sums.first += more.first;
  sums.second += more.second;
}

}  // namespace

struct ShrunkForest::Shrinking {
  static constexpr std::uint16_t kFixed = std::numeric_limits<std::uint16_t>::max();

  ShrunkForest& result;
  const Tree& tree;
  std::span<const Fixed> first;
  std::span<const Fixed> second;
  std::span<const Interval> sides;        // per feature: the person's code, or where a changed feature may lie
  std::span<const std::uint16_t> slots;   // per feature: place among the changed ones, or kFixed

  // Down to the next split that can go either way.
  [[nodiscard]] const Node& skip_decided(std::size_t node) const {
    for (;;) {
      const Node& here = tree.nodes[node];
      if (here.is_leaf()) return here;
      const Turn turn(sides[here.split_feature()], here);
      if (!turn.one_way()) return here;
      node = static_cast<std::size_t>(here.left) + (turn.left ? 0 : 1);
    }
  }

  std::uint32_t add_nodes(std::size_t count) {
    const std::size_t begin = result.nodes_.size();
    result.nodes_.resize(begin + count);
    result.leaves_.resize(begin + count);
    return static_cast<std::uint32_t>(begin);
  }

  // Returns the depth of what was copied.
  std::uint32_t copy(const Node& from, std::uint32_t to) {
    if (from.is_leaf()) {
      result.nodes_[to] = {to, 0, std::numeric_limits<Code>::max()};
      result.leaves_[to] = {first[from.leaf_id()], second.empty() ? 0 : second[from.leaf_id()]};
      return 0;
    }
    const std::uint32_t left = add_nodes(2);
    const auto slot = static_cast<std::uint16_t>(slots[from.split_feature()] | (from.feature & Node::kMissingRight));
    result.nodes_[to] = {left, slot, from.cut};
    const auto child = static_cast<std::size_t>(from.left);
    const std::uint32_t depth = copy(skip_decided(child), left);
    return 1 + std::max(depth, copy(skip_decided(child + 1), left + 1));
  }
};

ShrunkForest::ShrunkForest(const Source& source, std::span<const Code> codes, std::span<const std::size_t> changed,
                           std::span<const Interval> ranges) {
  std::vector<std::uint16_t> slots(codes.size(), Shrinking::kFixed);
  std::vector<Interval> sides;
  for (const Code code : codes) sides.push_back({code, code});
  for (std::size_t slot = 0; slot < changed.size(); ++slot) {
    slots[changed[slot]] = static_cast<std::uint16_t>(slot);
    sides[changed[slot]] = ranges.empty() ? Interval{kMissing, kTop} : ranges[slot];
  }
  for (std::size_t tree = 0; tree < source.trees.size(); ++tree) {
    Shrinking shrinking{*this, source.trees[tree], source.first[tree],
                        source.second.empty() ? std::span<const Fixed>() : source.second[tree], sides, slots};
    const std::uint32_t root = shrinking.add_nodes(1);
    const std::uint32_t depth = shrinking.copy(shrinking.skip_decided(0), root);
    if (depth > 0)
      trees_.push_back({root, depth});
    else
      add(constant_, leaves_[root]);
  }
  std::stable_sort(trees_.begin(), trees_.end(),
                   [](const SmallTree& one, const SmallTree& other) { return one.depth > other.depth; });
}

// A few trees of like depth step down together, without a branch to mispredict.
LeafSums ShrunkForest::sums(std::span<const Code> codes) const {
  constexpr std::size_t kTogether = 8;
  LeafSums sums = constant_;
  for (std::size_t first = 0; first < trees_.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, trees_.size() - first);
    std::array<std::uint32_t, kTogether> at{};
    for (std::size_t i = 0; i < count; ++i) at[i] = trees_[first + i].root;
    for (std::uint32_t level = 0; level < trees_[first].depth; ++level)
      for (std::size_t i = 0; i < kTogether; ++i) at[i] = nodes_[at[i]].next(codes);
    for (std::size_t i = 0; i < count; ++i) add(sums, leaves_[at[i]]);
  }
  return sums;
}

}  // namespace cfrules
