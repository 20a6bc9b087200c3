#include "support/hand_forest.h"

#include <algorithm>
#include <numeric>

#include "forest/row_order.h"

namespace cfrules::test {

namespace {

void collect_cuts(const Sketch& sketch, std::vector<Axis>& axes) {
  if (sketch.children.empty()) return;
  axes[sketch.feature].cuts.push_back(sketch.threshold);
  for (const Sketch& child : sketch.children) collect_cuts(child, axes);
}

void copy(const Sketch& sketch, std::size_t at, const Grid& grid, Tree& tree) {
  if (sketch.children.empty()) {
    tree.nodes[at].left = ~static_cast<std::int32_t>(tree.leaf_values.size() / sketch.says.size());
    tree.leaf_values.insert(tree.leaf_values.end(), sketch.says.begin(), sketch.says.end());
    return;
  }
  const std::size_t left = tree.nodes.size();
  const std::uint16_t flag = sketch.missing_right ? Node::kMissingRight : 0;
  tree.nodes[at] = {static_cast<std::int32_t>(left), static_cast<std::uint16_t>(sketch.feature | flag),
                    grid.code_of_position(sketch.feature, sketch.threshold)};
  tree.nodes.resize(left + 2);
  copy(sketch.children[0], left, grid, tree);
  copy(sketch.children[1], left + 1, grid, tree);
}

}  // namespace

Sketch leaf(std::vector<double> says) { return {0, 0, false, {}, std::move(says)}; }

Sketch split(std::size_t feature, double threshold, Sketch left, Sketch right) {
  return {feature, threshold, false, {std::move(left), std::move(right)}, {}};
}

Table table_of(const std::vector<std::vector<double>>& rows) {
  Schema schema;
  std::vector<std::vector<double>> columns(rows.front().size());
  for (std::size_t feature = 0; feature < columns.size(); ++feature) {
    schema.push_back({std::string("x").append(std::to_string(feature)), Kind::number, {}});
    for (const std::vector<double>& row : rows) columns[feature].push_back(row[feature]);
  }
  return {std::move(schema), std::move(columns)};
}

Grid grid_of(std::size_t features, const std::vector<Sketch>& sketches) {
  std::vector<Axis> axes(features);
  for (const Sketch& sketch : sketches) collect_cuts(sketch, axes);
  for (Axis& axis : axes) {
    std::sort(axis.cuts.begin(), axis.cuts.end());
    axis.cuts.erase(std::unique(axis.cuts.begin(), axis.cuts.end()), axis.cuts.end());
  }
  return Grid(std::move(axes));
}

Forest forest_of(const std::vector<Sketch>& sketches, const Grid& grid, const CodeMatrix& codes) {
  Forest forest;
  forest.features = grid.features();
  forest.split_counts.resize(forest.features);
  std::vector<std::vector<Code>> columns(codes.features);
  for (std::size_t row = 0; row < codes.rows; ++row)
    for (std::size_t feature = 0; feature < codes.features; ++feature)
      columns[feature].push_back(codes.at(row, feature));
  for (const Sketch& sketch : sketches) {
    Tree tree;
    tree.nodes.resize(1);
    copy(sketch, 0, grid, tree);
    std::vector<std::uint32_t> rows(codes.rows);
    std::iota(rows.begin(), rows.end(), 0u);
    RowOrder order = order_rows(tree.nodes, columns, std::move(rows));
    tree.rows = std::move(order.rows);
    tree.node_rows = std::move(order.node_rows);
    for (const Node& node : tree.nodes)
      if (!node.is_leaf()) ++forest.split_counts[node.split_feature()];
    forest.outputs = tree.leaf_values.size() / tree.leaves();
    forest.trees.push_back(std::move(tree));
  }
  return forest;
}

}  // namespace cfrules::test
