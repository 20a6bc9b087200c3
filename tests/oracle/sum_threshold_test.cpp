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

}  // namespace
}  // namespace cfrules::test
