#include <gtest/gtest.h>

#include <cmath>
#include <ranges>
#include <set>

#include "explain/condition_writer.h"
#include "forest/grid.h"
#include "quality/trials.h"

namespace cfrules {
namespace {

// income 0, 10, ..., 90; age 20 .. 29; job by turns. One cut at 50 on income, at 24.5 on age, between the jobs.
class TrialTest : public testing::Test {
 protected:
  TrialTest() : table_(make_table()), grid_(make_grid()), codes_(grid_.codes(table_)), costs_(table_) {}

  static Table make_table() {
    std::vector<std::vector<double>> columns(3);
    for (int row = 0; row < 10; ++row) {
      columns[0].push_back(10.0 * row);
      columns[1].push_back(20 + row);
      columns[2].push_back(row % 2);
    }
    return Table(
        {{"income", Kind::number, {}}, {"age", Kind::integer, {}}, {"job", Kind::category, {"clerk", "nurse"}}},
        columns);
  }
  static Grid make_grid() { return Grid({{{50}, {}}, {{24.5}, {}}, {{0.5}, {0, 1}}}); }

  // "income above 50" or "age above 24", one recourse each.
  Rule rule(std::size_t feature, double to, double inlier_score) const {
    Rule made;
    made.conditions = {condition_of(table_.schema(), grid_, feature, {2, 2}, kUnknown, CodeValues(grid_, table_))};
    made.probability.calibrated = 0.9;
    made.mass = 0.4;
    Recourse recourse;
    recourse.values = {{feature, table_.schema()[feature].name, {to, {}}}};
    recourse.inlier_score = inlier_score;
    made.recourses = {recourse};
    return made;
  }
  static Explanation found(std::vector<Rule> rules, std::size_t row = 3) {
    Explanation explanation;
    explanation.row = row;
    explanation.status = Status::found;
    explanation.rules = std::move(rules);
    return explanation;
  }
  Trial make(const Explanation& explanation, std::span<const double> weights = {}) const {
    return TrialMaker(table_, blocks_, weights, costs_, 1).make(person_, explanation);
  }

  Table table_;
  Grid grid_;
  CodeMatrix codes_;
  RowBlocks blocks_{codes_, {}};
  CostScale costs_;
  std::vector<double> person_{10, 21, 1};
};

TEST_F(TrialTest, TheRecourseComesFirstThenItsNoisyCopiesThenTheDraws) {
  const Trial trial = make(found({rule(0, 70, 0.1), rule(1, 26, 0.1)}));
  ASSERT_EQ(trial.points.size(), 1u + 30u + 40u);
  EXPECT_EQ(trial.points[0], (std::vector<double>{70, 21, 1}));
  for (std::size_t i = 1; i <= 30; ++i) {
    EXPECT_NE(trial.points[i][0], 70);
    EXPECT_EQ(trial.points[i][1], 21);
    EXPECT_EQ(trial.points[i][2], 1);
  }
  for (std::size_t i = 31; i < 51; ++i) EXPECT_TRUE(trial.points[i][0] > 50 && trial.points[i][1] == 21);
  for (std::size_t i = 51; i < 71; ++i) EXPECT_TRUE(trial.points[i][0] == 10 && trial.points[i][1] > 24);
}

TEST_F(TrialTest, DrawsComeFromAllDonorsAndFromNobodyElse) {
  std::set<double> seen;
  for (std::size_t row = 0; row < 20; ++row)
    for (const auto& point : make(found({rule(0, 70, 0.1)}, row)).points | std::views::drop(31)) seen.insert(point[0]);
  EXPECT_EQ(seen, (std::set<double>{60, 70, 80, 90}));
}

TEST_F(TrialTest, ADonorWithoutWeightIsNeverDrawn) {
  std::vector<double> weights(10, 1.0);
  weights[6] = weights[9] = 0;
  std::set<double> seen;
  for (std::size_t row = 0; row < 20; ++row)
    for (const auto& point : make(found({rule(0, 70, 0.1)}, row), weights).points | std::views::drop(31))
      seen.insert(point[0]);
  EXPECT_EQ(seen, (std::set<double>{70, 80}));
}

TEST_F(TrialTest, NoisyIntegersStayWhole) {
  for (const auto& point : make(found({rule(1, 26, 0.1)})).points) EXPECT_EQ(point[1], std::round(point[1]));
}

TEST_F(TrialTest, NoiseHasTheStatedVarianceOnTheScaledFeature) {
  std::array<double, 3> squares{};
  for (std::size_t row = 0; row < 200; ++row) {
    const Trial trial = make(found({rule(0, 70, 0.1)}, row));
    for (std::size_t level = 0; level < 3; ++level)
      for (std::size_t copy = 0; copy < 10; ++copy)
        squares[level] += std::pow((trial.points[1 + level * 10 + copy][0] - 70) / 90, 2) / 2000;
  }
  for (std::size_t level = 0; level < 3; ++level)
    EXPECT_NEAR(squares[level], kNoiseVariances[level], 0.15 * kNoiseVariances[level]);
}

TEST_F(TrialTest, NamesAreNotNoisy) {
  person_ = {10, 21, 0};
  for (std::size_t i = 0; i < 31; ++i)
    EXPECT_EQ(make(found({rule(2, 1, 0.1)})).points[i], (std::vector<double>{10, 21, 1}));
}

TEST_F(TrialTest, OnlyRealChangesCount) {
  Rule both = rule(0, 70, -0.1);
  both.recourses[0].values.push_back({1, "age", {21, {}}});
  const Trial trial = make(found({both}));
  EXPECT_EQ(trial.person.recourse->changed, 1u);
  EXPECT_DOUBLE_EQ(trial.person.recourse->cost, costs_.change(0, 10, 70));
  EXPECT_FALSE(trial.person.recourse->plausible);
}

TEST_F(TrialTest, RulesBelowTheThresholdAreNotTried) {
  Explanation explanation = found({rule(0, 70, 0.1)});
  explanation.status = Status::below_threshold;
  const Trial trial = make(explanation);
  EXPECT_TRUE(trial.points.empty());
  EXPECT_TRUE(trial.person.rules.empty());
  EXPECT_FALSE(trial.already);
}

TEST_F(TrialTest, VerdictsGoWhereTheirPointsCameFrom) {
  Trial trial = make(found({rule(0, 70, 0.1), rule(1, 26, 0.1)}));
  std::vector<std::uint8_t> accepted(trial.points.size(), 0);
  accepted[0] = 1;
  for (std::size_t i = 1; i < 11; ++i) accepted[i] = 1;
  accepted[21] = 1;
  accepted[31] = accepted[32] = accepted[70] = 1;
  settle(trial.person, accepted);
  EXPECT_TRUE(trial.person.recourse->accepted);
  EXPECT_EQ(trial.person.recourse->stayed, (std::array<std::size_t, 3>{10, 0, 1}));
  EXPECT_EQ(trial.person.rules[0].accepted, 2u);
  EXPECT_EQ(trial.person.rules[1].accepted, 1u);
}

}  // namespace
}  // namespace cfrules
