// The conditional reading of a region against the twin, on random forests and regions.
#include "region/conditional.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/naive.h"
#include "support/world.h"

namespace cfrules::test {
namespace {

constexpr double kTolerance = 1e-12;

std::vector<std::size_t> sorted_cell(const World& world, std::size_t tree, const Region& region, const CellRule& rule) {
  const auto cell = world.conditional.cell(world.grown.forest.trees[tree], region, rule);
  std::vector<std::size_t> rows(cell.begin(), cell.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

void expect_same_reading(const World& world, const naive::Forest& twin, const Region& region, const CellRule& rule) {
  const naive::Question question{twin.region(region), rule.estimator, rule.min_rows};
  for (std::size_t tree = 0; tree < twin.trees(); ++tree)
    ASSERT_EQ(sorted_cell(world, tree, region, rule), twin.cell(tree, question)) << "tree " << tree;
  const std::vector<double> weights = world.conditional.row_weights(region, rule);
  const std::vector<double> expected = twin.row_weights(question);
  double sum = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    ASSERT_NEAR(weights[row], expected[row], kTolerance) << "row " << row;
    sum += weights[row];
  }
  const double probability = world.conditional.probability(region, world.forest.hits(), rule);
  if (std::isnan(probability)) {
    EXPECT_EQ(sum, 0) << "unknown only where no tree has a row";
    return;
  }
  EXPECT_NEAR(sum, 1, kTolerance);
  EXPECT_NEAR(probability, twin.probability(question, world.forest.hits()), kTolerance);
}

TEST(ConditionalOracle, CellsWeightsAndProbabilitiesAreTheTwins) {
  for (std::uint64_t id = 0; id < 1500; ++id) {
    RandomStream random = test_stream(1, id);
    const World world = random_world(random_options(random), random);
    const naive::Forest twin(world.grown.forest, world.grid, world.table, world.weights);
    for (int each = 0; each < 6; ++each) {
      const Region region = world.random_region(world.random_person(random), random);
      const std::size_t min_rows = random.below(2) == 0 ? random.below(3) : random.below(25);
      for (const Estimator estimator : kEstimators) {
        SCOPED_TRACE(testing::Message() << "case " << id << "." << each << " " << name_of(estimator) << " min_rows "
                                        << min_rows);
        expect_same_reading(world, twin, region, {estimator, min_rows});
        if (HasFailure()) return;
      }
    }
  }
}

// The same trees, but at one split missing goes right: cells are then walked to, not looked up. (A cut of 0 would leave
// nothing to go left.)
Forest with_missing_right(Forest forest) {
  for (Tree& tree : forest.trees)
    if (!tree.nodes.front().is_leaf() && tree.nodes.front().cut > 0) tree.nodes.front().feature |= Node::kMissingRight;
  forest.small_trees = {};
  return forest;
}

// Sets of features, and the base with all of them free.
std::pair<std::vector<std::vector<std::size_t>>, Region> random_sets(const World& world, const Region& base,
                                                                     RandomStream& random) {
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t i = 0; i < 1 + random.below(12); ++i)
    sets.push_back(world.random_features(random.below(world.table.features() + 1), random));
  Region free = base;
  for (const auto& set : sets)
    for (const std::size_t feature : set) free.free(feature, world.grid);
  return {std::move(sets), std::move(free)};
}

// Many sets of features at once share their work; each alone must say the same, to the bit.
TEST(ConditionalOracle, SetsAskedTogetherSayWhatEachSaysAlone) {
  for (std::uint64_t id = 0; id < 400; ++id) {
    RandomStream random = test_stream(3, id);
    const World world = random_world(random_options(random), random);
    const CodedPerson person = world.random_person(random);
    const Region base = random.below(2) == 0 ? Region::at(person.codes) : world.random_region(person, random);
    const auto [sets, free] = random_sets(world, base, random);
    const CellRule rule{kEstimators[random.below(3)], random.below(12)};
    const Forest walked = with_missing_right(world.grown.forest);
    const Conditional walking(walked, world.codes, {});
    const Conditional& conditional = random.below(2) == 0 ? world.conditional : walking;
    const Hits hits = conditional.mark(world.context.hits.flags);
    const std::vector<double> together = conditional.probabilities(base, free, sets, hits, rule);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      Region region = base;
      for (const std::size_t feature : sets[i]) region.free(feature, world.grid);
      const double alone = conditional.probability(region, hits, rule);
      if (!std::isnan(alone)) {
        ASSERT_EQ(together[i], alone) << "case " << id << " set " << i;
      }
    }
  }
}

// Where the last answer was found is looked first; no answer may depend on it.
TEST(ConditionalOracle, QuestionsAskedOneAfterTheOtherSayWhatEachSaysAlone) {
  for (std::uint64_t id = 0; id < 200; ++id) {
    RandomStream random = test_stream(5, id);
    const World world = random_world(random_options(random), random);
    const Forest walked = with_missing_right(world.grown.forest);
    const Conditional walking(walked, world.codes, {});
    const Conditional& conditional = random.below(2) == 0 ? world.conditional : walking;
    const Hits hits = conditional.mark(world.context.hits.flags);
    CellScratch kept = conditional.scratch();
    for (std::size_t i = 0; i < 12; ++i) {
      const Region region = world.random_region(world.random_person(random), random);
      const CellRule rule{kEstimators[random.below(3)], random.below(25)};
      const double alone = conditional.probability(region, hits, rule);
      const double after_others = conditional.probability(region, hits, rule, kept);
      ASSERT_TRUE(after_others == alone || (std::isnan(after_others) && std::isnan(alone)))
          << "case " << id << "." << i << ": " << after_others << ", not " << alone;
    }
  }
}

// Sets are heard until they are seen to stay below a probability, and may be heard on later with a lower one.
TEST(ConditionalOracle, SetsThatReachAProbabilityAreHeardToTheEndAndTheOthersStayBelowIt) {
  for (std::uint64_t id = 0; id < 200; ++id) {
    RandomStream random = test_stream(4, id);
    const World world = random_world(random_options(random), random);
    const Region base = Region::at(world.random_person(random).codes);
    const auto [sets, free] = random_sets(world, base, random);
    const CellRule rule{kEstimators[random.below(3)], random.below(12)};
    const std::vector<double> all = world.conditional.probabilities(base, free, sets, world.context.hits, rule);
    std::vector<MeanShare> means(sets.size(), MeanShare(world.grown.forest.trees.size()));
    for (const double least : {0.9, 0.4, 0.0}) {
      world.conditional.hear(base, free, sets, world.context.hits, rule, least, means);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        if (all[i] >= least) {
          ASSERT_EQ(means[i].value(), all[i]) << "case " << id << " set " << i;
        } else if (!std::isnan(all[i])) {
          ASSERT_LT(means[i].value(), least) << "case " << id << " set " << i;
        }
      }
    }
  }
}

TEST(ConditionalOracle, EveryRowEstimatesUnlessTheForestWasAskedOtherwise) {
  for (std::uint64_t id = 0; id < 60; ++id) {
    RandomStream random = test_stream(2, id);
    WorldOptions options = random_options(random);
    options.forest.estimation_rows = EstimationRows::all;
    const World world = random_world(options, random);
    const Region everything = Region::everything(world.grid);
    for (const Tree& tree : world.grown.forest.trees)
      EXPECT_EQ(world.conditional.cell(tree, everything, {Estimator::paper, 5}).size(), world.table.rows());
  }
}

}  // namespace
}  // namespace cfrules::test
