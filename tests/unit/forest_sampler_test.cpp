#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "forest/sampler.h"

namespace cfrules {
namespace {

TEST(Sampler, RowsOfAGroupAreDrawnTogetherAndAsOftenAsThereAreGroups) {
  const std::vector<std::uint32_t> groups{7, 7, 9, 1000000, 9, 7};
  const SamplingUnits units(groups.size(), groups);
  EXPECT_EQ(units.count(), 3u);
  EXPECT_EQ(units.of_row(0), units.of_row(5));
  EXPECT_EQ(units.of_row(2), units.of_row(4));
  RandomStream random(1, Purpose::test, 0);
  const Draw draw = draw_units(units, {}, random);
  EXPECT_EQ(std::accumulate(draw.times.begin(), draw.times.end(), 0), 3);
}

TEST(Sampler, AnHonestDrawHoldsOutHalfAndDrawsFromTheOther) {
  TrainOptions options;
  options.estimation_rows = EstimationRows::honest;
  for (const bool bootstrap : {true, false}) {
    options.bootstrap = bootstrap;
    RandomStream random(2, Purpose::test, bootstrap);
    const Draw draw = draw_units(SamplingUnits(101, {}), options, random);
    EXPECT_EQ(std::accumulate(draw.held_out.begin(), draw.held_out.end(), 0), 50);
    EXPECT_EQ(std::accumulate(draw.times.begin(), draw.times.end(), 0), 51);
    for (std::size_t unit = 0; unit < 101; ++unit) EXPECT_FALSE(draw.held_out[unit] && draw.times[unit]);
  }
}

TEST(Sampler, ASubsampleDrawsItsShareOnce) {
  TrainOptions options;
  options.bootstrap = false;
  options.subsample = 0.3;
  RandomStream random(2, Purpose::test, 5);
  const Draw draw = draw_units(SamplingUnits(50, {}), options, random);
  EXPECT_EQ(std::count(draw.times.begin(), draw.times.end(), 1), 15);
  EXPECT_EQ(std::count(draw.times.begin(), draw.times.end(), 0), 35);
}

}  // namespace
}  // namespace cfrules
