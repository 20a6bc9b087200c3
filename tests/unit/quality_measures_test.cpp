#include <gtest/gtest.h>

#include <cmath>

#include "quality/measures.h"

namespace cfrules {
namespace {

// Found and accepted; found with two rules and refused; nothing found; a rule without an allowed point.
std::vector<PersonTrial> four_people() {
  std::vector<PersonTrial> people(4);
  people[0].rules = {{0.9, 0.2, 20, 18}};
  people[0].recourse = RecourseTrial{true, true, 1, 0.3, {10, 5, 0}};
  people[1].rules = {{0.8, 0.4, 20, 20}, {0.95, 0.2, 20, 5}};
  people[1].recourse = RecourseTrial{false, false, 3, 1.1, {0, 0, 0}};
  people[3].rules = {{0.9, 0.1, 20, 9}};
  return people;
}

TEST(Measures, PeopleWithoutARecourseAreFailures) {
  const Evaluation evaluation = measure(four_people());
  EXPECT_EQ(evaluation.people, 4u);
  EXPECT_DOUBLE_EQ(evaluation.coverage, 0.75);
  EXPECT_DOUBLE_EQ(evaluation.accuracy, 0.25);
  EXPECT_DOUBLE_EQ(evaluation.accuracy_found, 0.5);
}

TEST(Measures, RecoursesAreMeasuredWhereThereIsOne) {
  const Evaluation evaluation = measure(four_people());
  EXPECT_DOUBLE_EQ(evaluation.plausibility, 0.5);
  EXPECT_DOUBLE_EQ(evaluation.sparsity, 2);
  EXPECT_DOUBLE_EQ(evaluation.cost, 0.7);
}

TEST(Measures, OnlyAcceptedRecoursesCanBeStable) {
  EXPECT_EQ(measure(four_people()).stability, (std::vector<double>{1.0, 0.5, 0.0}));
}

TEST(Measures, APersonCountsOnceHoweverManyRulesTheyGot) {
  const Evaluation evaluation = measure(four_people());
  EXPECT_DOUBLE_EQ(evaluation.donor_accuracy, (0.9 + 0.625 + 0.45) / 3);
  EXPECT_DOUBLE_EQ(evaluation.stated, (0.9 + 0.875 + 0.9) / 3);
  EXPECT_DOUBLE_EQ(evaluation.mass, (0.2 + 0.3 + 0.1) / 3);
  EXPECT_DOUBLE_EQ(evaluation.below_half, 0.5);
}

TEST(Measures, CalibrationErrorIsTheWeightedGapOfTheBins) {
  const Evaluation evaluation = measure(four_people());
  ASSERT_EQ(evaluation.reliability.size(), 10u);
  EXPECT_EQ(evaluation.reliability[8].count, 1u);
  EXPECT_DOUBLE_EQ(evaluation.reliability[8].observed, 1.0);
  EXPECT_EQ(evaluation.reliability[9].count, 3u);
  const double stated = (0.9 + 0.95 + 0.9) / 3, observed = (0.9 + 0.25 + 0.45) / 3;
  EXPECT_DOUBLE_EQ(evaluation.reliability[9].stated, stated);
  EXPECT_DOUBLE_EQ(evaluation.reliability[9].observed, observed);
  EXPECT_TRUE(std::isnan(evaluation.reliability[0].stated));
  EXPECT_DOUBLE_EQ(evaluation.calibration_error, (1 * 0.2 + 3 * (stated - observed)) / 4);
}

TEST(Measures, TheCalibrationErrorHasAnIntervalThatIsDrawnAgainFromTheSeed) {
  std::vector<PersonTrial> people(200);
  for (std::size_t i = 0; i < people.size(); ++i) people[i].rules = {{0.95, 0.2, 20, i % 4 == 0 ? 15u : 20u}};
  const Evaluation evaluation = measure(people, 3);
  // The mean that came true is 0.9375, with a standard error of 0.25 * sqrt(3 / 16 / 200) = 0.0077.
  EXPECT_NEAR(evaluation.calibration_error, 0.0125, 1e-9);
  EXPECT_LT(evaluation.calibration_error_low, 0.005);
  EXPECT_NEAR(evaluation.calibration_error_high, 0.0125 + 1.96 * 0.0077, 0.003);
  EXPECT_EQ(measure(people, 3).calibration_error_high, evaluation.calibration_error_high);
  EXPECT_NE(measure(people, 4).calibration_error_high, evaluation.calibration_error_high);
}

TEST(Measures, PeopleWhoAreAllAlikeLeaveNoDoubtAboutTheCalibrationError) {
  std::vector<PersonTrial> people(30);
  for (PersonTrial& person : people) person.rules = {{0.95, 0.2, 20, 18}};
  const Evaluation evaluation = measure(people);
  EXPECT_NEAR(evaluation.calibration_error_low, 0.05, 1e-12);
  EXPECT_NEAR(evaluation.calibration_error_high, 0.05, 1e-12);
}

TEST(Measures, CertaintyLiesInTheLastBin) {
  std::vector<PersonTrial> people(1);
  people[0].rules = {{1.0, 0.5, 20, 20}};
  const Evaluation evaluation = measure(people);
  EXPECT_EQ(evaluation.reliability[9].count, 1u);
  EXPECT_DOUBLE_EQ(evaluation.calibration_error, 0);
}

TEST(Measures, NothingIsKnownOfNobody) {
  const Evaluation evaluation = measure({});
  EXPECT_EQ(evaluation.people, 0u);
  for (const double value : {evaluation.coverage, evaluation.accuracy, evaluation.accuracy_found,
                             evaluation.donor_accuracy, evaluation.calibration_error, evaluation.cost, evaluation.mass,
                             evaluation.below_half, evaluation.stability.at(0)})
    EXPECT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace cfrules
