#include <gtest/gtest.h>

#include <cmath>

#include "cfrules/error.h"
#include "cfrules/write.h"
#include "small_model.h"

namespace cfrules {
namespace {

class EvaluateTest : public testing::Test {
 protected:
  EvaluateTest()
      : data_(small_model::random_data(300, 4, 6, 3)),
        explainer_(small_model::fit(data_)),
        target_(Target::parse("yes", data_.outcome)),
        people_(small_model::random_data(60, 4, 6, 4).table) {
    options_.min_probability = 0.75;
  }

  Evaluation evaluate(const Labeller& judge, unsigned threads = 1) const {
    return explainer_.evaluate(people_, {}, target_, options_, judge, "a judge", {threads, {}, {}});
  }
  static Labeller always(double answer) {
    return [answer](const Table& rows) { return std::vector<double>(rows.rows(), answer); };
  }

  small_model::Data data_;
  Explainer explainer_;
  Target target_;
  Table people_;
  ExplainOptions options_;
};

TEST_F(EvaluateTest, AJudgeWhoAcceptsAllMakesAccuracyCoverage) {
  const Evaluation evaluation = evaluate(always(1));
  EXPECT_EQ(evaluation.judged_by, "a judge");
  EXPECT_GT(evaluation.coverage, 0.2);
  EXPECT_DOUBLE_EQ(evaluation.accuracy, evaluation.coverage);
  EXPECT_DOUBLE_EQ(evaluation.accuracy_found, 1);
  EXPECT_DOUBLE_EQ(evaluation.donor_accuracy, 1);
  EXPECT_DOUBLE_EQ(evaluation.below_half, 0);
  EXPECT_EQ(evaluation.stability, (std::vector<double>{1, 1, 1}));
  EXPECT_GE(evaluation.sparsity, 1);
  EXPECT_GE(evaluation.stated, 0.75);
}

TEST_F(EvaluateTest, AJudgeWhoAcceptsNothingLeavesOnlyCoverage) {
  const Evaluation evaluation = evaluate(always(0));
  EXPECT_GT(evaluation.coverage, 0.2);
  EXPECT_DOUBLE_EQ(evaluation.accuracy, 0);
  EXPECT_DOUBLE_EQ(evaluation.donor_accuracy, 0);
  EXPECT_DOUBLE_EQ(evaluation.below_half, 1);
  EXPECT_TRUE(std::isnan(evaluation.stability[0]));
  EXPECT_NEAR(evaluation.calibration_error, evaluation.stated, 0.05);  // what is promised never happens
}

TEST_F(EvaluateTest, AnAnswerThatIsMissingIsARefusal) { EXPECT_DOUBLE_EQ(evaluate(always(kUnknown)).accuracy, 0); }

TEST_F(EvaluateTest, TheJudgeSeesEveryPointOnceAndPeopleAreThoseWhoAreExplained) {
  options_.recourse.per_rule = 1;
  std::size_t expected = 0, needy = 0, already = 0, found = 0;
  explainer_.explain(people_, {}, target_, options_, [&](Explanation&& explanation) {
    if (explanation.status == Status::already_in_target) return void(++already);
    ++needy;
    if (explanation.status != Status::found) return;
    ++found;
    if (!explanation.rules[0].recourses.empty()) expected += 31;
    expected += 20 * explanation.rules.size();
  });
  std::size_t rows = 0, calls = 0;
  const Evaluation evaluation = evaluate([&](const Table& points) {
    rows += points.rows();
    ++calls;
    return std::vector<double>(points.rows(), 1.0);
  });
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(calls, 1u);
  EXPECT_EQ(evaluation.people, needy);
  EXPECT_EQ(evaluation.already, already);
  EXPECT_DOUBLE_EQ(evaluation.coverage, static_cast<double>(found) / static_cast<double>(needy));
}

TEST_F(EvaluateTest, WithoutAJudgeTheForestJudgesItself) {
  const Evaluation own = evaluate({});
  EXPECT_EQ(own.judged_by, "the forest itself");
  const Evaluation same = evaluate([&](const Table& points) { return explainer_.predict(points); });
  EXPECT_DOUBLE_EQ(own.accuracy, same.accuracy);
  EXPECT_DOUBLE_EQ(own.donor_accuracy, same.donor_accuracy);
  EXPECT_GT(own.accuracy_found, 0.9);
}

TEST_F(EvaluateTest, ThreadsChangeNothingButTheTime) {
  Evaluation one = evaluate({}, 1), two = evaluate({}, 2);
  EXPECT_GT(one.seconds_per_person, 0);
  one.seconds_per_person = two.seconds_per_person = 0;
  EXPECT_EQ(to_json(one, "{}"), to_json(two, "{}"));
}

TEST_F(EvaluateTest, PeopleWhoHaveWhatTheyWantAreNotAsked) {
  const std::vector<double> outcomes(people_.rows(), 1.0);
  const Evaluation evaluation = explainer_.evaluate(people_, outcomes, target_, options_, always(1), "a judge");
  EXPECT_EQ(evaluation.people, 0u);
  EXPECT_EQ(evaluation.already, people_.rows());
  EXPECT_TRUE(std::isnan(evaluation.accuracy));
}

TEST_F(EvaluateTest, AJudgeMustAnswerForEveryRow) {
  EXPECT_THROW((void)evaluate([](const Table&) { return std::vector<double>{1.0}; }), InputError);
}

}  // namespace
}  // namespace cfrules
