#include "io/tree_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/decimal.h"
#include "base/limits.h"
#include "io/byte_reader.h"

namespace cfrules {

TreeChecker::TreeChecker(const Kind& kind, const Grid& grid)
    : name_(kind.name), rows_(kind.rows), outputs_(kind.outputs), leaves_(kind.leaves) {
  for (std::size_t feature = 0; feature < grid.features(); ++feature) last_codes_.push_back(grid.last_code(feature));
}

void TreeChecker::fail(std::size_t index, const std::string& what) const {
  throw Flaw(name_ + " " + std::to_string(index) + " " + what);
}

void TreeChecker::fail(std::size_t index, std::size_t node, const std::string& what) const {
  throw Flaw(name_ + " " + std::to_string(index) + ", node " + std::to_string(node) + " " + what);
}

void TreeChecker::check_nodes(std::size_t index, const std::vector<Node>& nodes) {
  if (nodes.size() % 2 == 0 || nodes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    fail(index, "has " + std::to_string(nodes.size()) + " nodes; it must be an odd number below 2^31");
  depth_.assign(nodes.size(), 0);
  leaf_met_.assign((nodes.size() + 1) / 2, 0);
  depth_[0] = 1;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (depth_[node] == 0) fail(index, node, "has no parent before it");
    nodes[node].is_leaf() ? check_leaf(index, node, nodes) : check_split(index, node, nodes);
  }
}

void TreeChecker::check_split(std::size_t index, std::size_t node, const std::vector<Node>& nodes) {
  const auto left = static_cast<std::size_t>(nodes[node].left);
  if (left <= node || left + 1 >= nodes.size())
    fail(index, node,
         "has its children at " + std::to_string(left) + "; they must stand after it, below " +
             std::to_string(nodes.size()));
  if (depth_[left] != 0 || depth_[left + 1] != 0) fail(index, node, "has a child that has another parent");
  depth_[left] = depth_[left + 1] = depth_[node] + 1;
  if (depth_[left] > limits::kDepth.most)
    fail(index, node, "lies too deep; trees may be " + std::to_string(limits::kDepth.most) + " nodes deep");
  const std::size_t feature = nodes[node].split_feature();
  if (feature >= last_codes_.size())
    fail(index, node, "splits feature " + std::to_string(feature) + " of " + std::to_string(last_codes_.size()));
  if (nodes[node].cut >= last_codes_[feature])
    fail(index, node,
         "cuts after code " + std::to_string(nodes[node].cut) + " of feature " + std::to_string(feature) +
             ", whose last code is " + std::to_string(last_codes_[feature]));
}

void TreeChecker::check_leaf(std::size_t index, std::size_t node, const std::vector<Node>& nodes) {
  const std::size_t leaf = nodes[node].leaf_id();
  if (leaf >= leaf_met_.size() || leaf_met_[leaf] != 0)
    fail(index, node,
         "is leaf " + std::to_string(leaf) + "; leaves are numbered from 0 to " + std::to_string(leaf_met_.size() - 1) +
             ", each once");
  leaf_met_[leaf] = 1;
}

void TreeChecker::check_contents(std::size_t index, const Tree& tree) {
  if (tree.leaf_values.size() / outputs_ != tree.leaves() || tree.leaf_values.size() % outputs_ != 0)
    fail(index, "has " + std::to_string(tree.leaf_values.size()) + " leaf values for " + std::to_string(tree.leaves()) +
                    " leaves of " + std::to_string(outputs_));
  const auto allowed = [this](double value) { return leaves_.contains(value); };
  const auto wrong = std::find_if_not(tree.leaf_values.begin(), tree.leaf_values.end(), allowed);
  if (wrong != tree.leaf_values.end())
    fail(index, "has the leaf value " + shortest_decimal(*wrong) + "; it must lie between " +
                    shortest_decimal(leaves_.low) + " and " + shortest_decimal(leaves_.high));
  check_rows(index, tree.rows);
}

// Two passes without a branch per row are several times faster than one with.
void TreeChecker::check_rows(std::size_t index, const std::vector<std::uint32_t>& rows) {
  std::uint32_t last = 0;
  for (const std::uint32_t row : rows) last = std::max(last, row);
  if (!rows.empty() && last >= rows_) fail(index, "holds row " + std::to_string(last) + " of " + std::to_string(rows_));
  row_met_.assign(rows_ / 64 + 1, 0);
  for (const std::uint32_t row : rows) row_met_[row / 64] |= std::uint64_t{1} << row % 64;
  std::size_t met = 0;
  for (const std::uint64_t bits : row_met_) met += static_cast<std::size_t>(std::popcount(bits));
  if (met != rows.size()) fail(index, "holds a row twice");
}

void TreeChecker::check_ranges(std::size_t index, const Tree& tree) const {
  const auto same = [](RowRange range, std::uint64_t begin, std::uint64_t end) {
    return range.begin == begin && range.end == end && begin <= end;
  };
  const std::vector<RowRange>& ranges = tree.node_rows;
  if (ranges.size() != tree.nodes.size() || !same(ranges[0], 0, tree.rows.size()))
    fail(index, "does not have all its rows at its root");
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].is_leaf()) continue;
    const auto left = static_cast<std::size_t>(tree.nodes[node].left);
    const std::uint32_t middle = ranges[left].end;
    if (!same(ranges[left], ranges[node].begin, middle) || !same(ranges[left + 1], middle, ranges[node].end))
      fail(index, node, "does not hand all its rows to its children");
  }
}

}  // namespace cfrules
