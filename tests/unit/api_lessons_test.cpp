// Rounds of lessons: the model is asked where the search goes, and the forest learns from it.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "cfrules/error.h"
#include "cfrules/explainer.h"

namespace cfrules {
namespace {

// Waves along three features: too fine for a few trees to follow everywhere, and a rule fails wherever the forest cuts
// a wave short.
std::vector<double> law(const Table& rows) {
  std::vector<double> answers;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::vector<double> x = rows.row(row);
    answers.push_back(50 + 40 * std::sin(9 * x[0] + 4 * x[1]) * std::cos(7 * x[2]));
  }
  return answers;
}

Table people(std::size_t rows, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test, 7);
  Schema schema;
  std::vector<std::vector<double>> columns;
  for (const char* name : {"a", "b", "c"}) {
    schema.push_back({name, Kind::number, {}});
    for (std::vector<double>& column = columns.emplace_back(); column.size() < rows;)
      column.push_back(random.uniform());
  }
  return {schema, columns};
}

FitOptions asking(std::size_t rounds) {
  FitOptions options;
  options.labels = Labels::model;
  options.labeller = law;
  options.trees = 20;
  options.isolation_trees = 20;
  options.audit = 0;
  options.rounds = rounds;
  return options;
}

// Enough where it does not matter what is learnt.
FitOptions hasty(std::size_t rounds) {
  FitOptions options = asking(rounds);
  options.trees = 3;
  options.isolation_trees = 5;
  return options;
}

Explainer fitted(const FitOptions& options, const Run& run = {}) {
  Table rows = people(200, 1);
  std::vector<double> answers = law(rows);
  return Explainer::fit(std::move(rows), {"y", {}, std::move(answers)}, {}, options, run);
}

Evaluation judged(const Explainer& model) {
  const Target target = Target::of_interval(70, 85, model.outcome());
  ExplainOptions options;
  options.rules = 1;
  return model.evaluate(people(100, 2), {}, target, options, law, "the law");
}

TEST(Lessons, RoundsBringTheForestNearerToTheLawWhereTheSearchGoes) {
  const Evaluation before = judged(fitted(asking(0))), after = judged(fitted(asking(2)));
  EXPECT_GT(after.coverage, before.coverage + 0.05);
  EXPECT_GT(after.donor_accuracy, before.donor_accuracy);
  EXPECT_LT(after.below_half, before.below_half);
  EXPECT_NEAR(after.stated, after.donor_accuracy, 0.02);
}

TEST(Lessons, TheModelIsAskedInOneBatchARound) {
  std::size_t batches = 0;
  const auto asked_with = [&](std::size_t rounds) {
    FitOptions options = hasty(rounds);
    options.labeller = [&](const Table& rows) {
      ++batches;
      return law(rows);
    };
    batches = 0;
    (void)fitted(options);
    return batches;
  };
  EXPECT_EQ(asked_with(0), 2u);  // the rows, the generated rows
  EXPECT_EQ(asked_with(1), 3u);
}

TEST(GeneratedRows, AreAsManyForEachRealRowAsWasAsked) {
  const auto asked_with = [](std::size_t generated) {
    FitOptions options = hasty(0);
    options.generated = generated;
    std::size_t rows_asked = 0;
    options.labeller = [&](const Table& rows) {
      rows_asked += rows.rows();
      return law(rows);
    };
    (void)fitted(options);
    return rows_asked;
  };
  EXPECT_EQ(asked_with(1), 200u + 2'000u);  // the table counts as 2,000 rows, being so small
  EXPECT_EQ(asked_with(3), 200u + 6'000u);
  EXPECT_THROW(asked_with(0), InputError);
  EXPECT_THROW(asked_with(101), InputError);
}

TEST(Lessons, AnyNumberOfThreadsLearnsTheSame) {
  const FitOptions options = hasty(1);
  EXPECT_EQ(fitted(options, {1, {}, {}}).checksum(), fitted(options, {2, {}, {}}).checksum());
}

TEST(Lessons, WithoutAModelToAskThereAreNoRounds) {
  FitOptions options = hasty(1);
  options.labels = Labels::predicted;
  EXPECT_THROW((void)fitted(options), InputError);
}

TEST(Lessons, LessonsAreNobodyBehindACell) {
  const Explainer model = fitted(hasty(1));
  RegionSpec region;
  region.others = SideSpec::What::free;
  const RegionProbability all = model.probability(
      model.rows().row(0), region, Target::of_interval(70, 85, model.outcome()), Estimator::paper, 5, true);
  for (const std::size_t rows : all.cells) EXPECT_EQ(rows, 200u);
  EXPECT_EQ(all.weights.size(), 200u);
}

}  // namespace
}  // namespace cfrules
