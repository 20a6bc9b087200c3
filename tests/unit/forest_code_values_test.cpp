#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forest/code_values.h"
#include "unit/recourse_fixture.h"

namespace cfrules {
namespace {

Table one_column(std::vector<double> values) { return Table({{"x", Kind::number, {}}}, {std::move(values)}); }

Grid one_axis(std::vector<double> cuts) { return Grid({{std::move(cuts), {}}}); }

TEST(CodeValues, EachCodeKnowsItsLeastLowerMedianAndGreatestRow) {
  const Grid grid = one_axis({2, 5});
  const CodeValues values(grid, one_column({4, 1, 2, 3, 9, 5, 5, kNaN}));
  EXPECT_EQ(values.count(0, 0), 1u);
  EXPECT_EQ(values.least(0, 1), 1);
  EXPECT_EQ(values.middle(0, 1), 1);
  EXPECT_EQ(values.greatest(0, 1), 2);
  EXPECT_EQ(values.least(0, 2), 3);
  EXPECT_EQ(values.middle(0, 2), 4);
  EXPECT_EQ(values.greatest(0, 2), 5);
  EXPECT_EQ(values.count(0, 2), 4u);
  EXPECT_EQ(values.middle(0, 3), 9);
}

TEST(CodeValues, CodesWithoutRowsHaveAMiddleInsideTheirRange) {
  const Grid grid = one_axis({1, 2, 4, 8});
  const CodeValues values(grid, one_column({3, kNaN}));
  EXPECT_TRUE(std::isnan(values.least(0, 1)));
  EXPECT_TRUE(std::isnan(values.greatest(0, 5)));
  for (Code code = 1; code <= 5; ++code) EXPECT_EQ(grid.code_of_position(0, values.middle(0, code)), code);
  EXPECT_EQ(values.middle(0, 1), 1);
  EXPECT_EQ(values.middle(0, 4), 6);
  EXPECT_EQ(values.middle(0, 5), std::nextafter(8.0, 9.0));
}

TEST(CodeValues, NeighbouringCutsWithNothingBetweenStillHaveTheirMiddle) {
  const double next = std::nextafter(1.0, 2.0);
  const Grid grid = one_axis({1, next});
  const CodeValues values(grid, one_column({kNaN}));
  EXPECT_EQ(values.middle(0, 2), next);
}

TEST(CodeValues, SidesSkipCodesWithoutRows) {
  const CodeValues values(one_axis({1, 2, 3, 4}), one_column({1.5, 3.25, 3.5}));
  EXPECT_EQ(values.least_within(0, {1, 5}), 1.5);
  EXPECT_EQ(values.least_within(0, {3, 5}), 3.25);
  EXPECT_EQ(values.greatest_within(0, {1, 5}), 3.5);
  EXPECT_EQ(values.greatest_within(0, {1, 3}), 1.5);
  EXPECT_TRUE(std::isnan(values.greatest_within(0, {5, 5})));
}

TEST(CodeValues, CategoriesAreReadByTheirPlaceInTheOrder) {
  const World world;
  EXPECT_EQ(world.values.least(kJob, 2), 1);
  EXPECT_EQ(world.values.greatest(kJob, 2), 2);
  EXPECT_EQ(world.values.middle(kJob, 3), 3);
}

TEST(CodeValues, AgreeWithSortingTheRowsOfEachCode) {
  const World world(200, 7);
  for (std::size_t feature = 0; feature < world.table.features(); ++feature) {
    for (Code code = 1; code <= world.grid.last_code(feature); ++code) {
      std::vector<double> rows;
      for (const double value : world.table.column(feature))
        if (world.grid.code(feature, value) == code) rows.push_back(world.grid.position(feature, value));
      ASSERT_EQ(world.values.count(feature, code), rows.size());
      if (rows.empty()) continue;
      std::sort(rows.begin(), rows.end());
      EXPECT_EQ(world.values.least(feature, code), rows.front());
      EXPECT_EQ(world.values.middle(feature, code), rows[(rows.size() - 1) / 2]);
      EXPECT_EQ(world.values.greatest(feature, code), rows.back());
    }
  }
}

}  // namespace
}  // namespace cfrules
