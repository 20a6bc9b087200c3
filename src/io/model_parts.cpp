#include "io/model_parts.h"

#include <algorithm>
#include <limits>

#include "io/number_array.h"

namespace cfrules {
namespace {

bool codes_are_bytes(const Grid& grid) {
  for (std::size_t feature = 0; feature < grid.features(); ++feature)
    if (grid.last_code(feature) > std::numeric_limits<std::uint8_t>::max()) return false;
  return true;
}

template <class Codes>
auto block_of(Codes& codes, std::size_t rows, std::size_t features, std::size_t block) {
  const std::size_t begin = block * kRowsPerBlock;
  return std::span(codes).subspan(begin * features, std::min(kRowsPerBlock, rows - begin) * features);
}

void write_nodes(ByteWriter& out, const std::vector<Node>& nodes) {
  const std::span<const Node> all(nodes);
  out.converted<std::int32_t>(all, [](const Node& node) { return node.left; });
  out.converted<std::uint16_t>(all, [](const Node& node) { return node.feature; });
  out.converted<std::uint16_t>(all, [](const Node& node) { return node.cut; });
}

std::vector<Node> read_nodes(ByteReader& in, std::uint64_t count) {
  const auto left = in.array<std::int32_t>(count);
  const auto feature = in.array<std::uint16_t>(count);
  const auto cut = in.array<std::uint16_t>(count);
  std::vector<Node> nodes(left.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) nodes[node] = {left[node], feature[node], cut[node]};
  return nodes;
}

// Where the rows of each split's left child end; with the root's rows that gives everybody's.
std::vector<std::uint32_t> middles_of(const Tree& tree) {
  std::vector<std::uint32_t> middles;
  middles.reserve(tree.leaves());
  for (const Node& node : tree.nodes)
    if (!node.is_leaf()) middles.push_back(tree.node_rows[static_cast<std::size_t>(node.left)].end);
  return middles;
}

std::vector<RowRange> ranges_of(const Tree& tree, const std::vector<std::uint32_t>& middles, const TreeChecker& checker,
                                std::size_t index) {
  std::vector<RowRange> ranges(tree.nodes.size());
  ranges[0] = {0, static_cast<std::uint32_t>(tree.rows.size())};
  auto next = middles.begin();
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].is_leaf()) continue;
    const auto [begin, end] = ranges[node];
    const std::uint32_t middle = *next++;
    if (middle < begin || middle > end) checker.fail(index, node, "divides its rows outside their range");
    ranges[static_cast<std::size_t>(tree.nodes[node].left)] = {begin, middle};
    ranges[static_cast<std::size_t>(tree.nodes[node].left) + 1] = {middle, end};
  }
  return ranges;
}

}  // namespace

void write_grid(ByteWriter& out, const Grid& grid) {
  for (std::size_t feature = 0; feature < grid.features(); ++feature) {
    const Axis& axis = grid.axis(feature);
    out.number(std::uint64_t{axis.cuts.size()});
    out.number(std::uint64_t{axis.position.size()});
    write_numbers(out, axis.cuts);
    out.array(std::span(axis.position));
  }
}

Grid read_grid(ByteReader& in, std::size_t features) {
  std::vector<Axis> axes;
  for (std::size_t feature = 0; feature < features; ++feature) {
    Axis& axis = axes.emplace_back();
    const auto cuts = in.number<std::uint64_t>();
    const auto places = in.number<std::uint64_t>();
    axis.cuts = read_numbers(in, cuts);
    axis.position = in.array<std::uint32_t>(places);
  }
  in.expect_end();
  return Grid(std::move(axes));
}

void write_codes(ByteWriter& out, const CodeMatrix& codes, std::size_t block, const Grid& grid) {
  const std::span<const Code> part = block_of(codes.codes, codes.rows, codes.features, block);
  if (codes_are_bytes(grid))
    out.converted<std::uint8_t>(part, [](Code code) { return code; });
  else
    out.array(part);
}

void read_codes(ByteReader& in, CodeMatrix& codes, std::size_t block, const Grid& grid) {
  const std::span<Code> part = block_of(codes.codes, codes.rows, codes.features, block);
  if (codes_are_bytes(grid))
    in.fill<Code, std::uint8_t>(part, [](std::uint8_t code) { return Code{code}; });
  else
    in.fill<Code, Code>(part, [](Code code) { return code; });
  in.expect_end();
}

void write_tree(ByteWriter& out, const Tree& tree, std::size_t rows) {
  out.number(std::uint64_t{tree.nodes.size()});
  out.number(std::uint64_t{tree.rows.size()});
  write_nodes(out, tree.nodes);
  write_numbers(out, tree.leaf_values);
  if (rows == 0) return;
  write_indexes(out, tree.rows, rows);
  write_indexes(out, middles_of(tree), std::uint64_t{tree.rows.size()} + 1);
}

Tree read_tree(ByteReader& in, TreeChecker& checker, std::size_t index, std::size_t rows, std::size_t outputs) {
  const auto nodes = in.number<std::uint64_t>();
  const auto row_count = in.number<std::uint64_t>();
  if (row_count > rows) checker.fail(index, "has more rows than the table");
  Tree tree;
  tree.nodes = read_nodes(in, nodes);
  checker.check_nodes(index, tree.nodes);
  if (tree.leaves() > in.left() / outputs) in.fail("ends too early");
  tree.leaf_values = read_numbers(in, std::uint64_t{tree.leaves()} * outputs);
  if (rows > 0) {
    tree.rows = read_indexes(in, row_count, rows);
    tree.node_rows = ranges_of(tree, read_indexes(in, tree.leaves() - 1, row_count + 1), checker, index);
  }
  in.expect_end();
  checker.check_contents(index, tree);
  return tree;
}

}  // namespace cfrules
