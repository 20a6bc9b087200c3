#include <gtest/gtest.h>

#include "region/cost_scale.h"
#include "unit/recourse_fixture.h"

namespace cfrules {
namespace {

Table hundred() {
  std::vector<double> numbers, flags;
  for (int i = 1; i <= 100; ++i) {
    numbers.push_back(i);
    flags.push_back(i <= 60 ? 0 : 1);
  }
  return Table({{"n", Kind::number, {}}, {"f", Kind::integer, {}}}, {numbers, flags});
}

TEST(CostScale, ANumberCostsATenthPerBinCrossed) {
  const CostScale costs(hundred());
  EXPECT_DOUBLE_EQ(costs.change(0, 1, 10), 0.0);
  EXPECT_DOUBLE_EQ(costs.change(0, 10, 11), 0.1);
  EXPECT_DOUBLE_EQ(costs.change(0, 11, 10), 0.1);
  EXPECT_DOUBLE_EQ(costs.change(0, 5, 100), 0.9);
  EXPECT_DOUBLE_EQ(costs.change(0, 45, 25), 0.2);
  EXPECT_DOUBLE_EQ(costs.change(0, -1000, 1000), 0.9);
}

TEST(CostScale, LeavingAValueThatManyShareCostsTheirShare) {
  EXPECT_DOUBLE_EQ(CostScale(hundred()).change(1, 0, 1), 0.6);
}

TEST(CostScale, ANewNameCostsOneAndTheSameNameNothing) {
  const World world;
  EXPECT_EQ(world.costs.change(kJob, 0, 3), 1);
  EXPECT_EQ(world.costs.change(kJob, 2, 2), 0);
  EXPECT_EQ(world.costs.change(kOwner, 0, 1), 1);
}

TEST(CostScale, FillingInAMissingValueCostsOne) {
  const CostScale costs(hundred());
  EXPECT_EQ(costs.change(0, kNaN, 50), 1);
  EXPECT_EQ(costs.change(0, 50, kNaN), 1);
  EXPECT_EQ(costs.change(0, kNaN, kNaN), 0);
}

TEST(CostScale, AColumnWithoutValuesCostsOnePerChange) {
  const CostScale costs(Table({{"x", Kind::number, {}}}, {{kNaN, kNaN}}));
  EXPECT_EQ(costs.change(0, 1, 2), 1);
}

}  // namespace
}  // namespace cfrules
