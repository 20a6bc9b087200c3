// Sends rows down a tree so that every node's rows are one range: the trainer orders the rows it grows on this way, and
// trained and imported trees their estimation rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"

namespace cfrules {

// Stable, so rows in ascending order stay so on both sides and memory is read forwards. Returns how many went left.
// An entry is a row index or something with a member row; scratch holds as many entries.
template <class Entry, class GoesLeft>
std::size_t partition_rows(std::span<Entry> entries, Entry* scratch, const GoesLeft& goes_left) {
  std::size_t left = 0, right = 0;
  for (const Entry entry : entries) {  // no branch: which way a row goes cannot be predicted
    const bool goes = goes_left(entry);
    entries[left] = entry;
    scratch[right] = entry;
    left += goes;
    right += !goes;
  }
  std::copy_n(scratch, right, entries.begin() + static_cast<std::ptrdiff_t>(left));
  return left;
}

struct RowOrder {
  std::vector<std::uint32_t> rows;  // left to right by leaf, in the given order within a leaf
  std::vector<RowRange> node_rows;  // per node, into rows
};

// columns: one vector of codes per feature.
template <class Columns>
RowOrder order_rows(const std::vector<Node>& nodes, const Columns& columns, std::vector<std::uint32_t> rows) {
  RowOrder order{std::move(rows), std::vector<RowRange>(nodes.size())};
  std::vector<std::uint32_t> scratch(order.rows.size());
  order.node_rows[0] = {0, static_cast<std::uint32_t>(order.rows.size())};
  for (std::size_t index = 0; index < nodes.size(); ++index) {  // children come after their parents
    const Node node = nodes[index];
    if (node.is_leaf()) continue;
    const RowRange range = order.node_rows[index];
    const auto* column = columns[node.split_feature()].data();
    const std::span<std::uint32_t> part(order.rows.data() + range.begin, range.end - range.begin);
    const Code cut = node.cut;
    const std::size_t left =
        node.missing_right()
            ? partition_rows(part, scratch.data(), [=](std::uint32_t row) { return node.goes_left(column[row]); })
            : partition_rows(part, scratch.data(), [=](std::uint32_t row) { return column[row] <= cut; });
    const auto middle = static_cast<std::uint32_t>(range.begin + left);
    order.node_rows[static_cast<std::size_t>(node.left)] = {range.begin, middle};
    order.node_rows[static_cast<std::size_t>(node.left) + 1] = {middle, range.end};
  }
  return order;
}

}  // namespace cfrules
