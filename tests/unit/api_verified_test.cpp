// Rules put to the model before they are offered.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cfrules/credit.h"
#include "cfrules/error.h"
#include "cfrules/explainer.h"
#include "cfrules/write.h"

namespace cfrules {
namespace {

constexpr double kApproved = 0, kRejected = 1;

// A model that decides by the law.
std::vector<double> decide(const Table& rows) {
  std::vector<double> answers;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    answers.push_back(credit_approval_probability(rows.schema(), rows.row(row)) > 0.5 ? kApproved : kRejected);
  return answers;
}

Labeller always(double answer) {
  return [answer](const Table& rows) { return std::vector<double>(rows.rows(), answer); };
}

class VerifiedTest : public testing::Test {
 protected:
  VerifiedTest() : explainer_(fitted()), target_(Target::parse("approved", explainer_.outcome())) {
    options_.verify = decide;
    options_.min_probability = 0.9;
  }

  static Explainer fitted() {
    CreditData data = credit_table(400, 1);
    data.outcome.values = decide(data.table);
    FitOptions options;
    options.labels = Labels::predicted;
    options.trees = 60;
    options.isolation_trees = 50;
    options.audit = 0;
    return Explainer::fit(std::move(data.table), std::move(data.outcome), {}, options);
  }

  std::vector<Explanation> explain(const Table& people, unsigned threads = 2) const {
    std::vector<Explanation> answers;
    explainer_.explain(people, {}, target_, options_,
                       [&](Explanation&& answer) { answers.push_back(std::move(answer)); }, {threads, {}, {}});
    return answers;
  }

  Explainer explainer_;
  Target target_;
  ExplainOptions options_;
};

TEST_F(VerifiedTest, WhatIsStatedIsWhatComesTrue) {
  const Table people = credit_table(250, 2).table;
  const auto judged = [&](const ExplainOptions& options) {
    return explainer_.evaluate(people, decide(people), target_, options, decide, "the law's decision");
  };
  const Evaluation verified = judged(options_);
  options_.verify = {};
  const Evaluation believed = judged(options_);
  EXPECT_GT(verified.people, 50u);
  EXPECT_GE(verified.coverage, believed.coverage);
  EXPECT_GT(verified.donor_accuracy, believed.donor_accuracy + 0.02);
  EXPECT_LE(verified.sparsity, believed.sparsity);
  EXPECT_NEAR(verified.stated, verified.donor_accuracy, 0.015);
  EXPECT_EQ(verified.below_half, 0);
  EXPECT_EQ(verified.accuracy_found, 1);
}

TEST_F(VerifiedTest, EveryRuleOfferedWasBorneOutByTheModel) {
  options_.recourse.per_rule = 2;
  std::size_t found = 0, recourses = 0;
  const Table people = credit_table(120, 2).table;
  for (const Explanation& answer : explain(people)) {
    if (answer.status != Status::found) continue;
    ++found;
    for (const Rule& rule : answer.rules) {
      EXPECT_TRUE(rule.probability.verified);
      EXPECT_EQ(rule.probability.held_out, 200u);
      EXPECT_GE(rule.probability.stated(), 0.9);
      EXPECT_LE(rule.probability.low, rule.probability.stated());
      EXPECT_GE(rule.probability.high, rule.probability.stated());
      EXPECT_LE(rule.recourses.size(), 2u);
      for (const Recourse& recourse : rule.recourses) {
        ++recourses;
        std::vector<double> moved = people.row(answer.row);
        for (const ChangedValue& value : recourse.values) moved[value.index] = value.cell.value;
        EXPECT_GT(credit_approval_probability(people.schema(), moved), 0.5);
      }
    }
  }
  EXPECT_GT(found, 20u);
  EXPECT_GT(recourses, found);
}

TEST_F(VerifiedTest, AModelThatAcceptsNothingLeavesNoRule) {
  options_.verify = always(kRejected);
  options_.max_features = 2;
  for (const Explanation& answer : explain(credit_table(30, 2).table)) {
    EXPECT_NE(answer.status, Status::found);
    EXPECT_NE(answer.status, Status::already_in_target);
    for (const Rule& rule : answer.rules) {
      EXPECT_EQ(rule.probability.stated(), 0);
      EXPECT_TRUE(rule.recourses.empty());
    }
  }
}

TEST_F(VerifiedTest, WhoTheModelAcceptsAlreadyNeedsNothing) {
  options_.verify = always(kApproved);
  for (const Explanation& answer : explain(credit_table(30, 2).table))
    EXPECT_EQ(answer.status, Status::already_in_target);
}

TEST_F(VerifiedTest, AnAnswerDependsOnThePersonAlone) {
  const Table many = credit_table(560, 2).table;  // more than are asked about at once
  std::vector<std::size_t> first(530);
  for (std::size_t row = 0; row < first.size(); ++row) first[row] = row;
  options_.rules = 1;
  options_.max_features = 1;
  const std::vector<Explanation> one_thread = explain(many, 1), some = explain(many.select(first), 4);
  ASSERT_EQ(one_thread.size(), 560u);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(to_json(one_thread[i], ""), to_json(some[i], ""));
}

TEST_F(VerifiedTest, ConstraintsAreKept) {
  options_.constraints.features = {{.feature = "savings", .direction = Direction::immutable}};
  std::size_t found = 0;
  for (const Explanation& answer : explain(credit_table(60, 2).table)) {
    found += answer.status == Status::found;
    for (const Rule& rule : answer.rules)
      for (const Condition& side : rule.conditions) EXPECT_NE(side.feature, "savings");
  }
  EXPECT_GT(found, 3u);
}

TEST_F(VerifiedTest, NoMoreIsChangedThanTheConstraintsAllow) {
  options_.constraints.max_changes = 1;
  options_.min_probability = 0.99;  // hard enough that two changes would be tempting
  std::size_t without = 0;
  for (const Explanation& answer : explain(credit_table(60, 2).table)) {
    without += answer.status != Status::found && answer.status != Status::already_in_target;
    for (const Rule& rule : answer.rules) EXPECT_EQ(rule.conditions.size(), 1u);
  }
  EXPECT_GT(without, 0u);
}

TEST_F(VerifiedTest, OnlyTheSparsestSearchForSinglePeopleIsVerified) {
  const Table people = credit_table(3, 2).table;
  EXPECT_THROW((void)explainer_.explain_region({}, target_, options_), InputError);
  EXPECT_THROW((void)explainer_.summarize(people, {}, target_, {.explain = options_}), InputError);
  options_.search = Search::divergent;
  EXPECT_THROW((void)explain(people), InputError);
  options_.search = Search::sparsest;
  options_.estimator = Estimator::paper;
  EXPECT_THROW((void)explain(people), InputError);
}

TEST_F(VerifiedTest, AModelThatAnswersTooFewRowsIsNamed) {
  options_.verify = [](const Table& rows) { return std::vector<double>(rows.rows() - 1, kApproved); };
  EXPECT_THROW((void)explain(credit_table(3, 2).table), InputError);
}

TEST_F(VerifiedTest, AStopEndsIt) {
  std::stop_source stop;
  options_.verify = [&](const Table& rows) {
    stop.request_stop();
    return std::vector<double>(rows.rows(), kRejected);
  };
  EXPECT_THROW(explainer_.explain(credit_table(30, 2).table, {}, target_, options_, [](Explanation&&) {},
                                  {1, stop.get_token(), {}}),
               Interrupted);
}

}  // namespace
}  // namespace cfrules
