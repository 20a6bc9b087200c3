#include "forest/forest_import.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

#include "base/limits.h"
#include "base/parallel.h"
#include "cfrules/error.h"
#include "forest/forest_import_checks.h"
#include "forest/row_order.h"

namespace cfrules {
namespace {

using CodeColumns = std::vector<std::vector<Code>>;

Grid grid_of_thresholds(const std::vector<ImportedTree>& trees, const Grid& category_order) {
  std::vector<Axis> axes(category_order.features());
  for (const ImportedTree& tree : trees)
    for (std::size_t node = 0; node < tree.left.size(); ++node)
      if (tree.left[node] >= 0) axes[static_cast<std::size_t>(tree.feature[node])].cuts.push_back(tree.threshold[node]);
  for (std::size_t feature = 0; feature < axes.size(); ++feature) {
    std::vector<double>& cuts = axes[feature].cuts;
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    axes[feature].position = category_order.axis(feature).position;
    if (cuts.size() > limits::kCuts.most)
      throw InputError("the forest to import splits feature " + std::to_string(feature) + " at " +
                       std::to_string(cuts.size()) + " distinct thresholds; at most " +
                       std::to_string(limits::kCuts.most) + " are possible");
  }
  return Grid(std::move(axes));
}

CodeColumns code_columns(const Grid& grid, const Table& table, const Run& run) {
  CodeColumns columns(table.features());
  parallel_for(columns.size(), {run.threads, run.stop, {}}, [&](std::size_t feature) {
    columns[feature].reserve(table.rows());
    for (const double value : table.column(feature)) columns[feature].push_back(grid.code(feature, value));
  });
  return columns;
}

// Depth first, left before right, siblings side by side; leaves are numbered from left to right, as in trained trees.
struct LaidTree {
  std::vector<Node> nodes;
  std::vector<std::size_t> origin;  // per node: its index in the imported tree
};

LaidTree lay_out(const ImportedTree& tree, const Grid& grid) {
  LaidTree laid{{Node{}}, {0}};
  std::vector<std::size_t> pending{0};
  std::int32_t leaves = 0;
  while (!pending.empty()) {
    const std::size_t here = pending.back();
    pending.pop_back();
    const std::size_t from = laid.origin[here];
    if (tree.left[from] < 0) {
      laid.nodes[here].left = ~leaves++;
      continue;
    }
    const auto feature = static_cast<std::size_t>(tree.feature[from]);
    const bool missing_right = !tree.missing_left.empty() && !tree.missing_left[from];
    const std::size_t left = laid.nodes.size();
    laid.nodes[here] = {static_cast<std::int32_t>(left),
                        static_cast<std::uint16_t>(feature | (missing_right ? Node::kMissingRight : 0u)),
                        grid.code_of_position(feature, tree.threshold[from])};
    laid.nodes.resize(left + 2);
    laid.origin.push_back(static_cast<std::size_t>(tree.left[from]));
    laid.origin.push_back(static_cast<std::size_t>(tree.right[from]));
    pending.push_back(left + 1);
    pending.push_back(left);
  }
  return laid;
}

// What the rows of each node say: weight, and weight of each class or weighted sum of the outcome.
class NodeSums {
 public:
  NodeSums(const Tree& tree, const Outcome& outcome, std::span<const double> weights)
      : outputs_(outcome.numeric() ? 1 : outcome.classes.size()),
        weight_(tree.nodes.size()),
        sums_(tree.nodes.size() * outputs_) {
    for (std::size_t node = tree.nodes.size(); node-- > 0;) {  // children before their parents
      if (tree.nodes[node].is_leaf())
        add_rows(node, tree, outcome, weights);
      else
        add_children(node, static_cast<std::size_t>(tree.nodes[node].left));
    }
  }

  [[nodiscard]] bool empty(std::size_t node) const { return !(weight_[node] > 0); }
  [[nodiscard]] double mean(std::size_t node, std::size_t output) const {
    return sums_[node * outputs_ + output] / weight_[node];
  }
  // Impurity decrease times weight.
  [[nodiscard]] double decrease(std::size_t node, std::size_t left) const {
    if (empty(left) || empty(left + 1)) return 0;
    return std::max(0.0, outputs_ == 1 ? variance_decrease(left) : score(left) + score(left + 1) - score(node));
  }

 private:
  void add_rows(std::size_t node, const Tree& tree, const Outcome& outcome, std::span<const double> weights) {
    for (std::size_t i = tree.node_rows[node].begin; i < tree.node_rows[node].end; ++i) {
      const std::size_t row = tree.rows[i];
      const double weight = weights.empty() ? 1.0 : weights[row];
      weight_[node] += weight;
      if (outcome.numeric())
        sums_[node] += weight * outcome.values[row];
      else
        sums_[node * outputs_ + static_cast<std::size_t>(outcome.values[row])] += weight;
    }
  }

  void add_children(std::size_t node, std::size_t left) {
    weight_[node] = weight_[left] + weight_[left + 1];
    for (std::size_t c = 0; c < outputs_; ++c)
      sums_[node * outputs_ + c] = sums_[left * outputs_ + c] + sums_[(left + 1) * outputs_ + c];
  }

  [[nodiscard]] double score(std::size_t node) const {
    double squares = 0;
    for (std::size_t c = 0; c < outputs_; ++c) squares += sums_[node * outputs_ + c] * sums_[node * outputs_ + c];
    return squares / weight_[node];
  }
  // By the difference of means, so that a large common offset costs no precision.
  [[nodiscard]] double variance_decrease(std::size_t left) const {
    const double difference = mean(left, 0) - mean(left + 1, 0);
    return weight_[left] * weight_[left + 1] / (weight_[left] + weight_[left + 1]) * difference * difference;
  }

  std::size_t outputs_;
  std::vector<double> weight_;
  std::vector<double> sums_;  // nodes x outputs
};

std::vector<double> values_of_rows(const Tree& tree, const NodeSums& sums, std::size_t outputs) {
  std::vector<double> values(tree.leaves() * outputs);
  std::vector<std::size_t> speaks(tree.nodes.size());  // per node: itself or its nearest ancestor with rows
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!sums.empty(node)) speaks[node] = node;
    if (tree.nodes[node].is_leaf()) {
      for (std::size_t c = 0; c < outputs; ++c)
        values[tree.nodes[node].leaf_id() * outputs + c] = sums.mean(speaks[node], c);
      continue;
    }
    const auto left = static_cast<std::size_t>(tree.nodes[node].left);
    speaks[left] = speaks[left + 1] = speaks[node];
  }
  return values;
}

std::vector<double> given_values(const ImportedTree& imported, const LaidTree& laid, std::size_t outputs) {
  std::vector<double> values((laid.nodes.size() + 1) / 2 * outputs);
  for (std::size_t node = 0; node < laid.nodes.size(); ++node)
    if (laid.nodes[node].is_leaf())
      std::copy_n(imported.value[laid.origin[node]].begin(), outputs,
                  values.begin() + static_cast<std::ptrdiff_t>(laid.nodes[node].leaf_id() * outputs));
  return values;
}

void check_rows(const Table& table, const Outcome& outcome, std::span<const double> weights) {
  if (outcome.rows() != table.rows() || (!weights.empty() && weights.size() != table.rows()))
    throw InputError("the table given with the forest has " + std::to_string(table.rows()) + " rows but " +
                     std::to_string(outcome.rows()) + " outcomes and " + std::to_string(weights.size()) +
                     " weights; there must be one outcome per row, and as many weights or none");
  const auto counts = [](double weight) { return weight > 0; };
  if (table.rows() == 0 || (!weights.empty() && std::none_of(weights.begin(), weights.end(), counts)))
    throw InputError("the table given with the forest has no rows with weight; at least one is needed");
}

void add_importance(const Tree& tree, const NodeSums& sums, Forest& forest) {
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].is_leaf()) continue;
    const std::size_t feature = tree.nodes[node].split_feature();
    forest.importance[feature] += sums.decrease(node, static_cast<std::size_t>(tree.nodes[node].left));
    ++forest.split_counts[feature];
  }
}

void normalise(std::vector<double>& importance) {
  const double sum = std::accumulate(importance.begin(), importance.end(), 0.0);
  if (!(sum > 0)) return;
  for (double& share : importance) share /= sum;
}

}  // namespace

ImportedForest import_forest(const std::vector<ImportedTree>& trees, const Table& table, const Outcome& outcome,
                             std::span<const double> weights, const Grid& category_order, const Run& run) {
  assert(category_order.features() == table.features());
  const std::size_t outputs = outcome.numeric() ? 1 : outcome.classes.size();
  check_rows(table, outcome, weights);
  check_imported(trees, table.features(), outcome);
  ImportedForest result{grid_of_thresholds(trees, category_order), {}};
  const std::vector<double> zeros(table.features());
  result.forest = {{}, table.features(), outputs, zeros, zeros};
  const CodeColumns columns = code_columns(result.grid, table, run);
  std::vector<std::uint32_t> all_rows(table.rows());
  std::iota(all_rows.begin(), all_rows.end(), 0u);
  for (const ImportedTree& imported : trees) {
    check_stop(run);
    const LaidTree laid = lay_out(imported, result.grid);
    RowOrder order = order_rows(laid.nodes, columns, all_rows);
    Tree tree{laid.nodes, {}, std::move(order.rows), std::move(order.node_rows)};
    const NodeSums sums(tree, outcome, weights);
    tree.leaf_values =
        imported.value.empty() ? values_of_rows(tree, sums, outputs) : given_values(imported, laid, outputs);
    add_importance(tree, sums, result.forest);
    result.forest.trees.push_back(std::move(tree));
  }
  normalise(result.forest.importance);
  return result;
}

}  // namespace cfrules
