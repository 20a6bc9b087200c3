#include <gtest/gtest.h>

#include <cmath>

#include "region/calibration.h"
#include "region/target_forest.h"
#include "support/hand_forest.h"

namespace cfrules::test {
namespace {

const Outcome kClasses{"y", {"no", "yes", "maybe"}, {0, 1, 2}};
const Outcome kNumbers{"y", {}, {0, 7, 10}};

TEST(CalibrationMap, SumsTheSharesOfTheWantedClasses) {
  const CalibrationMap map = CalibrationMap::identity(Target::of_classes({"yes", "maybe"}, kClasses));
  const std::vector<double> said{0.2, 0.5, 0.3};
  EXPECT_DOUBLE_EQ(map.raw(said), 0.8);
  EXPECT_DOUBLE_EQ(map.probability(0.8), 0.8);
  EXPECT_DOUBLE_EQ(map.least_raw(0.8), 0.8);
}

TEST(CalibrationMap, WithoutAMapANumberIsInTheTargetOrIsNot) {
  const CalibrationMap map = CalibrationMap::identity(Target::of_interval(7, 10, kNumbers));
  EXPECT_EQ(map.raw_of_moments(7, 60), 1);
  EXPECT_EQ(map.raw_of_moments(6.9, 60), 0);
}

// Forty cases at each of two readings; what came true is more extreme than what was said, so the map must steepen.
TEST(CalibrationMap, LearnsThatAForestIsTooTimid) {
  CalibrationSample sample{"by hand", 2, {}, {}, {}};
  const Outcome outcome{"y", {"no", "yes"}, {0, 1}};
  for (int i = 0; i < 400; ++i) {
    const bool high = i % 2 == 0;
    sample.said.insert(sample.said.end(), {high ? 0.3 : 0.7, high ? 0.7 : 0.3});
    sample.outcome.push_back((i / 2) % 10 == 0 ? !high : high);
  }
  const CalibrationMap map = CalibrationMap::fit(sample, Target::of_classes({"yes"}, outcome));
  EXPECT_NEAR(map.probability(0.7), 0.9, 0.02);
  EXPECT_NEAR(map.probability(0.3), 0.1, 0.02);
  EXPECT_GT(map.slope(), 1);
}

TEST(CalibrationMap, RisesEvenWhereTheForestWasWrongEveryTime) {
  CalibrationSample sample{"by hand", 2, {}, {}, {}};
  const Outcome outcome{"y", {"no", "yes"}, {0, 1}};
  for (int i = 0; i < 100; ++i) {
    sample.said.insert(sample.said.end(), {i % 2 == 0 ? 0.1 : 0.9, i % 2 == 0 ? 0.9 : 0.1});
    sample.outcome.push_back(i % 2);
  }
  const CalibrationMap map = CalibrationMap::fit(sample, Target::of_classes({"yes"}, outcome));
  EXPECT_LT(map.probability(0.1), map.probability(0.9));
}

TEST(CalibrationMap, ADecisionGoesToTheLargerShareAndTiesToTheFirstClass) {
  const Outcome outcome{"y", {"no", "yes"}, {0, 1}};
  const CalibrationMap yes = CalibrationMap::decision(Target::of_classes({"yes"}, outcome));
  const CalibrationMap no = CalibrationMap::decision(Target::of_classes({"no"}, outcome));
  EXPECT_EQ(yes.probability(0.51), 1);
  EXPECT_EQ(yes.probability(0.5), 0);
  EXPECT_EQ(no.probability(0.5), 1);
  EXPECT_EQ(no.probability(0.49), 0);
}

TEST(CalibrationMap, ACorrectionOfTheMapIsTheCorrectionOfWhatItStates) {
  const Outcome outcome{"y", {"no", "yes"}, {0, 1}};
  CalibrationSample sample{"by hand", 2, {}, {}, {}};
  for (int i = 0; i < 50; ++i) {
    const double share = i / 50.0;
    sample.said.insert(sample.said.end(), {1 - share, share});
    sample.outcome.push_back(i * 7 % 50 < i ? 1.0 : 0.0);
  }
  const CalibrationMap map = CalibrationMap::fit(sample, Target::of_classes({"yes"}, outcome));
  const LogitShift shift{-0.4, 0.8};
  for (const double raw : {0.3, 0.6, 0.9})
    EXPECT_NEAR(map.corrected(shift).probability(raw), shift.apply(map.probability(raw)), 1e-9);
}

TEST(CalibrationMap, LeavesReadingsAloneWhereNothingCanBeLearnt) {
  const Outcome outcome{"y", {"no", "yes"}, {0, 1}};
  const CalibrationMap map =
      CalibrationMap::fit({"by hand", 2, {0.4, 0.6, 0.1, 0.9}, {1, 1}, {}}, Target::of_classes({"yes"}, outcome));
  EXPECT_NEAR(map.probability(0.6), 0.6, 0.002);
}

// 0.7 has no exact binary form: in fixed point trees that all say 7 mean a little less than 7.
TEST(TargetForest, TreesThatAgreeOnTheTargetsBorderAreInIt) {
  const std::vector<Sketch> trees{leaf({7.0}), leaf({7.0}), leaf({7.0})};
  const Grid grid = grid_of(1, trees);
  const CodeMatrix codes = grid.codes(table_of({{1}, {2}, {3}}));
  const Forest forest = forest_of(trees, grid, codes);
  const std::vector<Code> person{1};
  const CalibrationSample sample{"by hand", 2, {7, 49, 2, 4, 9, 81, 3, 10}, {7, 2, 9, 6}, {}};
  for (const bool mapped : {false, true}) {
    const auto map = [&](const Target& wanted) { return mapped ? CalibrationMap::fit(sample, wanted) : CalibrationMap::identity(wanted); };
    const Target high = Target::of_interval(7, 10, kNumbers);
    const Target low = Target::of_interval(0, 7, kNumbers);
    const TargetForest above(forest, kNumbers, {}, high, map(high));
    EXPECT_EQ(above.raw(above.sums(person)), 1);
    const TargetForest below(forest, kNumbers, {}, low, map(low));
    EXPECT_EQ(below.raw(below.sums(person)), 1);
  }
}

}  // namespace
}  // namespace cfrules::test
