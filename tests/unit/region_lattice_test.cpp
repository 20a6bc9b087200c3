#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "region/lattice.h"

namespace cfrules {
namespace {

TEST(Lattice, StepsCountFromTheOrigin) {
  const Lattice lattice{6, 6};
  EXPECT_TRUE(lattice.contains(48));
  EXPECT_FALSE(lattice.contains(47));
  EXPECT_TRUE((Lattice{0, 0.1}.contains(0.3)));
}

TEST(Lattice, TheNearestStepIsTheOneAPersonWouldWrite) {
  EXPECT_EQ((Lattice{0, 0.1}.nearest(0.31, {})), 0.3);
  EXPECT_EQ((Lattice{0, 6}.nearest(20, {})), 18);
  EXPECT_EQ((Lattice{0, 6}.nearest(21, {})), 18);  // the lower of two
}

TEST(Lattice, OpenSidesLeaveTheirEndOut) {
  const Lattice lattice{0, 6};
  EXPECT_EQ(lattice.nearest(0, {.low = 12, .high = 24}), 18);
  EXPECT_EQ(lattice.nearest(0, {.low = 12, .high = 24, .low_closed = true}), 12);
  EXPECT_EQ(lattice.nearest(99, {.low = 12, .high = 24, .high_closed = true}), 24);
  EXPECT_EQ(lattice.nearest(0, {.low = 13, .high = 18}), std::nullopt);
}

TEST(Lattice, TheIntersectionKeepsTheTighterAndTheOpenEnd) {
  const ValueSide both = intersect({1, 5, true, true}, {1, 4, false, true});
  EXPECT_EQ(both.low, 1);
  EXPECT_FALSE(both.low_closed);
  EXPECT_EQ(both.high, 4);
  EXPECT_TRUE(both.high_closed);
}

RC_GTEST_PROP(Lattice, NearestIsNearestAmongAllStepsInside, ()) {
  const int origin = *rc::gen::inRange(-5, 6);
  const int step = *rc::gen::inRange(1, 8);
  const double low = *rc::gen::inRange(-40, 40) / 2.0;
  const double high = low + *rc::gen::inRange(0, 40) / 2.0;
  const double target = *rc::gen::inRange(-60, 60) / 4.0;
  const ValueSide side{low, high, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  std::optional<double> expected;
  for (int k = -200; k <= 200; ++k) {
    const double value = origin + k * step;
    if (side.contains(value) && (!expected || std::abs(value - target) < std::abs(*expected - target)))
      expected = value;
  }
  RC_ASSERT((Lattice{double(origin), double(step)}.nearest(target, side)) == expected);
}

}  // namespace
}  // namespace cfrules
