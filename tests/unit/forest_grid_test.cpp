#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/random.h"
#include "data/numbers.h"
#include "forest/grid.h"
#include "forest/trainer.h"

namespace cfrules {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Outcome two_classes(std::vector<double> values) { return {"y", {"no", "yes"}, std::move(values)}; }
Outcome numbers(std::vector<double> values) { return {"y", {}, std::move(values)}; }

Table one_column(Kind kind, std::vector<double> values, std::vector<std::string> categories = {}) {
  return Table({{"x", kind, std::move(categories)}}, {std::move(values)});
}

std::vector<double> random_values(std::size_t count, std::uint64_t id) {
  RandomStream random(11, Purpose::test, id);
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

TEST(Grid, ACutLiesBetweenNeighbouringValuesWithFewDigits) {
  const Table table = one_column(Kind::number, {0.1, 0.3, 0.3, 7.25});
  const Grid grid = Grid::learn(table, two_classes({0, 1, 0, 1}), {}, 255);
  EXPECT_EQ(grid.axis(0).cuts, (std::vector<double>{0.2, 4}));
  EXPECT_EQ(grid.last_code(0), 3);
  EXPECT_EQ(grid.code(0, 0.1), 1);
  EXPECT_EQ(grid.code(0, 0.2), 1);
  EXPECT_EQ(grid.code(0, 0.3), 2);
  EXPECT_EQ(grid.code(0, 1e9), 3);
  EXPECT_EQ(grid.code(0, kNaN), kMissing);
}

TEST(Grid, WholeNumbersArePartedAtHalves) {
  const Table table = one_column(Kind::integer, {2, 3, -4, 4, -3, 10});
  const Grid grid = Grid::learn(table, numbers({1, 2, 3, 4, 5, 6}), {}, 255);
  EXPECT_EQ(grid.axis(0).cuts, (std::vector<double>{-3.5, -0.5, 2.5, 3.5, 7.5}));
}

TEST(Grid, WholeNumbersTooLargeForHalvesAreStillParted) {
  const double large = 9007199254740992;  // 2^53
  const Table table = one_column(Kind::integer, {large, large + 2});
  const Grid grid = Grid::learn(table, numbers({1, 2}), {}, 255);
  ASSERT_EQ(grid.axis(0).cuts.size(), 1u);
  EXPECT_EQ(grid.code(0, large), 1);
  EXPECT_EQ(grid.code(0, large + 2), 2);
}

TEST(Grid, AConstantOrMissingColumnHasNoCuts) {
  const Table table({{"a", Kind::number, {}}, {"b", Kind::number, {}}, {"c", Kind::category, {"u", "v"}}},
                    {{5, 5, kNaN}, {kNaN, kNaN, kNaN}, {1, 1, kNaN}});
  const Grid grid = Grid::learn(table, two_classes({0, 1, 0}), {}, 255);
  for (std::size_t feature = 0; feature < 3; ++feature) EXPECT_TRUE(grid.axis(feature).cuts.empty());
  EXPECT_EQ(grid.code(0, 5), 1);
}

TEST(Grid, AnIntervalOfCodesIsAHalfOpenRangeOfValues) {
  const Grid grid({Axis{{1, 2, 3}, {}}});
  const auto inner = grid.values(0, {2, 3});
  EXPECT_EQ(inner.low, 1);
  EXPECT_EQ(inner.high, 3);
  const auto open = grid.values(0, grid.all_values(0));
  EXPECT_EQ(open.low, -kInfinity);
  EXPECT_EQ(open.high, kInfinity);
  EXPECT_EQ(grid.values(0, {4, 4}).low, 3);
}

TEST(Grid, CodesCountTheCutsBelow) {
  const std::vector<double> values = random_values(3000, 0);
  const Grid grid = Grid::learn(one_column(Kind::number, values), numbers(values), {}, 32);
  for (const double value : values) {
    std::size_t below = 0;
    for (const double cut : grid.axis(0).cuts) below += cut < value;
    ASSERT_EQ(grid.code(0, value), 1 + below);
    const auto range = grid.values(0, {grid.code(0, value), grid.code(0, value)});
    ASSERT_TRUE(range.low < value && value <= range.high);
  }
}

TEST(Grid, ManyValuesAreCutIntoNearlyEqualShares) {
  for (const std::size_t rows : {2000, 500'000}) {  // all sorted, and a subsample
    const std::vector<double> values = random_values(rows, 1);
    const Grid grid = Grid::learn(one_column(Kind::number, values), numbers(values), {}, 101);
    ASSERT_EQ(grid.last_code(0), 100);
    std::vector<double> share(101);
    for (const double value : values) share[grid.code(0, value)] += 1.0 / static_cast<double>(rows);
    for (std::size_t code = 1; code <= 100; ++code) EXPECT_NEAR(share[code], 0.01, 0.002);
  }
}

TEST(Grid, AFrequentValueTakesItsBinAloneAndTheOthersShareTheRest) {
  std::vector<double> values(900, 0.0);
  for (int i = 1; i <= 100; ++i) values.push_back(i);
  const Grid grid = Grid::learn(one_column(Kind::number, values), numbers(values), {}, 12);
  EXPECT_EQ(grid.last_code(0), 11);
  EXPECT_EQ(grid.code(0, 0), 1);
  EXPECT_EQ(grid.code(0, 1), 2);
  EXPECT_EQ(grid.code(0, 100), 11);
}

TEST(Grid, ARareValueAmongFewKeepsItsCodeInALongColumn) {
  std::vector<double> values(300'000, 1.0);
  values[123'457] = 2;
  values[200'001] = 3;
  const Grid grid = Grid::learn(one_column(Kind::number, values), numbers(values), {}, 255);
  EXPECT_EQ(grid.last_code(0), 3);
}

TEST(Grid, CategoriesStandInTheOrderOfTheShareOfClassOne) {
  const Table table = one_column(Kind::category, {0, 0, 1, 1, 2, 2, 3}, {"own", "rent", "free", "boat", "tent", "ark"});
  const Grid grid = Grid::learn(table, two_classes({1, 1, 0, 0, 1, 0, 0}), {}, 255);
  // boat and rent tie at 0 and stand by name; free has one half, own 1; ark and tent have no rows.
  EXPECT_EQ(grid.axis(0).position, (std::vector<std::uint32_t>{3, 1, 2, 0, 5, 4}));
  EXPECT_EQ(grid.axis(0).cuts, (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5}));
  EXPECT_EQ(grid.categories(0, {2, 4}), (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(grid.code(0, 0), 4);
  EXPECT_TRUE(std::isnan(grid.position(0, kNaN)));
}

TEST(Grid, WeightsCountInTheOrderOfCategories) {
  const Table table = one_column(Kind::category, {0, 0, 1, 1}, {"a", "b"});
  const Outcome outcome = numbers({10, 0, 6, 6});
  EXPECT_EQ(Grid::learn(table, outcome, {}, 255).axis(0).position, (std::vector<std::uint32_t>{0, 1}));
  const std::vector<double> weights{3, 1, 1, 1};
  EXPECT_EQ(Grid::learn(table, outcome, weights, 255).axis(0).position, (std::vector<std::uint32_t>{1, 0}));
}

TEST(Grid, SeveralClassesOrderCategoriesAlongTheirMainDirection) {
  // Shares of (red, green, blue): a (1, 0, 0), b (0, 1, 0), c (1/2, 1/2, 0), d (3/4, 1/4, 0). The deviations all lie
  // along (1, -1, 0), whose first loading is positive: more red comes later.
  const Table table = one_column(Kind::category, {0, 0, 1, 1, 2, 2, 3, 3, 3, 3}, {"a", "b", "c", "d"});
  const Outcome outcome{"y", {"red", "green", "blue"}, {0, 0, 1, 1, 0, 1, 0, 0, 0, 1}};
  const Grid grid = Grid::learn(table, outcome, {}, 255);
  EXPECT_EQ(grid.axis(0).position, (std::vector<std::uint32_t>{3, 0, 1, 2}));
}

TEST(Grid, CategoriesWithTheSameSharesOfClassesStandByName) {
  const Table table = one_column(Kind::category, {0, 0, 0, 1, 1, 1}, {"z", "a"});
  const Outcome outcome{"y", {"red", "green", "blue"}, {0, 1, 2, 2, 1, 0}};
  EXPECT_EQ(Grid::learn(table, outcome, {}, 255).axis(0).position, (std::vector<std::uint32_t>{1, 0}));
}

TEST(Grid, TooManyCategoriesShareCodesWithTheirNeighbours) {
  std::vector<std::string> names;
  std::vector<double> values, outcome;
  for (int category = 0; category < 600; ++category) {
    names.push_back(std::to_string(1000 + category));
    values.push_back(category);
    outcome.push_back(category);
  }
  const Grid grid = Grid::learn(one_column(Kind::category, values, names), numbers(outcome), {}, 255);
  EXPECT_EQ(grid.last_code(0), 254);
  for (Code code = 1; code <= 254; ++code) {
    const std::size_t merged = grid.categories(0, {code, code}).size();
    EXPECT_TRUE(merged >= 2 && merged <= 3) << code;
  }
}

TEST(Grid, AllWaysToCodeATableAgree) {
  std::vector<double> numeric = random_values(2500, 2), category;
  for (std::size_t row = 0; row < numeric.size(); ++row) {
    category.push_back(static_cast<double>(row * 7 % 5));
    if (row % 11 == 0) numeric[row] = kNaN;
    if (row % 13 == 0) category[row] = kNaN;
  }
  const Table table({{"n", Kind::number, {}}, {"c", Kind::category, {"a", "b", "c", "d", "e"}}}, {numeric, category});
  const Grid grid = Grid::learn(table, two_classes(std::vector<double>(2500, 1.0)), {}, 255);
  const CodeMatrix matrix = grid.codes(table);
  const ByteColumns bytes = byte_codes(grid, table, {});
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::vector<Code> codes = grid.codes(table.row(row));
    for (std::size_t feature = 0; feature < 2; ++feature) {
      ASSERT_EQ(codes[feature], matrix.at(row, feature));
      ASSERT_EQ(codes[feature], bytes.columns[feature][row]);
    }
  }
}

}  // namespace
}  // namespace cfrules
