#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cfrules/error.h"
#include "forest/sampler.h"
#include "forest/trainer.h"
#include "unit/forest_slow_trainer.h"
#include "unit/forest_test_data.h"

namespace cfrules {
namespace {

using testing_data::Problem;
using testing_data::random_problem;
using testing_data::SlowTrainer;

void expect_same_tree(const Tree& tree, const SlowTrainer& slow) {
  ASSERT_EQ(tree.nodes.size(), slow.nodes.size());
  const std::size_t outputs = tree.leaf_values.size() / tree.leaves();
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    const SlowTrainer::Grown& other = slow.nodes[node];
    ASSERT_EQ(tree.nodes[node].is_leaf(), other.leaf);
    if (!other.leaf) {
      ASSERT_EQ(tree.nodes[node].split_feature(), other.split.feature);
      ASSERT_EQ(tree.nodes[node].cut, other.split.cut);
      ASSERT_EQ(static_cast<std::size_t>(tree.nodes[node].left), other.left);
      continue;
    }
    for (std::size_t c = 0; c < outputs; ++c)
      ASSERT_NEAR(tree.leaf_values[tree.nodes[node].leaf_id() * outputs + c], other.value[c], 1e-12);
  }
}

void expect_rows_in_order(const Problem& problem, const Tree& tree) {
  ASSERT_EQ(tree.node_rows.size(), tree.nodes.size());
  ASSERT_EQ(tree.node_rows[0].begin, 0u);
  ASSERT_EQ(tree.node_rows[0].end, tree.rows.size());
  std::size_t next_begin = 0;
  std::vector<std::size_t> node_of_leaf(tree.leaves());
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].is_leaf()) {
      node_of_leaf[tree.nodes[node].leaf_id()] = node;
      continue;
    }
    const auto left = static_cast<std::size_t>(tree.nodes[node].left);
    ASSERT_GT(left, node);
    ASSERT_EQ(tree.node_rows[left].begin, tree.node_rows[node].begin);
    ASSERT_EQ(tree.node_rows[left].end, tree.node_rows[left + 1].begin);
    ASSERT_EQ(tree.node_rows[left + 1].end, tree.node_rows[node].end);
  }
  for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
    const RowRange range = tree.node_rows[node_of_leaf[leaf]];
    ASSERT_EQ(range.begin, next_begin);
    next_begin = range.end;
    ASSERT_TRUE(std::is_sorted(tree.rows.begin() + range.begin, tree.rows.begin() + range.end));
    for (std::size_t i = range.begin; i < range.end; ++i)
      ASSERT_EQ(tree.leaf_of(testing_data::codes_of_row(problem.codes, tree.rows[i])), leaf);
  }
}

TrainOptions random_options(RandomStream& random, const Problem& problem) {
  TrainOptions options;
  options.trees = 2;
  options.depth = random.below(3) == 0 ? 1 + random.below(4) : 0;
  options.min_leaf = 1 + random.below(4) * random.below(3);
  options.features_per_split = random.below(problem.codes.columns.size() + 2);
  options.bootstrap = random.below(3) != 0;
  options.subsample = random.below(2) == 0 ? 1.0 : 0.6;
  options.estimation_rows = static_cast<EstimationRows>(random.below(3));
  if (problem.classes > 0 && random.below(3) == 0)
    for (std::size_t c = 0; c < problem.classes; ++c)
      options.class_weights.push_back(0.5 * static_cast<double>(1 + random.below(4)));
  options.seed = random.next64();
  return options;
}

TEST(Trainer, GrowsTheTreeThatCountingEveryCutAfreshGrows) {
  for (std::uint64_t id = 0; id < 600; ++id) {
    RandomStream random(3, Purpose::test, id);
    const Problem problem = random_problem(random, 2 + random.below(300));
    const TrainOptions options = random_options(random, problem);
    const GrownForest grown = train_forest(problem.training_set(), options, {1, {}, {}});
    std::vector<double> importance(problem.codes.columns.size()), counts(importance.size());
    double sum = 0;
    for (std::size_t tree = 0; tree < options.trees; ++tree) {
      const SlowTrainer slow(problem, options, tree);
      ASSERT_NO_FATAL_FAILURE(expect_same_tree(grown.forest.trees[tree], slow)) << "case " << id;
      ASSERT_NO_FATAL_FAILURE(expect_rows_in_order(problem, grown.forest.trees[tree])) << "case " << id;
      for (const SlowTrainer::Grown& node : slow.nodes) {
        if (node.leaf) continue;
        importance[node.split.feature] += node.decrease;
        sum += node.decrease;
        ++counts[node.split.feature];
      }
    }
    EXPECT_EQ(grown.forest.split_counts, counts);
    for (std::size_t feature = 0; feature < importance.size(); ++feature)
      EXPECT_NEAR(grown.forest.importance[feature], sum > 1e-9 ? importance[feature] / sum : 0, 1e-6) << "case " << id;
  }
}

TEST(Trainer, SplitsATableWorkedByHand) {
  // Codes 1 1 4 4 of one feature, classes 0 0 1 1: the gap 1..3 holds the cuts 1, 2, 3; the middle one is 2.
  Problem problem;
  problem.codes = {4, {{1, 1, 4, 4}}};
  problem.outcome = {0, 0, 1, 1};
  problem.classes = 2;
  TrainOptions options;
  options.trees = 1;
  options.bootstrap = false;
  const GrownForest grown = train_forest(problem.training_set(), options, {});
  const Tree& tree = grown.forest.trees[0];
  ASSERT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[0].cut, 2);
  EXPECT_EQ(tree.leaf_values, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(tree.rows, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(grown.forest.importance, std::vector<double>{1});
  EXPECT_TRUE(std::isnan(grown.out_of_bag_score));
  EXPECT_TRUE(std::isnan(grown.out_of_bag.means[0]));
}

TEST(Trainer, MissingIsPartedFromAllValuesWhateverTheGap) {
  Problem problem;
  problem.codes = {4, {{0, 0, 9, 9}}};
  problem.outcome = {0, 0, 1, 1};
  problem.classes = 2;
  TrainOptions options;
  options.trees = 1;
  options.bootstrap = false;
  EXPECT_EQ(train_forest(problem.training_set(), options, {}).forest.trees[0].nodes[0].cut, 0);
}

TEST(Trainer, SplitsWithoutGainWhenOnlyTheNextSplitGains) {
  Problem problem;  // exclusive or
  problem.codes = {4, {{1, 1, 2, 2}, {1, 2, 1, 2}}};
  problem.outcome = {0, 1, 1, 0};
  problem.classes = 2;
  TrainOptions options;
  options.trees = 1;
  options.bootstrap = false;
  const GrownForest grown = train_forest(problem.training_set(), options, {});
  EXPECT_EQ(grown.forest.trees[0].leaves(), 4u);
}

TEST(Trainer, GivesTheSameForestForAnyThreadCount) {
  RandomStream random(4, Purpose::test, 0);
  for (int round = 0; round < 6; ++round) {
    const Problem problem = random_problem(random, 400);
    TrainOptions options = random_options(random, problem);
    options.trees = 25;
    const GrownForest one = train_forest(problem.training_set(), options, {1, {}, {}});
    for (const unsigned threads : {2u, 7u}) {
      const GrownForest other = train_forest(problem.training_set(), options, {threads, {}, {}});
      EXPECT_EQ(one.forest.importance, other.forest.importance);
      EXPECT_EQ(one.out_of_bag.trees, other.out_of_bag.trees);
      ASSERT_EQ(one.out_of_bag.means.size(), other.out_of_bag.means.size());
      for (std::size_t i = 0; i < one.out_of_bag.means.size(); ++i) {
        const double a = one.out_of_bag.means[i], b = other.out_of_bag.means[i];
        ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
      }
      for (std::size_t tree = 0; tree < options.trees; ++tree) {
        EXPECT_EQ(one.forest.trees[tree].rows, other.forest.trees[tree].rows);
        EXPECT_EQ(one.forest.trees[tree].leaf_values, other.forest.trees[tree].leaf_values);
      }
    }
  }
}

TEST(Trainer, AveragesWhatTheTreesThatDidNotDrawARowSayOfIt) {
  for (std::uint64_t id = 0; id < 60; ++id) {
    RandomStream random(5, Purpose::test, id);
    const Problem problem = random_problem(random, 5 + random.below(60));
    TrainOptions options = random_options(random, problem);
    options.trees = 9;
    const GrownForest grown = train_forest(problem.training_set(), options, {2, {}, {}});
    const std::size_t outputs = grown.forest.outputs, channels = grown.out_of_bag.channels;
    ASSERT_EQ(channels, problem.classes == 0 ? 2 : problem.classes);
    const SamplingUnits units(problem.codes.rows, problem.groups);
    std::vector<double> sums(problem.codes.rows * channels);
    std::vector<std::uint32_t> trees(problem.codes.rows);
    for (std::size_t tree = 0; tree < options.trees; ++tree) {
      RandomStream stream(options.seed, Purpose::tree, tree);
      const Draw draw = draw_units(units, options, stream);
      std::vector<std::uint32_t> expected_rows;
      for (std::uint32_t row = 0; row < problem.codes.rows; ++row) {
        const bool unseen = draw.times[units.of_row(row)] == 0;
        const bool estimates = options.estimation_rows == EstimationRows::all ||
                               (options.estimation_rows == EstimationRows::oob && unseen) ||
                               (options.estimation_rows == EstimationRows::honest && draw.held_out[units.of_row(row)]);
        if (estimates) expected_rows.push_back(row);
        if (!unseen) continue;
        const Tree& said = grown.forest.trees[tree];
        const double* value = &said.leaf_values[said.leaf_of(testing_data::codes_of_row(problem.codes, row)) * outputs];
        for (std::size_t c = 0; c < channels; ++c)
          sums[row * channels + c] += problem.classes == 0 && c == 1 ? value[0] * value[0] : value[c];
        ++trees[row];
      }
      std::vector<std::uint32_t> rows = grown.forest.trees[tree].rows;
      std::sort(rows.begin(), rows.end());
      EXPECT_EQ(rows, expected_rows);
    }
    EXPECT_EQ(grown.out_of_bag.trees, trees);
    for (std::size_t row = 0; row < trees.size(); ++row)
      for (std::size_t c = 0; c < channels; ++c) {
        if (trees[row] == 0)
          EXPECT_TRUE(std::isnan(grown.out_of_bag.means[row * channels + c]));
        else
          EXPECT_EQ(grown.out_of_bag.means[row * channels + c], sums[row * channels + c] / trees[row]);
      }
  }
}

TEST(Trainer, ScoresTheLeftOutRows) {
  Problem problem;
  problem.classes = 2;
  problem.codes = {400, {{}}};
  for (int row = 0; row < 400; ++row) {
    problem.codes.columns[0].push_back(static_cast<std::uint8_t>(1 + row % 20));
    problem.outcome.push_back(row % 20 < 10 ? 0 : 1);
  }
  TrainOptions options;
  options.trees = 30;
  EXPECT_EQ(train_forest(problem.training_set(), options, {}).out_of_bag_score, 1.0);
  problem.classes = 0;
  EXPECT_NEAR(train_forest(problem.training_set(), options, {}).out_of_bag_score, 1.0, 1e-12);
}

TEST(Trainer, ALargeCommonOffsetOfTheOutcomeChangesNoSplit) {
  RandomStream random(6, Purpose::test, 0);
  Problem problem = random_problem(random, 200);
  problem.classes = 0;
  problem.weights.clear();
  for (double& value : problem.outcome) value = static_cast<double>(random.below(8));
  TrainOptions options;
  options.trees = 5;
  const GrownForest plain = train_forest(problem.training_set(), options, {});
  for (double& value : problem.outcome) value += 1099511627776;
  const GrownForest moved = train_forest(problem.training_set(), options, {});
  for (std::size_t tree = 0; tree < options.trees; ++tree)
    EXPECT_EQ(plain.forest.trees[tree].rows, moved.forest.trees[tree].rows);
}

TEST(Trainer, ARowWithoutWeightChangesNothingButItself) {
  Problem problem;
  problem.codes = {4, {{1, 2, 3, 4}}};
  problem.outcome = {0, 1, 0, 1};
  problem.classes = 2;
  problem.weights = {1, 0, 1, 1};
  TrainOptions options;
  options.trees = 1;
  options.bootstrap = false;
  const GrownForest grown = train_forest(problem.training_set(), options, {});
  EXPECT_EQ(grown.forest.trees[0].leaves(), 2u);
  EXPECT_EQ(grown.forest.trees[0].nodes[0].cut, 3);
  EXPECT_EQ(grown.forest.trees[0].rows.size(), 4u);
}

TEST(Trainer, ATreeThatDrewOnlyRowsWithoutWeightSaysWhatAllRowsSay) {
  Problem problem;
  problem.codes = {3, {{1, 2, 3}}};
  problem.outcome = {5, 7, 9};
  problem.weights = {0, 0, 2};
  TrainOptions options;
  options.trees = 40;
  const GrownForest grown = train_forest(problem.training_set(), options, {});
  for (const Tree& tree : grown.forest.trees) EXPECT_EQ(tree.leaf_values, std::vector<double>{9});
}

template <class Change>
void expect_refused(const Change& change, const std::string& sentence) {
  Problem problem;
  problem.codes = {2, {{1, 2}}};
  problem.outcome = {0, 1};
  problem.classes = 2;
  TrainOptions options;
  change(problem, options);
  try {
    (void)train_forest(problem.training_set(), options, {});
    FAIL() << "accepted: " << sentence;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), sentence);
  }
}

TEST(Trainer, RefusesWhatItCannotTrainOn) {
  expect_refused([](Problem& problem, TrainOptions&) { problem.outcome = {0, 2}; },
                 "the outcome of row 1 is 2; it must be a class from 0 to 1");
  expect_refused([](Problem& problem, TrainOptions&) { problem.weights = {1, -1}; },
                 "row weight 1 is -1; a weight is a number from 0 to 1e15");
  expect_refused([](Problem& problem, TrainOptions&) { problem.weights = {0, 0}; },
                 "every row weight is 0; at least one must be above 0");
  expect_refused([](Problem& problem, TrainOptions&) { problem.codes = {0, {{}}}; },
                 "there are no training rows; at least one is needed");
  expect_refused([](Problem& problem, TrainOptions&) { problem.codes.columns.clear(); },
                 "there are no features to train on; at least one is needed");
  expect_refused([](Problem& problem, TrainOptions&) { problem.groups = {1}; },
                 "the column of groups has 1 entries, but the training rows are 2");
  expect_refused([](Problem&, TrainOptions& options) { options.trees = 0; },
                 "the number of trees is 0; at least 1 is needed");
  expect_refused([](Problem&, TrainOptions& options) { options.subsample = 1.5; },
                 "the subsample is 1.5; it is a share above 0 and at most 1");
  expect_refused([](Problem&, TrainOptions& options) { options.class_weights = {1}; },
                 "there are 1 class weights for 2 classes; give one for each");
}

TEST(Trainer, StopsWhenAsked) {
  RandomStream random(7, Purpose::test, 0);
  const Problem problem = random_problem(random, 50);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW((void)train_forest(problem.training_set(), {}, {2, stop.get_token(), {}}), Interrupted);
}

}  // namespace
}  // namespace cfrules
