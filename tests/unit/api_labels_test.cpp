// What the outcome column is: each source of labels must lead to probabilities that the model bears out.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "cfrules/credit.h"
#include "cfrules/error.h"
#include "cfrules/explainer.h"

namespace cfrules {
namespace {

// A model that decides by the law: approved (class 0) if more likely than not.
std::vector<double> decide(const Table& rows) {
  std::vector<double> answers;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    answers.push_back(credit_approval_probability(rows.schema(), rows.row(row)) > 0.5 ? 0.0 : 1.0);
  return answers;
}

FitOptions small(Labels labels) {
  FitOptions options;
  options.labels = labels;
  options.trees = 60;
  options.isolation_trees = 50;
  options.audit = 0;
  if (labels == Labels::model) options.labeller = decide;
  return options;
}

Explainer fitted(const FitOptions& options, std::size_t rows = 500) {
  CreditData data = credit_table(rows, 1);
  data.outcome.values = decide(data.table);
  return Explainer::fit(std::move(data.table), std::move(data.outcome), {}, options);
}

Evaluation judged(const Explainer& model, std::size_t people = 150) {
  const Target target = Target::parse("approved", model.outcome());
  return model.evaluate(credit_table(people, 2).table, {}, target, {}, decide, "the law's decision");
}

TEST(Labels, AModelThatCanBeAskedIsLearntBeyondItsRows) {
  const Explainer told = fitted(small(Labels::predicted));
  const Explainer asked = fitted(small(Labels::model));
  const auto right = [](const Explainer& model) {
    const Table people = credit_table(400, 5).table;
    const std::vector<double> said = model.predict(people), truth = decide(people);
    std::size_t same = 0;
    for (std::size_t i = 0; i < said.size(); ++i) same += said[i] == truth[i];
    return same;
  };
  EXPECT_GT(right(asked), right(told));
  const Evaluation evaluation = judged(asked);
  EXPECT_GT(evaluation.coverage, 0.5);
  EXPECT_NEAR(evaluation.stated, evaluation.donor_accuracy, 0.06);
}

TEST(Labels, GeneratedRowsStandBehindNoCell) {
  const Explainer model = fitted(small(Labels::model), 120);
  RegionSpec region;
  region.others = SideSpec::What::free;
  const RegionProbability all = model.probability(model.rows().row(0), region, Target::parse("approved", model.outcome()),
                                                  Estimator::paper, 5, true);
  for (const std::size_t rows : all.cells) EXPECT_EQ(rows, 120u);
  EXPECT_EQ(all.weights.size(), 120u);
}

FitOptions with_fresh_rows(std::size_t rows) {
  FitOptions options = small(Labels::predicted);
  options.fresh = credit_table(rows, 7).table;
  options.fresh_outcome = decide(*options.fresh);
  return options;
}

TEST(Labels, FreshRowsTeachAndStandBehindNoCell) {
  const Explainer told = fitted(small(Labels::predicted), 120);
  const Explainer taught = fitted(with_fresh_rows(600), 120);
  const auto right = [](const Explainer& model) {
    const Table people = credit_table(400, 5).table;
    const std::vector<double> said = model.predict(people), truth = decide(people);
    return std::inner_product(said.begin(), said.end(), truth.begin(), 0, std::plus<>(), std::equal_to<>());
  };
  EXPECT_GT(right(taught), right(told) + 10);
  EXPECT_EQ(taught.rows().rows(), 120u);
  RegionSpec region;
  region.others = SideSpec::What::free;
  const RegionProbability all = taught.probability(taught.rows().row(0), region,
                                                   Target::parse("approved", taught.outcome()), Estimator::paper, 5, true);
  for (const std::size_t rows : all.cells) EXPECT_EQ(rows, 120u);
  EXPECT_NE(taught.inspect().find("fresh rows"), std::string::npos);
}

TEST(Labels, FreshRowsWithoutAnAnswerAreLeftOut) {
  FitOptions options = with_fresh_rows(200);
  for (std::size_t row = 0; row < 150; ++row) options.fresh_outcome[row] = kUnknown;
  EXPECT_NE(fitted(options, 120).inspect().find("\"cases\": 50,"), std::string::npos);
}

TEST(Labels, FreshRowsWeighAsMuchAsTheRowsDo) {
  CreditData data = credit_table(150, 1);
  data.outcome.values = decide(data.table);
  const auto fit = [&](double weight) {
    return Explainer::fit(data.table, data.outcome, std::vector<double>(150, weight), with_fresh_rows(150));
  };
  const Table people = credit_table(100, 5).table;
  EXPECT_EQ(fit(1).predict_probability(people), fit(1024).predict_probability(people));
}

TEST(Labels, SomeFreshRowsAreHeldOutForTheAudit) {
  FitOptions options = with_fresh_rows(400);
  options.audit = 20;
  const Explainer model = fitted(options, 200);
  EXPECT_NE(model.inspect().find("nearest to the person"), std::string::npos);
  options = with_fresh_rows(60);  // too few to spare half of them
  options.audit = 20;
  EXPECT_NE(fitted(options, 200).inspect().find("\"audit\": null"), std::string::npos);
}

TEST(Labels, AModelThatAnswersTooFewRowsIsNamed) {
  FitOptions options = small(Labels::model);
  options.labeller = [](const Table& rows) { return std::vector<double>(rows.rows() - 1, 0.0); };
  EXPECT_THROW((void)fitted(options), InputError);
}

TEST(Labels, EstimationRowsOfATreeDoNotGoWithGeneratedRows) {
  FitOptions options = small(Labels::model);
  options.estimate = EstimateOn::oob;
  EXPECT_THROW((void)fitted(options), InputError);
}

// Labels learnt by heart look noisy out of bag; the simulated map must not believe the noise.
TEST(Labels, MemorisedAnswersAreReadMoreBoldlyThanPredictedOnes) {
  CreditData data = credit_table(500, 1);
  const auto stated = [&](Labels labels) {
    const Explainer model = Explainer::fit(data.table, data.outcome, {}, small(labels));
    const Target target = Target::parse("approved", model.outcome());
    double highest = 0;
    for (std::size_t row = 0; row < 20; ++row)
      highest = std::max(highest, model.probability(data.table.row(row), {}, target, Estimator::moved, 5, false).probability);
    return highest;
  };
  EXPECT_GT(stated(Labels::memorised), stated(Labels::predicted));
}

TEST(Labels, AnAuditByTheModelIsKeptAndGivesIntervals) {
  FitOptions options = small(Labels::model);
  options.audit = 30;
  const Explainer model = fitted(options);
  EXPECT_NE(model.inspect().find("asked about points drawn"), std::string::npos);
  const Target target = Target::parse("approved", model.outcome());
  std::size_t with_interval = 0, found = 0;
  model.explain(credit_table(60, 2).table, {}, target, {}, [&](Explanation&& answer) {
    if (answer.status != Status::found) return;
    ++found;
    const Probability& said = answer.rules.front().probability;
    if (said.held_out == 0) return;
    ++with_interval;
    EXPECT_LE(said.low, said.calibrated);
    EXPECT_GE(said.high, said.calibrated);
  });
  EXPECT_GT(found, 10u);
  EXPECT_EQ(with_interval, found);
}

TEST(Labels, APromiseSetsTheThresholdOrIsRefused) {
  FitOptions options = small(Labels::model);
  options.audit = 40;
  const Explainer model = fitted(options);
  const Target target = Target::parse("approved", model.outcome());
  ExplainOptions asked;
  asked.promise = 0.5;
  const ExplainOptions settled = model.with_promise(asked, target);
  EXPECT_GT(settled.min_probability, 0.3);
  EXPECT_TRUE(std::isnan(settled.promise));
  asked.promise = 0.9999;
  EXPECT_THROW((void)model.with_promise(asked, target), InputError);
  EXPECT_THROW((void)model.explain_region({}, target, asked), InputError);
  EXPECT_THROW((void)model.summarize(model.rows(), model.outcome().values, target, {.explain = asked}), InputError);
  asked.promise = 0.5;
  asked.min_probability = 0.9;
  EXPECT_THROW((void)model.with_promise(asked, target), InputError);
}

TEST(Labels, ObservedOutcomesAreAuditedByHeldOutRowsNearby) {
  CreditData data = credit_table(400, 1);
  FitOptions options = small(Labels::observed);
  options.audit = 10;
  const Explainer model = Explainer::fit(data.table, data.outcome, {}, options);
  EXPECT_NE(model.inspect().find("nearest to the person"), std::string::npos);
}

TEST(Labels, WithoutAnAuditNothingIsPromised) {
  const Explainer model = fitted(small(Labels::predicted), 200);
  ExplainOptions asked;
  asked.promise = 0.5;
  EXPECT_THROW((void)model.with_promise(asked, Target::parse("approved", model.outcome())), InputError);
}

}  // namespace
}  // namespace cfrules
