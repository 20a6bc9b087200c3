#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "cfrules/error.h"
#include "data/numbers.h"
#include "forest/isolation_forest.h"

namespace cfrules {
namespace {

double average_path(std::size_t rows) {
  if (rows < 2) return 0;
  if (rows == 2) return 1;
  const double n = static_cast<double>(rows);
  return 2 * (std::log(n - 1) + 0.57721566490153286) - 2 * (n - 1) / n;
}

// Path length of one point in a tree grown from the same draws, read on real numbers without building anything: the
// draws of the parts the point does not go to are made and forgotten.
class SlowTree {
 public:
  SlowTree(const std::vector<std::vector<double>>& columns, std::size_t sample, std::uint64_t seed, std::size_t tree)
      : columns_(columns), random_(seed, Purpose::isolation_tree, tree), order_(columns.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::vector<std::size_t> rows(columns[0].size());
    std::iota(rows.begin(), rows.end(), 0u);
    for (std::size_t i = 0; i < sample; ++i) std::swap(rows[i], rows[i + random_.below(rows.size() - i)]);
    rows_.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(sample));
    limit_ = static_cast<std::size_t>(std::ceil(std::log2(std::max<double>(2, static_cast<double>(sample)))));
  }
  double path(const std::vector<double>& point) { return walk(point, true, rows_, 0); }

 private:
  double walk(const std::vector<double>& point, bool here, const std::vector<std::size_t>& rows, std::size_t depth) {
    double low = 0, high = 0;
    std::size_t feature = 0;
    for (std::size_t i = 0; i < order_.size() && depth < limit_ && rows.size() > 1 && low == high; ++i) {
      std::swap(order_[i], order_[i + random_.below(order_.size() - i)]);
      feature = order_[i];
      low = high = columns_[feature][rows[0]];
      for (const std::size_t row : rows) low = std::min(low, columns_[feature][row]);
      for (const std::size_t row : rows) high = std::max(high, columns_[feature][row]);
    }
    if (low == high) return here ? static_cast<double>(depth) + average_path(rows.size()) : 0;
    const double threshold = low + random_.uniform() * (high - low);
    std::vector<std::size_t> left, right;
    for (const std::size_t row : rows) (columns_[feature][row] <= threshold ? left : right).push_back(row);
    const bool goes_left = point[feature] <= threshold;
    const double first = walk(point, here && goes_left, left, depth + 1);
    return first + walk(point, here && !goes_left, right, depth + 1);
  }

  const std::vector<std::vector<double>>& columns_;
  RandomStream random_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> rows_;
  std::size_t limit_ = 0;
};

std::vector<std::vector<double>> random_columns(std::size_t rows, std::size_t features, std::uint64_t id) {
  RandomStream random(21, Purpose::test, id);
  std::vector<std::vector<double>> columns(features, std::vector<double>(rows));
  for (std::size_t feature = 0; feature < features; ++feature)
    for (double& value : columns[feature])
      value = feature % 2 == 0 ? random.normal() : static_cast<double>(random.below(4));
  return columns;
}

TEST(IsolationForest, ScoresAsTreesOfRealNumbersDo) {
  for (std::uint64_t id = 0; id < 20; ++id) {
    const std::size_t rows = 1 + id * 17;
    const auto columns = random_columns(rows, 1 + id % 4, id);
    const IsolationOptions options{.trees = 12, .sample = 64, .seed = id};
    const IsolationForest forest = IsolationForest::grow(columns, options, {2, {}, {}});
    ASSERT_EQ(forest.sample(), std::min<std::size_t>(rows, 64));
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> point;
      for (const auto& column : columns) point.push_back(column[row] + (row % 3 == 0 ? 0.7 : 0));
      double sum = 0;
      for (std::size_t tree = 0; tree < 12; ++tree) sum += SlowTree(columns, forest.sample(), id, tree).path(point);
      const double normaliser = forest.sample() > 1 ? average_path(forest.sample()) : 1;
      ASSERT_NEAR(forest.score(point), 0.5 - std::exp2(-sum / 12 / normaliser), 1e-12);
    }
  }
}

TEST(IsolationForest, TwoRowsAreToldApartByOneCut) {
  const IsolationForest forest = IsolationForest::grow({{1, 3}}, {.trees = 50, .sample = 256, .seed = 1}, {});
  EXPECT_EQ(forest.sample(), 2u);
  for (const Tree& tree : forest.trees()) {
    EXPECT_EQ(tree.nodes.size(), 3u);
    EXPECT_EQ(tree.leaf_values, (std::vector<double>{1, 1}));
  }
  EXPECT_DOUBLE_EQ(forest.score(std::vector<double>{1}), 0.0);  // path 1, average path 1
}

TEST(IsolationForest, RowsThatAreAllTheSameStayInOneLeaf) {
  const IsolationForest forest = IsolationForest::grow({{4, 4, 4, 4}}, {.trees = 3, .sample = 4, .seed = 1}, {});
  for (const Tree& tree : forest.trees()) {
    ASSERT_EQ(tree.nodes.size(), 1u);
    EXPECT_DOUBLE_EQ(tree.leaf_values[0], 2 * (std::log(3.0) + 0.57721566490153286) - 1.5);
  }
}

TEST(IsolationForest, AFarPointScoresBelowTheCrowd) {
  auto columns = random_columns(500, 1, 99);
  columns[0][0] = 40;
  const IsolationForest forest = IsolationForest::grow(columns, {.trees = 200, .sample = 256, .seed = 3}, {});
  EXPECT_LT(forest.score(std::vector<double>{40}), 0);
  EXPECT_GT(forest.score(std::vector<double>{0}), 0.02);
}

TEST(IsolationForest, MissingCountsAsATenthOfTheRangeBelowTheMinimum) {
  auto columns = random_columns(80, 3, 5);
  auto filled = columns;
  for (std::size_t row = 0; row < 80; row += 9) columns[0][row] = kNaN;
  double low = 1e9, high = -1e9;
  for (const double value : columns[0]) {
    if (std::isnan(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double place = low - 0.1 * (high - low);
  for (std::size_t row = 0; row < 80; row += 9) filled[0][row] = place;
  const IsolationOptions options{.trees = 40, .sample = 64, .seed = 8};
  const IsolationForest with_gaps = IsolationForest::grow(columns, options, {});
  const IsolationForest with_values = IsolationForest::grow(filled, options, {});
  for (std::size_t row = 0; row < 80; ++row) {
    const std::vector<double> point{columns[0][row], columns[1][row], columns[2][row]};
    const std::vector<double> full{filled[0][row], filled[1][row], filled[2][row]};
    EXPECT_EQ(with_gaps.score(point), with_values.score(full));
  }
}

TEST(IsolationForest, LeastPathIsTheFirstThatScoresAboveTheMargin) {
  const IsolationForest forest = IsolationForest::grow(random_columns(300, 2, 1), {.trees = 2}, {});
  for (const double margin : {-0.49, -0.1, 0.0, 0.02, 0.3, 0.499999}) {
    const double path = forest.least_path(margin);
    EXPECT_GT(forest.score_of_path(path), margin);
    EXPECT_LE(forest.score_of_path(std::nextafter(path, 0)), margin);
  }
  EXPECT_EQ(forest.least_path(0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(forest.least_path(-0.6), 0);
}

TEST(IsolationForest, GivesTheSameTreesForAnyThreadCount) {
  const auto columns = random_columns(300, 4, 2);
  const IsolationForest one = IsolationForest::grow(columns, {}, {1, {}, {}});
  const IsolationForest four = IsolationForest::grow(columns, {}, {4, {}, {}});
  ASSERT_EQ(one.trees().size(), four.trees().size());
  for (std::size_t tree = 0; tree < one.trees().size(); ++tree)
    EXPECT_EQ(one.trees()[tree].leaf_values, four.trees()[tree].leaf_values);
  for (std::size_t feature = 0; feature < 4; ++feature)
    EXPECT_EQ(one.cuts().axis(feature).cuts, four.cuts().axis(feature).cuts);
}

TEST(IsolationForest, RefusesMoreCutsThanCodesCanCount) {
  const auto columns = random_columns(300, 1, 3);
  try {
    (void)IsolationForest::grow(columns, {.trees = 1200, .sample = 256, .seed = 0}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("at most 65000 are possible"), std::string::npos);
  }
  EXPECT_THROW((void)IsolationForest::grow(std::vector<std::vector<double>>{}, {}, {}), InputError);
  EXPECT_THROW((void)IsolationForest::grow({{}}, {}, {}), InputError);
}

}  // namespace
}  // namespace cfrules
