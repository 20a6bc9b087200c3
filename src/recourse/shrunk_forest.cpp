#include "recourse/shrunk_forest.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

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
  const LeafNumbers& source;
  std::size_t index;  // of the tree
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
      const Fixed* const said = source.of(index, from.leaf_id());
      result.leaves_[to] = {said[0], source.channels == 2 ? said[1] : 0};
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

ShrunkForest::ShrunkForest(const LeafNumbers& source, std::span<const Code> codes, std::span<const std::size_t> changed,
                           std::span<const Interval> ranges) {
  std::vector<std::uint16_t> slots(codes.size(), Shrinking::kFixed);
  std::vector<Interval> sides;
  for (const Code code : codes) sides.push_back({code, code});
  for (std::size_t slot = 0; slot < changed.size(); ++slot) {
    slots[changed[slot]] = static_cast<std::uint16_t>(slot);
    sides[changed[slot]] = ranges.empty() ? Interval{kMissing, kTop} : ranges[slot];
  }
  constant_.first = source.sum_everywhere();
  for (std::size_t tree = 0; tree < source.trees.size(); ++tree) {
    Shrinking shrinking{*this, source.trees[tree], source, tree, sides, slots};
    const std::uint32_t root = shrinking.add_nodes(1);
    const std::uint32_t depth = shrinking.copy(shrinking.skip_decided(0), root);
    if (depth > 0)
      trees_.push_back({root, depth});
    else
      add(constant_, leaves_[root]);
  }
  std::stable_sort(trees_.begin(), trees_.end(),
                   [](const SmallTree& one, const SmallTree& other) { return one.depth > other.depth; });
  turn_codes_into_cells(changed.size());
  lay_table(source.channels);
}

void ShrunkForest::turn_codes_into_cells(std::size_t slots) {
  constexpr Code kNoCut = std::numeric_limits<Code>::max();
  std::vector<std::vector<Code>> cell_of(slots, {kMissing});  // per code; kNoCut: does not end a cell
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (is_leaf(node)) continue;
    std::vector<Code>& cells = cell_of[nodes_[node].slot & kSlot];
    if (cells.size() <= nodes_[node].cut) cells.resize(nodes_[node].cut + std::size_t{1}, kNoCut);
    cells[nodes_[node].cut] = 0;
  }
  for (std::vector<Code>& cells : cell_of) {
    std::vector<Code>& cuts = cuts_.emplace_back();
    for (std::size_t code = 0; code < cells.size(); ++code) {
      if (cells[code] == kNoCut) continue;
      cells[code] = static_cast<Code>(cuts.size());
      cuts.push_back(static_cast<Code>(code));
    }
  }
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    if (!is_leaf(node)) nodes_[node].cut = cell_of[nodes_[node].slot & kSlot][nodes_[node].cut];
}

// The leaves of trees that still split, each with the cells that lead to it.
struct ShrunkForest::LeafBoxes {
  const ShrunkForest& forest;
  std::size_t channels;
  std::vector<BoxSide> here;  // per slot: the cells that lead to this node
  std::vector<BoxSide> sides = {};
  std::vector<Fixed> numbers = {};

  void add(std::uint32_t node) {
    if (forest.is_leaf(node)) {
      sides.insert(sides.end(), here.begin(), here.end());
      numbers.push_back(forest.leaves_[node].first);
      if (channels == 2) numbers.push_back(forest.leaves_[node].second);
      return;
    }
    const SmallNode& split = forest.nodes_[node];
    const BoxSide whole = here[split.slot];
    const auto middle = static_cast<std::uint16_t>(split.cut + 1);
    here[split.slot] = {whole.begin, middle};
    add(split.left);
    here[split.slot] = {middle, whole.end};
    add(split.left + 1);
    here[split.slot] = whole;
  }
};

// Unless it would be large: then many leaves say little each, and stepping down is as fast.
void ShrunkForest::lay_table(std::size_t channels) {
  constexpr std::size_t kMostWords = std::size_t{1} << 17;
  std::vector<std::size_t> shape;
  LeafBoxes boxes{*this, channels, {}};
  for (const std::vector<Code>& cuts : cuts_) {
    shape.push_back(cuts.size() + 1);
    boxes.here.push_back({0, static_cast<std::uint16_t>(shape.back())});
  }
  const auto missing_goes_right = [](const SmallNode& node) { return node.slot > kSlot; };
  if (shape.size() > BoxLookup::kMostAxes || BoxLookup::room(shape, nodes_.size() / 2) > kMostWords ||
      std::any_of(nodes_.begin(), nodes_.end(), missing_goes_right))  // whose cells are no interval
    return;
  for (const SmallTree& tree : trees_) boxes.add(tree.root);
  std::vector<std::uint8_t> columns(shape.size());
  std::iota(columns.begin(), columns.end(), std::uint8_t{0});
  table_.emplace(shape, BoxList{boxes.sides, columns.size(), columns}, boxes.numbers, channels);
}

LeafSums ShrunkForest::sums(std::span<const Code> cells) const {
  if (!table_) return step_down(cells);
  LeafSums sums = constant_;
  const BoxLookup::Sums more = table_->at(cells);
  add(sums, {more.first, more.second});
  return sums;
}

// A few trees of like depth step down together, without a branch to mispredict.
LeafSums ShrunkForest::step_down(std::span<const Code> cells) const {
  constexpr std::size_t kTogether = 8;
  LeafSums sums = constant_;
  for (std::size_t first = 0; first < trees_.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, trees_.size() - first);
    std::array<std::uint32_t, kTogether> at{};
    for (std::size_t i = 0; i < count; ++i) at[i] = trees_[first + i].root;
    for (std::uint32_t level = 0; level < trees_[first].depth; ++level)
      for (std::size_t i = 0; i < kTogether; ++i) at[i] = nodes_[at[i]].next(cells);
    for (std::size_t i = 0; i < count; ++i) add(sums, leaves_[at[i]]);
  }
  return sums;
}

}  // namespace cfrules
