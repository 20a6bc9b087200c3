// Grids of moves against points predicted one by one, by the engine itself (to the bit) and by the twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "explain/feature_sets.h"
#include "oracle/naive.h"
#include "region/move_grid.h"
#include "region/move_leaves.h"
#include "region/move_pages.h"
#include "support/world.h"

namespace cfrules::test {
namespace {

std::vector<std::size_t> bins_of(const MoveAxes& axes, std::size_t cell) {
  std::vector<std::size_t> bins(axes.size());
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    bins[axis] = cell % axes[axis]->size();
    cell /= axes[axis]->size();
  }
  return bins;
}

// The twin's place of a code: the greatest value that still has it.
double value_of(const naive::Forest& twin, std::size_t feature, Code code) {
  return twin.side(feature, {code, code}).high;
}

void expect_same_place(const World& world, const naive::Forest& twin, const CodedPerson& person, const MoveSet& set,
                       const SumGrid& sums, std::size_t cell) {
  std::vector<Code> codes = person.codes;
  std::vector<double> point = twin.point(person.values);
  const std::vector<std::size_t> bins = bins_of(set.axes, cell);
  for (std::size_t axis = 0; axis < bins.size(); ++axis) {
    codes[set.features[axis]] = set.axes[axis]->read_at(bins[axis]);
    point[set.features[axis]] = value_of(twin, set.features[axis], codes[set.features[axis]]);
  }
  const LeafSums here{sums.first[cell], sums.second.empty() ? 0 : sums.second[cell]};
  const LeafSums alone = world.forest.sums(codes);
  ASSERT_EQ(here.first, alone.first);
  ASSERT_EQ(here.second, alone.second);
  const naive::Reading reading = naive::read(twin.votes(point), world.forest.target(), world.forest.map());
  // A normal curve through few trees is steep where they nearly agree; class shares are not.
  const double tolerance = world.forest.numeric() ? 1e-8 : 1e-12;
  ASSERT_NEAR(world.forest.raw(here), reading.raw, tolerance);
  ASSERT_NEAR(world.forest.probability(here), reading.probability, world.forest.numeric() ? 1e-6 : 1e-11);
}

TEST(MovesOracle, EveryPlaceOfAGridReadsAsThePointItStandsFor) {
  for (std::uint64_t id = 0; id < 1000; ++id) {
    RandomStream random = test_stream(11, id);
    const World world = random_world(random_options(random), random);
    const naive::Forest twin(world.grown.forest, world.grid, world.table, world.weights);
    const CodedPerson person = world.random_person(random);
    const MoveSet& set = world.moves.moves(world.random_features(1 + random.below(3), random));
    const SumGrid sums = sum_grid(world.forest, set.axes, person.codes);
    ASSERT_EQ(sums.first.size(), cells_of(set.axes));
    const std::size_t step = 1 + sums.first.size() / 150;
    for (std::size_t cell = random.below(step); cell < sums.first.size(); cell += step) {
      SCOPED_TRACE(testing::Message() << "case " << id << " cell " << cell);
      expect_same_place(world, twin, person, set, sums, cell);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MovesOracle, PathLengthsScoreAsTheIsolationForestDoesAtTheMiddleOfEachPlace) {
  for (std::uint64_t id = 0; id < 400; ++id) {
    RandomStream random = test_stream(12, id);
    const World world = random_world(random_options(random), random);
    const CodedPerson person = world.random_person(random);
    const MoveSet& set = world.moves.moves(world.random_features(1 + random.below(3), random));
    const std::vector<Fixed> paths = path_grid(world.inliers, set.axes, person.isolation_codes);
    const std::size_t step = 1 + paths.size() / 150;
    for (std::size_t cell = random.below(step); cell < paths.size(); cell += step) {
      std::vector<double> place;
      for (std::size_t feature = 0; feature < world.table.features(); ++feature)
        place.push_back(world.grid.position(feature, person.values[feature]));
      const std::vector<std::size_t> bins = bins_of(set.axes, cell);
      for (std::size_t axis = 0; axis < bins.size(); ++axis)
        place[set.features[axis]] = world.values.middle(set.features[axis], set.axes[axis]->read_at(bins[axis]));
      const double mean = from_fixed(paths[cell]) / static_cast<double>(world.inliers.trees().size());
      ASSERT_NEAR(world.inliers.score_of_path(mean), world.inliers.score(place), 1e-12)
          << "case " << id << " cell " << cell;
    }
  }
}

TEST(MovesOracle, OneWalkForAllCandidatesReadsAsOneWalkPerSet) {
  MoveLeaves shared, places, memory;  // one for all worlds: what was walked before must be forgotten
  std::size_t scanned = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random = test_stream(15, id);
    const World world = random_world(id % 24 == 1 ? large_trees(random) : random_options(random), random);
    const CodedPerson person = world.random_person(random);
    std::vector<std::size_t> candidates = world.random_features(1 + random.below(6), random);
    random.shuffle(std::span(candidates));
    const std::size_t departures = 1 + random.below(id % 8 == 0 ? 6 : 3);
    const std::size_t size = std::min(departures, candidates.size());
    const MoveAxes axes = world.moves.axes(candidates, size);
    MoveLeaves::Departures ways{departures, {}};
    std::vector<FeatureIndexes> sets;
    for (int each = 0; each < 4; ++each) {
      std::vector<std::size_t> order(candidates.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      random.shuffle(std::span(order));
      order.resize(size);
      std::uint64_t mask = 0;
      FeatureIndexes& features = sets.emplace_back();
      for (const std::size_t candidate : order) {
        features.push_back(candidates[candidate]);
        mask |= std::uint64_t{1} << candidate;
      }
      std::sort(features.begin(), features.end());
      if (id % 2 == 0) ways.sets.push_back(mask);  // then no other set is walked for
    }
    LeafNumbers leaves = world.forest.leaf_numbers();
    if (id % 3 == 0) leaves.small_trees = {};  // as of trees too large for them
    const std::unique_ptr<const MovePages> pages = id % 4 < 2 ? MovePages::of(world.forest.forest()) : nullptr;
    scanned += pages != nullptr && MoveLeaves::may_scan(axes.size(), ways) ? 1 : 0;
    shared.walk({MoveLeaves::World::forest, leaves, pages.get()}, person.codes, axes,
                ways);
    places.walk({MoveLeaves::World::isolation, world.inliers.leaf_numbers()},
                person.isolation_codes, axes, ways);
    for (const FeatureIndexes& features : sets) {
      const MoveSet& set = world.moves.moves(features);
      const SumGrid alone = sum_grid(world.forest, set.axes, person.codes);
      const std::vector<Fixed> paths = path_grid(world.inliers, set.axes, person.isolation_codes);
      BoxSums sums, path_sums, own_sums, own_path_sums;
      shared.sums(set.axes, sums);
      places.sums(set.axes, path_sums);
      sum_moves(world.forest, set.axes, person.codes, memory, own_sums);
      sum_paths(world.inliers, set.axes, person.isolation_codes, memory, own_path_sums);
      for (std::size_t cell = 0; cell < alone.first.size(); ++cell) {
        const std::size_t place = BoxSums::place_of(shape_of(set.axes), cell);
        ASSERT_EQ(sums.first(place), alone.first[cell]) << "case " << id;
        ASSERT_EQ(sums.second(place), alone.second.empty() ? 0 : alone.second[cell]) << "case " << id;
        ASSERT_EQ(path_sums.first(place), paths[cell]) << "case " << id;
        ASSERT_EQ(own_sums.first(place), alone.first[cell]) << "case " << id;
        ASSERT_EQ(own_sums.second(place), sums.second(place)) << "case " << id;
        ASSERT_EQ(own_path_sums.first(place), paths[cell]) << "case " << id;
      }
    }
  }
  EXPECT_GT(scanned, 40u);
}

TEST(MovesOracle, DonorsAreTheRowsWithAValueOnEveryMovedFeature) {
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random = test_stream(13, id);
    const World world = random_world(random_options(random), random);
    const MoveSet& set = world.moves.moves(world.random_features(1 + random.below(4), random));
    std::vector<double> mass(cells_of(set.axes), 0.0);
    std::vector<std::uint32_t> rows(mass.size(), 0);
    for (std::size_t row = 0; row < world.table.rows(); ++row) {
      std::size_t cell = 0;
      bool missing = false;
      for (const MoveAxis* axis : set.axes) {
        missing = missing || std::isnan(world.table.value(row, axis->feature()));
        const Code code = world.codes.at(row, axis->feature());
        std::size_t bin = 0;
        while (!missing && !axis->codes(bin).contains(code)) ++bin;
        cell = cell * axis->size() + bin;
      }
      if (missing) continue;
      mass[cell] += world.weights.empty() ? 1 : world.weights[row];
      ++rows[cell];
    }
    std::size_t held = 0;
    for (std::size_t cell = 0; cell < mass.size(); ++cell) {
      if (rows[cell] == 0) continue;
      ASSERT_LT(held, set.cells.size());
      EXPECT_EQ(set.cells[held], cell);
      EXPECT_DOUBLE_EQ(set.mass[held], mass[cell]);
      EXPECT_EQ(set.rows[held], rows[cell]);
      ++held;
    }
    EXPECT_EQ(held, set.cells.size());
  }
}

TEST(MovesOracle, CoarseBinsTileTheCodesAndAreReadInsideThemselves) {
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random = test_stream(14, id);
    const World world = random_world(random_options(random), random);
    const std::size_t feature = random.below(world.table.features());
    const std::size_t bins = 1 + random.below(12);
    const MoveAxis axis(feature, world.grid, world.values, world.inliers, bins);
    EXPECT_LE(axis.size(), std::max<std::size_t>(bins, axis.full() ? world.grid.last_code(feature) : 0));
    Code next = 1;
    for (std::size_t bin = 0; bin < axis.size(); ++bin) {
      EXPECT_EQ(axis.codes(bin).low, next);
      EXPECT_TRUE(axis.codes(bin).contains(axis.read_at(bin)));
      for (Code code = axis.codes(bin).low; code <= axis.codes(bin).high; ++code) EXPECT_EQ(axis.bin_of(code), bin);
      next = static_cast<Code>(axis.codes(bin).high + 1);
    }
    EXPECT_EQ(next, world.grid.last_code(feature) + 1);
  }
}

}  // namespace
}  // namespace cfrules::test
