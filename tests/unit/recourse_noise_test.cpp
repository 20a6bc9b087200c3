#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cfrules/error.h"
#include "recourse/noise.h"
#include "unit/recourse_fixture.h"

namespace cfrules {
namespace {

Noise noise_of(const World& world, std::vector<double> deviations, double max_invalid = kUnknown) {
  RecourseOptions options;
  options.noise = std::move(deviations);
  options.max_invalid = max_invalid;
  return Noise(options, world.table.schema(), world.grid, world.values);
}

Condition range(std::size_t feature, double low, double high) {
  Condition condition;
  condition.index = feature;
  condition.low = low;
  condition.high = high;
  return condition;
}

TEST(Noise, WithoutNoiseTheChanceIsUnknownAndEverythingIsAccepted) {
  const World world;
  const Noise noise = noise_of(world, {});
  EXPECT_FALSE(noise.asked());
  EXPECT_TRUE(std::isnan(noise.stays_in_box({}, {})));
  EXPECT_TRUE(noise.accepts(kUnknown));
}

TEST(Noise, OneStandardDeviationOnBothSidesStaysTwoTimesInThree) {
  const World world;
  const Noise noise = noise_of(world, {2, kNaN, 5, 5, 3});
  const std::vector<Condition> one{range(kIncome, 48, 52)};
  EXPECT_NEAR(noise.stays_in_box(one, std::vector{50.0}), 0.6826894921, 1e-9);
  const std::vector<Condition> half{range(kIncome, 50, std::numeric_limits<double>::infinity())};
  EXPECT_NEAR(noise.stays_in_box(half, std::vector{50.0}), 0.5, 1e-12);
}

TEST(Noise, NamesAndFeaturesWithoutADeviationAreReachedExactly) {
  const World world;
  const Noise noise = noise_of(world, {2, kNaN, 5, 5, 0});
  for (const std::size_t feature : {kAge, kOwner, kJob, kDebt}) EXPECT_EQ(noise.deviation(feature), 0);
  const std::vector<Condition> sides{range(kAge, 30, 30), range(kDebt, 1, 2)};
  EXPECT_EQ(noise.stays_in_box(sides, std::vector{30.0, 1.0}), 1);
}

TEST(Noise, OneNumberIsAShareOfEachTrainingRange) {
  const World world;
  const Noise noise = noise_of(world, {0.1});
  EXPECT_NEAR(noise.deviation(kAge), 4.9, 1e-12);  // 18 to 67
  EXPECT_EQ(noise.deviation(kJob), 0);
}

TEST(Noise, TheProductAgreesWithSimulation) {
  const World world;
  const Noise noise = noise_of(world, {4, 3, 0, 0, 1});
  const std::vector<Condition> sides{range(kIncome, 40, 47), range(kAge, 30, 33), range(kDebt, 2, 8)};
  const std::vector<double> point{42, 32, 2.5};
  RandomStream random(5, Purpose::test, 1);
  int stayed = 0;
  constexpr int kDraws = 200'000;
  for (int draw = 0; draw < kDraws; ++draw) {
    bool inside = true;
    for (std::size_t side = 0; side < 3; ++side) {
      const double value = point[side] + noise.deviation(sides[side].index) * random.normal();
      inside = inside && value > sides[side].low && value <= sides[side].high;
    }
    stayed += inside;
  }
  EXPECT_NEAR(noise.stays_in_box(sides, point), double(stayed) / kDraws, 0.005);
}

TEST(Noise, ALimitRefusesUnsteadyPoints) {
  const World world;
  const Noise noise = noise_of(world, {0.1}, 0.2);
  EXPECT_TRUE(noise.accepts(0.81));
  EXPECT_FALSE(noise.accepts(0.79));
}

TEST(Noise, MishapsStandForANormalLawInEveryFeature) {
  std::set<double> first;
  for (int mishap = -kMishaps; mishap <= kMishaps; ++mishap) first.insert(missed_by(mishap, 0));
  EXPECT_EQ(first.size(), 2u * kMishaps + 1);
  double squares = 0;
  double below = 0.5;  // of 23 equal parts, each stands for its middle
  for (const double by : first) {
    EXPECT_NEAR(0.5 * std::erfc(-by / std::sqrt(2)), below++ / 23, 1e-6);
    squares += by * by;
  }
  EXPECT_NEAR(squares / 23, 0.95, 0.02);
  for (std::size_t place = 1; place < 5; ++place) {
    std::set<double> other;
    for (int mishap = -kMishaps; mishap <= kMishaps; ++mishap) other.insert(missed_by(mishap, place));
    EXPECT_EQ(other, first);
  }
}

TEST(Noise, MishapsOfTwoFeaturesHaveNothingToDoWithEachOther) {
  for (std::size_t one = 0; one < 4; ++one)
    for (std::size_t other = one + 1; other < 4; ++other) {
      double together = 0;
      for (int mishap = -kMishaps; mishap <= kMishaps; ++mishap)
        together += missed_by(mishap, one) * missed_by(mishap, other) / (2 * kMishaps + 1);
      EXPECT_NEAR(together, 0, 0.25) << one << ' ' << other;
    }
  for (std::size_t place = 0; place < 4; ++place) EXPECT_EQ(missed_by(0, place), 0);
}

TEST(Noise, NoiseThatDoesNotFitIsRefused) {
  const World world;
  EXPECT_THROW((void)noise_of(world, {1, 2}), InputError);
  EXPECT_THROW((void)noise_of(world, {-1}), InputError);
  EXPECT_THROW((void)noise_of(world, {}, 0.1), InputError);
  EXPECT_THROW((void)noise_of(world, {0.1}, 1.5), InputError);
}

}  // namespace
}  // namespace cfrules
