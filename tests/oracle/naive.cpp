#include "oracle/naive.h"

#include <algorithm>
#include <cmath>

namespace cfrules::naive {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double just_above(double value) { return std::nextafter(value, kInfinity); }

double threshold_of(const Grid& grid, std::size_t feature, Code cut) {
  return cut == 0 ? -kInfinity : grid.axis(feature).cuts.at(cut - 1u);
}

Tree tree_of(const cfrules::Tree& tree, const Grid& grid, std::size_t outputs) {
  Tree twin;
  for (const cfrules::Node& node : tree.nodes) {
    Node copy;
    copy.leaf = node.is_leaf();
    if (copy.leaf) {
      const auto begin = tree.leaf_values.begin() + static_cast<std::ptrdiff_t>(node.leaf_id() * outputs);
      copy.says.assign(begin, begin + static_cast<std::ptrdiff_t>(outputs));
    } else {
      copy.feature = node.split_feature();
      copy.threshold = threshold_of(grid, copy.feature, node.cut);
      copy.left = static_cast<std::size_t>(node.left);
      copy.right = copy.left + 1;
    }
    twin.nodes.push_back(copy);
  }
  twin.rows.assign(tree.rows.begin(), tree.rows.end());
  std::sort(twin.rows.begin(), twin.rows.end());
  return twin;
}

// One level of the walk: the nodes it stands on (leaves stay) and the box of all bounds met before.
struct Level {
  std::vector<std::size_t> nodes;
  Box box;
};

void step(const Node& node, std::size_t index, const Side& side, Level& next) {
  if (node.leaf) {
    next.nodes.push_back(index);
    return;
  }
  Side& bound = next.box[node.feature];
  if (side.high <= node.threshold) {
    bound.high = std::min(bound.high, node.threshold);
    next.nodes.push_back(node.left);
  } else if (side.low > node.threshold) {
    bound.low = std::max(bound.low, just_above(node.threshold));
    next.nodes.push_back(node.right);
  } else {
    next.nodes.push_back(node.left);
    next.nodes.push_back(node.right);
  }
}

std::vector<Level> levels_of(const Tree& tree, const Box& region) {
  std::vector<Level> levels{{{0}, Box(region.size())}};
  const auto is_leaf = [&](std::size_t node) { return tree.nodes[node].leaf; };
  while (!std::all_of(levels.back().nodes.begin(), levels.back().nodes.end(), is_leaf)) {
    Level next{{}, levels.back().box};
    for (const std::size_t index : levels.back().nodes)
      step(tree.nodes[index], index, region[tree.nodes[index].feature], next);
    levels.push_back(next);
  }
  return levels;
}

bool passes(const Tree& tree, const std::vector<double>& point, const std::vector<std::size_t>& nodes) {
  for (std::size_t at = 0;;) {
    if (std::find(nodes.begin(), nodes.end(), at) != nodes.end()) return true;
    const Node& node = tree.nodes[at];
    if (node.leaf) return false;
    at = point[node.feature] <= node.threshold ? node.left : node.right;
  }
}

bool contains(const Box& box, const std::vector<double>& point) {
  for (std::size_t feature = 0; feature < box.size(); ++feature)
    if (!box[feature].contains(point[feature])) return false;
  return true;
}

bool in_ranges(const Region& region, const std::vector<double>& point) {
  for (std::size_t feature = 0; feature < point.size(); ++feature)
    if (region.range[feature] && !region.sides[feature].contains(point[feature])) return false;
  return true;
}

double normal_below(double z) { return 0.5 + 0.5 * std::erf(z / std::sqrt(2.0)); }

double interval_chance(const std::vector<std::vector<double>>& votes, const Target& target, double kappa) {
  double mean = 0;
  for (const auto& vote : votes) mean += vote[0] / static_cast<double>(votes.size());
  double variance = 0;
  for (const auto& vote : votes) variance += (vote[0] - mean) * (vote[0] - mean) / static_cast<double>(votes.size());
  const double spread = kappa * std::sqrt(variance);
  if (spread <= 1e-9) return target.low() - 1e-9 <= mean && mean <= target.high() + 1e-9 ? 1 : 0;
  return normal_below((target.high() - mean) / spread) - normal_below((target.low() - mean) / spread);
}

}  // namespace

Forest::Forest(const cfrules::Forest& forest, const Grid& grid, const Table& table, std::span<const double> weights)
    : grid_(grid), weights_(weights.begin(), weights.end()) {
  for (std::size_t row = 0; row < table.rows(); ++row) rows_.push_back(point(table.row(row)));
  for (const cfrules::Tree& tree : forest.trees) trees_.push_back(tree_of(tree, grid, forest.outputs));
}

std::vector<double> Forest::point(std::span<const double> values) const {
  std::vector<double> point;
  for (std::size_t feature = 0; feature < values.size(); ++feature) {
    const auto& order = grid_.axis(feature).position;
    const double value = values[feature];
    if (std::isnan(value))
      point.push_back(-kInfinity);
    else
      point.push_back(order.empty() ? value : order[static_cast<std::size_t>(value)]);
  }
  return point;
}

Side Forest::side(std::size_t feature, Interval codes) const {
  const std::vector<double>& cuts = grid_.axis(feature).cuts;
  Side side;
  if (codes.low > 0) side.low = just_above(codes.low == 1 ? -kInfinity : cuts.at(codes.low - 2u));
  if (codes.high == 0) side.high = -kInfinity;
  if (codes.high > 0 && codes.high <= cuts.size()) side.high = cuts[codes.high - 1u];
  return side;
}

Region Forest::region(const cfrules::Region& region) const {
  Region twin;
  for (std::size_t feature = 0; feature < region.features(); ++feature) {
    twin.sides.push_back(side(feature, region.side(feature)));
    twin.range.push_back(region.role(feature) == Role::range);
  }
  return twin;
}

std::vector<std::size_t> Forest::rows_of_level(const Tree& tree, const Question& question, std::size_t level) const {
  const Level here = levels_of(tree, question.region.sides)[level];
  std::vector<std::size_t> kept;
  for (const std::size_t row : tree.rows) {
    bool keep = contains(here.box, rows_[row]);
    if (question.estimator == Estimator::leaf_union) keep = passes(tree, rows_[row], here.nodes);
    if (question.estimator == Estimator::inside) keep = keep && in_ranges(question.region, rows_[row]);
    if (keep) kept.push_back(row);
  }
  return kept;
}

std::vector<std::size_t> Forest::cell(std::size_t tree, const Question& question) const {
  const std::size_t wanted = std::max<std::size_t>(1, question.min_rows);
  for (std::size_t level = levels_of(trees_[tree], question.region.sides).size(); level-- > 0;) {
    std::vector<std::size_t> rows = rows_of_level(trees_[tree], question, level);
    if (rows.size() >= wanted) return rows;
    if (level > 0) continue;
    if (!rows.empty() || question.estimator != Estimator::inside) return rows;
  }
  return cell(tree, {question.region, Estimator::paper, question.min_rows});
}

double Forest::probability(const Question& question, std::span<const std::uint8_t> hits) const {
  const std::vector<double> shares = row_weights(question);
  double sum = 0;
  for (std::size_t row = 0; row < shares.size(); ++row)
    if (hits[row] != 0) sum += shares[row];
  return sum;
}

std::vector<double> Forest::row_weights(const Question& question) const {
  std::vector<std::vector<double>> by_tree;
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    std::vector<double> shares(rows_.size(), 0.0);
    double all = 0;
    const std::vector<std::size_t> rows = cell(tree, question);
    for (const std::size_t each : rows) all += weight(each);
    if (all <= 0) continue;
    for (const std::size_t each : rows) shares[each] = weight(each) / all;
    by_tree.push_back(shares);
  }
  std::vector<double> mean(rows_.size(), 0.0);
  for (const auto& shares : by_tree)
    for (std::size_t each = 0; each < mean.size(); ++each)
      mean[each] += shares[each] / static_cast<double>(by_tree.size());
  return mean;
}

std::vector<std::vector<double>> Forest::votes(const std::vector<double>& point) const {
  std::vector<std::vector<double>> votes;
  for (const Tree& tree : trees_) {
    std::size_t at = 0;
    while (!tree.nodes[at].leaf)
      at = point[tree.nodes[at].feature] <= tree.nodes[at].threshold ? tree.nodes[at].left : tree.nodes[at].right;
    votes.push_back(tree.nodes[at].says);
  }
  return votes;
}

Reading read(const std::vector<std::vector<double>>& votes, const Target& target, const CalibrationMap& map) {
  Reading reading;
  if (target.numeric()) {
    reading.raw = interval_chance(votes, target, map.kappa());
  } else {
    for (const auto& vote : votes)
      for (std::size_t label = 0; label < vote.size(); ++label)
        if (target.contains(static_cast<double>(label))) reading.raw += vote[label] / static_cast<double>(votes.size());
  }
  // Platt's map on the logit of the raw share, drawn in from 0 and 1 by 0.002.
  const double inner = 0.002 + 0.996 * reading.raw;
  const double odds = std::exp(map.intercept()) * std::pow(inner / (1 - inner), map.slope());
  reading.probability = map.is_identity() ? reading.raw : odds / (1 + odds);
  return reading;
}

}  // namespace cfrules::naive
