#include "forest/isolation_forest.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "base/limits.h"
#include "base/parallel.h"
#include "base/random.h"
#include "cfrules/error.h"
#include "forest/leaves.h"

namespace cfrules {
namespace {

using Columns = std::span<const std::span<const double>>;

// Mean path length of an unsuccessful search in a binary tree of this many rows, with the harmonic number taken as its
// logarithmic approximation, as scikit-learn does.
double average_path(std::size_t rows) {
  if (rows <= 1) return 0;
  if (rows == 2) return 1;
  const auto n = static_cast<double>(rows);
  return 2 * (std::log(n - 1) + std::numbers::egamma) - 2 * (n - 1) / n;
}

struct RealTree {
  Tree tree;                       // cuts not yet set
  std::vector<double> thresholds;  // per node; position <= threshold goes left
};

// Where missing lies in each column.
std::vector<double> places_of_missing(Columns positions) {
  std::vector<double> places;
  for (const std::span<const double> column : positions) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double position : column) {
      if (std::isnan(position)) continue;
      low = std::min(low, position);
      high = std::max(high, position);
    }
    places.push_back(low <= high ? std::max(low - 0.1 * (high - low), -std::numeric_limits<double>::max()) : 0);
  }
  return places;
}

class IsolationTreeGrower {
 public:
  IsolationTreeGrower(Columns positions, const std::vector<double>& missing, std::size_t sample, RandomStream random)
      : positions_(positions),
        missing_(missing),
        random_(random),
        depth_limit_(std::bit_width(std::max<std::size_t>(sample, 2) - 1)),  // ceil(log2)
        features_(positions.size()) {
    std::iota(features_.begin(), features_.end(), std::size_t{0});
    draw_rows(sample);
  }

  RealTree grow() {
    result_.tree.nodes.resize(1);
    result_.thresholds.resize(1);
    grow(0, rows_, 0);
    return std::move(result_);
  }

 private:
  void draw_rows(std::size_t sample) {
    rows_.resize(positions_.front().size());
    std::iota(rows_.begin(), rows_.end(), 0u);
    for (std::size_t i = 0; i < sample; ++i) std::swap(rows_[i], rows_[i + random_.below(rows_.size() - i)]);
    rows_.resize(sample);
  }

  [[nodiscard]] double position(std::size_t feature, std::uint32_t row) const {
    const double position = positions_[feature][row];
    return std::isnan(position) ? missing_[feature] : position;
  }

  // Features in random order until one varies among the rows; its range, or low == high if none does.
  struct Choice {
    std::size_t feature = 0;
    double low = 0, high = 0;
  };
  Choice choose_feature(std::span<const std::uint32_t> rows) {
    Choice choice;
    for (std::size_t i = 0; i < features_.size() && !(choice.low < choice.high); ++i) {
      std::swap(features_[i], features_[i + random_.below(features_.size() - i)]);
      choice = {features_[i], position(features_[i], rows[0]), position(features_[i], rows[0])};
      for (const std::uint32_t row : rows) {
        choice.low = std::min(choice.low, position(choice.feature, row));
        choice.high = std::max(choice.high, position(choice.feature, row));
      }
    }
    return choice;
  }

  double draw_threshold(const Choice& choice) {
    const double share = random_.uniform();
    const double width = choice.high - choice.low;  // infinite where the ends are nearly as far apart as doubles can be
    const double threshold =
        std::isfinite(width) ? choice.low + share * width : (1 - share) * choice.low + share * choice.high;
    return threshold < choice.high ? threshold : choice.low;  // rounding may reach high, which must go right
  }

  void grow(std::size_t node, std::span<std::uint32_t> rows, std::size_t depth) {
    const Choice choice = depth < depth_limit_ && rows.size() > 1 ? choose_feature(rows) : Choice{};
    if (!(choice.low < choice.high)) {
      Tree& tree = result_.tree;
      tree.nodes[node].left = ~static_cast<std::int32_t>(tree.leaf_values.size());
      tree.leaf_values.push_back(static_cast<double>(depth) + average_path(rows.size()));
      return;
    }
    const double threshold = draw_threshold(choice);
    const auto middle = std::stable_partition(
        rows.begin(), rows.end(), [&](std::uint32_t row) { return position(choice.feature, row) <= threshold; });
    const auto left_rows = static_cast<std::size_t>(middle - rows.begin());
    const std::size_t left = result_.tree.nodes.size();
    result_.tree.nodes[node] = {static_cast<std::int32_t>(left), static_cast<std::uint16_t>(choice.feature), 0};
    result_.thresholds[node] = threshold;
    result_.tree.nodes.resize(left + 2);
    result_.thresholds.resize(left + 2);
    grow(left, rows.first(left_rows), depth + 1);
    grow(left + 1, rows.subspan(left_rows), depth + 1);
  }

  Columns positions_;
  const std::vector<double>& missing_;
  RandomStream random_;
  std::size_t depth_limit_;
  std::vector<std::size_t> features_;
  std::vector<std::uint32_t> rows_;
  RealTree result_;
};

Grid grid_of_thresholds(const std::vector<RealTree>& trees, std::size_t features) {
  std::vector<Axis> axes(features);
  for (const RealTree& grown : trees)
    for (std::size_t node = 0; node < grown.thresholds.size(); ++node)
      if (const Node& split = grown.tree.nodes[node]; !split.is_leaf())
        axes[split.split_feature()].cuts.push_back(grown.thresholds[node]);
  for (std::size_t feature = 0; feature < features; ++feature) {
    std::vector<double>& cuts = axes[feature].cuts;
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    if (cuts.size() > limits::kCuts.most)
      throw InputError("the isolation forest would cut feature " + std::to_string(feature) + " at " +
                       std::to_string(cuts.size()) + " places; at most " + std::to_string(limits::kCuts.most) +
                       " are possible, so ask for fewer trees or fewer rows per tree");
  }
  return Grid(std::move(axes));
}

std::vector<Tree> freeze(std::vector<RealTree> grown, const Grid& cuts) {
  std::vector<Tree> trees;
  trees.reserve(grown.size());
  for (RealTree& real : grown) {
    for (std::size_t node = 0; node < real.thresholds.size(); ++node)
      if (Node& split = real.tree.nodes[node]; !split.is_leaf())
        split.cut = cuts.code_of_position(split.split_feature(), real.thresholds[node]);
    trees.push_back(std::move(real.tree));
  }
  return trees;
}

void check(Columns positions, const IsolationOptions& options) {
  if (positions.empty() || positions.front().empty())
    throw InputError("the isolation forest was given no rows or no features; at least one of each is needed");
  require_within(limits::kIsolationTrees, options.trees, "the isolation forest");
  if (options.trees == 0) throw InputError("the isolation forest was asked for 0 trees; at least 1 is needed");
  if (options.sample == 0) throw InputError("the isolation forest was asked for 0 rows per tree; at least 1 is needed");
}

}  // namespace

IsolationForest::IsolationForest(Grid cuts, std::vector<Tree> trees, std::size_t sample)
    : cuts_(std::move(cuts)), trees_(std::move(trees)), sample_(sample) {
  if (sample > 1) normaliser_ = average_path(sample);
  for (const Tree& tree : trees_) {
    paths_.begin_tree(tree.leaf_values.size());
    for (const double path : tree.leaf_values) paths_.add(to_fixed(path));
  }
  paths_.end();
}

IsolationForest IsolationForest::grow(const std::vector<std::vector<double>>& positions,
                                      const IsolationOptions& options, const Run& run) {
  const std::vector<std::span<const double>> columns(positions.begin(), positions.end());
  return grow(columns, options, run);
}

IsolationForest IsolationForest::grow(Columns positions, const IsolationOptions& options, const Run& run) {
  check(positions, options);
  const std::size_t sample = std::min(options.sample, positions.front().size());
  const std::vector<double> missing = places_of_missing(positions);
  std::vector<RealTree> grown(options.trees);
  parallel_for(options.trees, run, [&](std::size_t tree) {
    grown[tree] =
        IsolationTreeGrower(positions, missing, sample, RandomStream(options.seed, Purpose::isolation_tree, tree))
            .grow();
  });
  Grid cuts = grid_of_thresholds(grown, positions.size());
  std::vector<Tree> trees = freeze(std::move(grown), cuts);
  return {std::move(cuts), std::move(trees), sample};
}

double IsolationForest::score(std::span<const double> positions) const {
  return score_of_paths(paths_at(cuts_.codes(positions)));
}

Fixed IsolationForest::paths_at(std::span<const Code> codes) const {
  Fixed sum = 0;
  const LeafNumbers paths = leaf_numbers();
  visit_leaves(std::span(trees_), codes, [&](std::size_t tree, std::size_t leaf) { sum += *paths.of(tree, leaf); });
  return sum;
}

double IsolationForest::score_of_paths(Fixed sum) const {
  return score_of_path(from_fixed(sum) / static_cast<double>(trees_.size()));
}

double IsolationForest::score_of_path(double mean_path) const { return 0.5 - std::exp2(-mean_path / normaliser_); }

double IsolationForest::least_path(double margin) const {
  if (!(score_of_path(std::numeric_limits<double>::max()) > margin)) return std::numeric_limits<double>::infinity();
  if (score_of_path(0) > margin) return 0;
  // Bisection over the doubles themselves, whose bits are ordered as they are: exact for the rounded score.
  auto below = std::bit_cast<std::uint64_t>(0.0);
  auto above = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max());
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (score_of_path(std::bit_cast<double>(middle)) > margin ? above : below) = middle;
  }
  return std::bit_cast<double>(above);
}

}  // namespace cfrules
