// A tree and a forest as plain frozen data. Codes in, leaves out; nothing here knows how they were grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.h"
#include "cfrules/code.h"

namespace cfrules {

// A split sends codes <= cut left and the others right. Children stand side by side and after their parent.
struct Node {
  std::int32_t left = -1;     // index of the left child, the right one is left + 1; a leaf holds ~leaf_id here
  std::uint16_t feature = 0;  // top bit: missing (code 0) goes right at this split (imported forests only)
  Code cut = 0;

  static constexpr std::uint16_t kMissingRight = 0x8000;

  [[nodiscard]] bool is_leaf() const { return left < 0; }
  [[nodiscard]] std::size_t leaf_id() const { return static_cast<std::size_t>(~left); }
  [[nodiscard]] std::size_t split_feature() const { return feature & ~kMissingRight & 0xFFFF; }
  [[nodiscard]] bool missing_right() const { return (feature & kMissingRight) != 0; }
  [[nodiscard]] bool goes_left(Code code) const { return code <= cut && !(code == kMissing && missing_right()); }
};

// The same in half the bytes, for trees that fit: whoever walks through much of a large forest waits for memory. Speaks as
// Node does.
struct SmallNode {
  static constexpr std::uint8_t kLeaf = 0xFF;

  std::uint16_t left = 0;  // index of the left child; of a leaf its number
  std::uint8_t feature = kLeaf;
  std::uint8_t cut = 0;

  [[nodiscard]] bool is_leaf() const { return feature == kLeaf; }
  [[nodiscard]] std::size_t leaf_id() const { return left; }
  [[nodiscard]] std::size_t split_feature() const { return feature; }
  [[nodiscard]] static bool missing_right() { return false; }
  [[nodiscard]] bool goes_left(Code code) const { return code <= cut; }
};

using SmallTrees = std::vector<std::vector<SmallNode>>;

struct RowRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Tree {
  std::vector<Node> nodes;           // node 0 is the root
  std::vector<double> leaf_values;   // leaves x outputs: class shares, or the mean outcome
  std::vector<std::uint32_t> rows;   // estimation rows, ordered so that every node's rows are one range
  std::vector<RowRange> node_rows;   // per node, into rows

  [[nodiscard]] std::size_t leaves() const { return (nodes.size() + 1) / 2; }
  [[nodiscard]] std::size_t leaf_of(std::span<const Code> codes) const {
    std::size_t node = 0;
    while (!nodes[node].is_leaf())
      node = static_cast<std::size_t>(nodes[node].left) + (nodes[node].goes_left(codes[nodes[node].split_feature()]) ? 0 : 1);
    return nodes[node].leaf_id();
  }
};

struct Forest {
  std::vector<Tree> trees;
  std::size_t features = 0;
  std::size_t outputs = 0;              // classes, or 1 for a numeric outcome
  std::vector<double> importance;       // per feature: impurity removed by its splits, weighted by rows; sums to 1 (or 0)
  std::vector<double> split_counts;     // per feature: how many splits use it
  SmallTrees small_trees = {};          // the trees once more, where somebody made them (small_nodes.h) and they fit
};

// What the leaves of a tree may say; a little room for rounding.
struct LeafRange {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};
inline constexpr LeafRange kLeafShares{-1e-9, 1 + 1e-9};
inline constexpr LeafRange kLeafNumbers{-limits::kOutcome, limits::kOutcome};
inline constexpr LeafRange kLeafPaths{0, limits::kIsolationPath};

// Codes of all rows, row by row.
struct CodeMatrix {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::vector<Code> codes;

  [[nodiscard]] std::span<const Code> row(std::size_t index) const { return {codes.data() + index * features, features}; }
  [[nodiscard]] Code at(std::size_t row, std::size_t feature) const { return codes[row * features + feature]; }
};

}  // namespace cfrules
