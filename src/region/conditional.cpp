#include "region/conditional.h"

#include <algorithm>
#include <limits>

#include "region/walk.h"

namespace cfrules {

namespace {

constexpr std::size_t kAlways = std::numeric_limits<std::size_t>::max();

struct Bound {
  std::size_t depth;
  std::size_t feature;
  Interval codes;
  std::size_t other;
};

// Everything the walk says about the cell of one tree.
class CellVisitor {
 public:
  void bound(std::size_t depth, std::size_t feature, Interval codes, std::size_t other) {
    bounds.push_back({depth, feature, codes, other});
  }
  static bool enter(std::size_t /*feature*/, Interval part, const Node& /*node*/, bool /*left*/) { return part.low <= part.high; }
  static void leave(std::size_t /*feature*/) {}
  void leaf(std::size_t node, std::size_t /*depth*/) { leaves.push_back(node); }

  std::vector<Bound> bounds;
  std::vector<std::size_t> leaves;  // node indexes
};

// How deep each row stays in the cell: it belongs to the cells of levels 0 to that depth. kAlways: to all.
// Rows out of the region's ranges (`inside`) belong to none and are left out.
class CellRows {
 public:
  CellRows(const Tree& tree, const CodeMatrix& codes, const Region& region, const CellVisitor& seen, Estimator estimator)
      : tree_(tree), codes_(codes), seen_(seen), estimator_(estimator) {
    if (estimator != Estimator::leaf_union) merge_bounds();
    if (estimator != Estimator::inside) return;
    for (std::size_t feature = 0; feature < region.features(); ++feature)
      if (region.role(feature) == Role::range) ranges_.push_back({0, feature, region.side(feature), 0});
  }

  // The deepest level's rows, found in the leaves reached alone.
  [[nodiscard]] std::vector<std::uint32_t> deepest() const {
    std::vector<std::uint32_t> rows;
    for (const std::size_t leaf : seen_.leaves)
      for (std::uint32_t at = tree_.node_rows[leaf].begin; at < tree_.node_rows[leaf].end; ++at)
        if (in_ranges(tree_.rows[at]) && (estimator_ == Estimator::leaf_union || in_cell(tree_.rows[at])))
          rows.push_back(tree_.rows[at]);
    return rows;
  }

  // The rows of the deepest level that holds at least min_rows, or of the whole tree.
  [[nodiscard]] std::vector<std::uint32_t> back_off(std::size_t min_rows) const {
    const std::vector<std::size_t> depths = estimator_ == Estimator::leaf_union ? depths_by_leaves() : depths_by_bounds();
    std::vector<std::size_t> level_of;  // of the rows in ranges, in the tree's order
    std::vector<std::uint32_t> candidates;
    for (std::size_t at = 0; at < tree_.rows.size(); ++at) {
      if (!in_ranges(tree_.rows[at])) continue;
      candidates.push_back(tree_.rows[at]);
      level_of.push_back(depths[at]);
    }
    std::size_t level = 0;
    if (candidates.size() >= min_rows) {
      std::vector<std::size_t> sorted = level_of;
      std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(min_rows - 1), sorted.end(), std::greater<>());
      level = sorted[min_rows - 1];  // the min_rows-th deepest row: the deepest level that holds that many
    }
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (level_of[i] >= level) rows.push_back(candidates[i]);
    return rows;
  }

 private:
  [[nodiscard]] bool in_ranges(std::uint32_t row) const {
    return std::all_of(ranges_.begin(), ranges_.end(),
                       [&](const Bound& range) { return range.codes.contains(codes_.at(row, range.feature)); });
  }

  // A walk through free features meets hundreds of bounds on a few fixed ones; one interval per depth and feature says
  // the same. Ordered by depth, so that the first one a row breaks is how deep it stays.
  void merge_bounds() {
    std::size_t deepest = 0;
    for (const Bound& bound : seen_.bounds) deepest = std::max(deepest, bound.depth);
    std::vector<std::vector<Bound>> levels(seen_.bounds.empty() ? 0 : deepest + 1);
    for (const Bound& bound : seen_.bounds) intersect(levels[bound.depth], bound);
    for (const std::vector<Bound>& level : levels) {
      merged_.insert(merged_.end(), level.begin(), level.end());
      for (const Bound& bound : level) intersect(cell_, bound);
    }
  }

  static void intersect(std::vector<Bound>& bounds, const Bound& bound) {
    const auto same = [&](const Bound& other) { return other.feature == bound.feature; };
    const auto found = std::find_if(bounds.begin(), bounds.end(), same);
    if (found == bounds.end()) return bounds.push_back(bound);
    found->codes = {std::max(found->codes.low, bound.codes.low), std::min(found->codes.high, bound.codes.high)};
  }

  [[nodiscard]] bool in_cell(std::uint32_t row) const {
    return std::all_of(cell_.begin(), cell_.end(),
                       [&](const Bound& bound) { return bound.codes.contains(codes_.at(row, bound.feature)); });
  }

  [[nodiscard]] std::size_t depth_by_bounds(std::uint32_t row) const {
    for (const Bound& bound : merged_)
      if (!bound.codes.contains(codes_.at(row, bound.feature))) return bound.depth;
    return kAlways;
  }

  [[nodiscard]] std::vector<std::size_t> depths_by_bounds() const {
    std::vector<std::size_t> depths;
    depths.reserve(tree_.rows.size());
    for (const std::uint32_t row : tree_.rows) depths.push_back(depth_by_bounds(row));
    return depths;
  }

  // A row leaves the union where its path turns into a child that the walk does not visit.
  [[nodiscard]] std::vector<std::size_t> depths_by_leaves() const {
    std::vector<std::size_t> depths(tree_.rows.size(), kAlways);
    for (const Bound& bound : seen_.bounds) {
      const RowRange range = tree_.node_rows[bound.other];
      std::fill(depths.begin() + range.begin, depths.begin() + range.end, bound.depth);
    }
    return depths;
  }

  const Tree& tree_;
  const CodeMatrix& codes_;
  const CellVisitor& seen_;
  Estimator estimator_;
  std::vector<Bound> ranges_;
  std::vector<Bound> merged_;  // by depth; one per depth and feature
  std::vector<Bound> cell_;    // one per feature: the deepest cell
};

}  // namespace

std::vector<std::uint32_t> Conditional::cell(const Tree& tree, const Region& region, const CellRule& rule) const {
  CellVisitor seen;
  const auto side = [&](std::size_t feature) { return region.side(feature); };
  walk(tree.nodes, side, seen);
  const CellRows finder(tree, codes_, region, seen, rule.estimator);
  const std::size_t wanted = std::max<std::size_t>(1, rule.min_rows);
  std::vector<std::uint32_t> rows = finder.deepest();
  if (rows.size() >= wanted) return rows;
  rows = finder.back_off(wanted);
  // `inside` with no row in the ranges at all: what the cell says without them.
  if (rows.empty() && rule.estimator == Estimator::inside) return cell(tree, region, {Estimator::paper, rule.min_rows});
  return rows;
}

double Conditional::probability(const Region& region, std::span<const std::uint8_t> hits, const CellRule& rule) const {
  double sum = 0;
  std::size_t trees = 0;
  for (const Tree& tree : forest_.trees) {
    double all = 0;
    double hit = 0;
    for (const std::uint32_t row : cell(tree, region, rule)) {
      all += weight(row);
      if (hits[row] != 0) hit += weight(row);
    }
    if (all <= 0) continue;
    sum += hit / all;
    ++trees;
  }
  return trees == 0 ? kUnknown : sum / static_cast<double>(trees);
}

std::vector<double> Conditional::row_weights(const Region& region, const CellRule& rule) const {
  std::vector<double> weights(codes_.rows, 0.0);
  std::size_t trees = 0;
  for (const Tree& tree : forest_.trees) {
    const std::vector<std::uint32_t> rows = cell(tree, region, rule);
    double all = 0;
    for (const std::uint32_t row : rows) all += weight(row);
    if (all <= 0) continue;
    for (const std::uint32_t row : rows) weights[row] += weight(row) / all;
    ++trees;
  }
  for (double& value : weights) value /= static_cast<double>(std::max<std::size_t>(1, trees));
  return weights;
}

}  // namespace cfrules
