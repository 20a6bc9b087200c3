#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "recourse/person_isolation.h"
#include "unit/recourse_fixture.h"

namespace cfrules {
namespace {

RC_GTEST_PROP(PersonIsolation, GivesTheForestsScoreToTheBit, ()) {
  static const World world(300, 11);
  const std::vector<double> person = world.table.row(*rc::gen::inRange<std::size_t>(0, 300));
  const auto subset = *rc::gen::inRange<unsigned>(1, 32);
  std::vector<std::size_t> changed;
  for (std::size_t feature = 0; feature < 5; ++feature)
    if (subset >> feature & 1) changed.push_back(feature);
  // Some points will lie in the ranges, some will not.
  std::vector<Grid::ValueRange> ranges;
  for (const std::size_t feature : changed) {
    const double one = world.grid.position(feature, world.table.value(*rc::gen::inRange<std::size_t>(0, 300), feature));
    const double other =
        world.grid.position(feature, world.table.value(*rc::gen::inRange<std::size_t>(0, 300), feature));
    const bool open = *rc::gen::arbitrary<bool>() || std::isnan(one) || std::isnan(other);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ranges.push_back(open ? Grid::ValueRange{-kInfinity, kInfinity}
                          : Grid::ValueRange{std::min(one, other), std::max(one, other)});
  }
  PersonIsolation isolation(world.inliers, world.positions_of(person), changed, ranges);
  for (std::size_t donor = 0; donor < 20; ++donor) {
    std::vector<double> point = person;
    std::vector<double> moved;
    bool missing = false;
    for (const std::size_t feature : changed) {
      point[feature] = world.table.value(donor, feature);
      moved.push_back(world.grid.position(feature, point[feature]));
      missing = missing || std::isnan(moved.back());
    }
    if (!missing) RC_ASSERT(isolation.score(moved) == world.inliers.score(world.positions_of(point)));
  }
}

TEST(PersonIsolation, WithNothingToChangeThePersonsOwnScoreRemains) {
  const World world;
  const std::vector<double> positions = world.positions_of(world.table.row(3));
  EXPECT_EQ(PersonIsolation(world.inliers, positions, {}, {}).score({}), world.inliers.score(positions));
}

}  // namespace
}  // namespace cfrules
