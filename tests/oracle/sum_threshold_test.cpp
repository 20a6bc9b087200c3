// Quick answers from sums against the probability itself, far from the threshold and right at it.
#include "region/sum_threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/world.h"

namespace cfrules::test {
namespace {

LeafSums random_sums(const TargetForest& forest, RandomStream& random) {
  LeafSums sums;
  const double centre = random.uniform();
  const double spread = random.below(4) == 0 ? 0.0 : 0.2 * random.uniform();
  for (std::size_t tree = 0; tree < forest.forest().trees.size(); ++tree) {
    const double value = std::clamp(centre + spread * (random.uniform() - 0.5), 0.0, 1.0);
    sums.first += to_fixed(value);
    if (forest.numeric()) sums.second += to_fixed(value * value);
  }
  return sums;
}

TEST(SumThresholdOracle, AnswersAsTheProbabilityDoes) {
  std::size_t reached = 0;
  for (std::uint64_t id = 0; id < 200; ++id) {
    RandomStream random = test_stream(31, id);
    const World world = random_world(random_options(random), random);
    for (int each = 0; each < 200; ++each) {
      const LeafSums sums = random_sums(world.forest, random);
      const double probability = world.forest.probability(sums);
      for (const double wanted : {random.uniform(), probability, std::nextafter(probability, 2.0), 0.0, 1.0}) {
        ASSERT_EQ(SumThreshold(world.forest, wanted).reached(sums), probability >= wanted)
            << "case " << id << " wanted " << wanted;
        reached += probability >= wanted ? 1 : 0;
      }
    }
  }
  EXPECT_GT(reached, 1000u);
}

// Far from zero rounding is coarse, and a mean next to a border counts as on it.
TEST(SumThresholdOracle, BordersFarFromZeroAreNotMissed) {
  std::size_t reached = 0;
  for (std::uint64_t id = 0; id < 60; ++id) {
    RandomStream random = test_stream(32, id);
    WorldOptions options = random_options(random);
    options.classes = 0;
    Draft draft = random_draft(options, random);
    for (double& value : draft.outcome.values) value += 1e9;
    const auto [least, most] = std::minmax_element(draft.outcome.values.begin(), draft.outcome.values.end());
    const double low = *least, range = std::max(*most - *least, 1e-9);
    const Target target = random_target(draft.outcome, random);
    const World world(std::move(draft), target, options);
    for (int each = 0; each < 100; ++each) {
      const double border = random.below(2) == 0 ? target.low() : target.high();
      if (!std::isfinite(border)) continue;
      const double value = (border - low) / range + 2e-3 * (random.uniform() - 0.5) / range;
      LeafSums sums;
      for (std::size_t tree = 0; tree < world.forest.forest().trees.size(); ++tree) {
        sums.first += to_fixed(value);
        sums.second += to_fixed(value * value);
      }
      const double probability = world.forest.probability(sums);
      for (const double wanted : {0.6, 0.9, probability}) {
        ASSERT_EQ(SumThreshold(world.forest, wanted).reached(sums), probability >= wanted) << "case " << id;
        reached += probability >= wanted ? 1 : 0;
      }
    }
  }
  EXPECT_GT(reached, 100u);
}

}  // namespace
}  // namespace cfrules::test
