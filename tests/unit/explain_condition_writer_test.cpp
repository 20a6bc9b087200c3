#include <gtest/gtest.h>

#include <cmath>

#include "explain/condition_writer.h"

namespace cfrules {
namespace {

constexpr double kCut = 35.500000000000007;

class LongCuts : public testing::Test {
 protected:
  LongCuts() : rows_({{"a", Kind::number, {}}}, {{30, 35, 36, 41}}), grid_({Axis{{kCut}, {}}}), seen_(grid_, rows_) {}

  [[nodiscard]] Condition written(Interval side, double from = 30) const {
    return condition_of(rows_.schema(), grid_, 0, side, from, seen_);
  }

  Table rows_;
  Grid grid_;
  CodeValues seen_;
};

TEST_F(LongCuts, BecomeShortNumbersInsideWithTheSameCode) {
  const Condition above = written({2, 2}), below = written({1, 1});
  EXPECT_EQ(above.low, 36);
  EXPECT_TRUE(above.low_closed);
  EXPECT_EQ(grid_.code(0, above.low), 2);
  EXPECT_EQ(below.high, 35);
  EXPECT_TRUE(below.high_closed);
  EXPECT_EQ(grid_.code(0, below.high), 1);
  EXPECT_TRUE(std::isinf(above.high) && std::isinf(below.low));
}

TEST_F(LongCuts, LeaveThePersonsOwnValueWhereItIs) {
  const Condition above = written({2, 2}, 35.75), below = written({1, 1}, 35.25);
  EXPECT_GT(above.low, kCut);
  EXPECT_LE(above.low, 35.75);
  EXPECT_LT(below.high, kCut);
  EXPECT_GE(below.high, 35.25);
}

TEST(ShortCuts, StayAsTheyAre) {
  const Table rows({{"a", Kind::number, {}}}, {{30, 41}});
  const Grid grid({Axis{{35.25}, {}}});
  const CodeValues seen(grid, rows);
  const Condition above = condition_of(rows.schema(), grid, 0, {2, 2}, 30, seen);
  EXPECT_EQ(above.low, 35.25);
  EXPECT_FALSE(above.low_closed);
}

}  // namespace
}  // namespace cfrules
