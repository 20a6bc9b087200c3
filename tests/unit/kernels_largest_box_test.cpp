#include "kernels/largest_box.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/random.h"

namespace cfrules {
namespace {

struct RandomGrid {
  std::vector<std::size_t> shape;
  std::vector<double> mass, gain;
  std::vector<std::uint8_t> blocked;
};

RandomGrid random_grid(RandomStream& random, std::size_t axes, std::size_t longest) {
  RandomGrid grid;
  std::size_t cells = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    grid.shape.push_back(1 + random.below(longest));
    cells *= grid.shape.back();
  }
  for (std::size_t cell = 0; cell < cells; ++cell) {
    grid.mass.push_back(static_cast<double>(random.below(4)));
    grid.gain.push_back(grid.mass.back() * (random.uniform() - 0.6));
    grid.blocked.push_back(random.below(5) == 0 ? 1 : 0);
  }
  return grid;
}

// Every box, cell by cell.
std::optional<double> heaviest_by_force(const RandomGrid& grid, bool gains, std::size_t axis, std::vector<IndexRange>& box) {
  if (axis < grid.shape.size()) {
    std::optional<double> best;
    for (std::size_t first = 0; first < grid.shape[axis]; ++first)
      for (std::size_t last = first; last < grid.shape[axis]; ++last) {
        box[axis] = {first, last};
        const auto mass = heaviest_by_force(grid, gains, axis + 1, box);
        if (mass && (!best || *mass > *best)) best = mass;
      }
    return best;
  }
  double mass = 0;
  double gain = 0;
  for (std::size_t cell = 0; cell < grid.mass.size(); ++cell) {
    std::size_t rest = cell;
    bool inside = true;
    for (std::size_t a = grid.shape.size(); a-- > 0;) {
      const std::size_t index = rest % grid.shape[a];
      rest /= grid.shape[a];
      inside = inside && box[a].first <= index && index <= box[a].last;
    }
    if (!inside) continue;
    if (grid.blocked[cell] != 0) return std::nullopt;
    mass += grid.mass[cell];
    gain += grid.gain[cell];
  }
  if (gains && gain < -1e-12 * mass) return std::nullopt;
  return mass;
}

TEST(LargestBox, AgreesWithEveryBoxTriedOneByOne) {
  for (std::uint64_t id = 0; id < 600; ++id) {
    RandomStream random(7, Purpose::test, id);
    const std::size_t axes = 1 + id % 3;
    const RandomGrid grid = random_grid(random, axes, axes == 1 ? 30 : axes == 2 ? 9 : 5);
    for (const bool gains : {false, true}) {
      const BoxAnswer answer =
          largest_box({grid.shape, grid.mass, gains ? std::span<const double>(grid.gain) : std::span<const double>(), grid.blocked});
      std::vector<IndexRange> box(axes);
      const auto best = heaviest_by_force(grid, gains, 0, box);
      ASSERT_EQ(answer.found, best.has_value()) << id;
      EXPECT_TRUE(answer.optimal);
      if (best) {
        EXPECT_NEAR(answer.mass, *best, 1e-9) << id;
      }
    }
  }
}

TEST(LargestBox, TheBoxItNamesHasTheMassItClaims) {
  for (std::uint64_t id = 0; id < 200; ++id) {
    RandomStream random(8, Purpose::test, id);
    RandomGrid grid = random_grid(random, 2, 12);
    const BoxAnswer answer = largest_box({grid.shape, grid.mass, grid.gain, grid.blocked});
    if (!answer.found) continue;
    double mass = 0;
    double gain = 0;
    for (std::size_t row = answer.sides[0].first; row <= answer.sides[0].last; ++row)
      for (std::size_t column = answer.sides[1].first; column <= answer.sides[1].last; ++column) {
        EXPECT_EQ(grid.blocked[row * grid.shape[1] + column], 0);
        mass += grid.mass[row * grid.shape[1] + column];
        gain += grid.gain[row * grid.shape[1] + column];
      }
    EXPECT_DOUBLE_EQ(mass, answer.mass);
    EXPECT_GE(gain, -1e-9);
  }
}

TEST(LargestBox, AllBlockedGivesNone) {
  const std::vector<double> mass(6, 1.0);
  const std::vector<std::uint8_t> blocked(6, 1);
  EXPECT_FALSE(largest_box({{2, 3}, mass, {}, blocked}).found);
}

TEST(LargestBox, AWorkLimitIsConfessed) {
  const std::vector<double> mass(1000, 1.0);
  const std::vector<std::uint8_t> blocked(1000, 0);
  EXPECT_FALSE(largest_box({{10, 10, 10}, mass, {}, blocked, 500}).optimal);
  EXPECT_TRUE(largest_box({{10, 10, 10}, mass, {}, blocked, 0}).optimal);
}

}  // namespace
}  // namespace cfrules
