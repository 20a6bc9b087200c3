// Laws of the conditional reading and of calibration, on random forests.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "explain/conditional_rules.h"
#include "forest/row_order.h"
#include "property/laws.h"

namespace cfrules::test {
namespace {

CellRule random_rule(RandomStream& random) { return {kEstimators[random.below(3)], 1 + random.below(8)}; }

bool near(double one, double other) { return std::abs(one - other) <= 1e-12 || (std::isnan(one) && std::isnan(other)); }

RC_GTEST_PROP(RegionLaws, NothingFreeGivesTheForestsOwnWeights, ()) {
  RandomStream random = any_stream();
  const World world = random_world(random_options(random), random);
  const CodedPerson person = world.random_person(random);
  std::vector<double> expected(world.table.rows(), 0.0);
  double trees = 0;
  for (const Tree& tree : world.grown.forest.trees) {
    std::vector<std::uint32_t> rows;
    double all = 0;
    for (const std::uint32_t row : tree.rows)
      if (tree.leaf_of(world.codes.row(row)) == tree.leaf_of(person.codes)) rows.push_back(row);
    for (const std::uint32_t row : rows) all += world.conditional.weight(row);
    if (rows.empty()) return;  // a leaf without estimation rows backs off
    if (all <= 0) continue;
    ++trees;
    for (const std::uint32_t row : rows) expected[row] += world.conditional.weight(row) / all;
  }
  const std::vector<double> weights = world.conditional.row_weights(Region::at(person.codes), {Estimator::paper, 1});
  for (std::size_t row = 0; row < weights.size(); ++row)
    RC_ASSERT(near(weights[row], trees > 0 ? expected[row] / trees : 0));
}

RC_GTEST_PROP(RegionLaws, EverythingFreeGivesTheBaseRate, ()) {
  RandomStream random = any_stream();
  WorldOptions options = random_options(random);
  options.forest.estimation_rows = EstimationRows::all;
  const World world = random_world(options, random);
  const double share =
      world.conditional.probability(Region::everything(world.grid), world.forest.hits(), random_rule(random));
  // Every tree says exactly the base rate; the mean of three or more equal shares may be rounded.
  if (world.weights.empty() && options.forest.trees <= 2) RC_ASSERT(share == world.forest.base_rate());
  RC_ASSERT(near(share, world.forest.base_rate()));
}

RC_GTEST_PROP(RegionLaws, RedrawingASetIsKnowingOnlyTheOthers, ()) {
  RandomStream random = any_stream();
  const World world = random_world(random_options(random), random);
  const CodedPerson person = world.random_person(random);
  Settings settings;
  settings.estimator = kEstimators[random.below(3)];
  const Reach reach({}, world.table.schema(), world.grid, world.values);
  const FeatureIndexes redrawn = world.random_features(random.below(world.table.features() + 1), random);
  const ConditionalRules rules(world.context, reach, settings, Region::at(person.codes), {&person});
  Region known = Region::everything(world.grid);
  for (std::size_t feature = 0; feature < world.table.features(); ++feature)
    if (!std::binary_search(redrawn.begin(), redrawn.end(), feature)) known.fix(feature, person.codes[feature]);
  const double redraw = rules.cdp(redrawn);
  const double keep = world.conditional.probability(known, world.forest.hits(), settings.cell_rule());
  RC_ASSERT(redraw == keep || (std::isnan(redraw) && std::isnan(keep)));
}

RC_GTEST_PROP(RegionLaws, AnIntervalOfOneCodeIsThePoint, ()) {
  RandomStream random = any_stream();
  const World world = random_world(random_options(random), random);
  const Region fixed = world.random_region(world.random_person(random), random);
  Region narrow = fixed;
  for (std::size_t feature = 0; feature < fixed.features(); ++feature)
    if (fixed.role(feature) == Role::fixed) narrow.limit(feature, fixed.side(feature));
  const CellRule rule{kEstimators[random.below(2)], 1 + random.below(8)};
  const double at_point = world.conditional.probability(fixed, world.forest.hits(), rule);
  const double in_interval = world.conditional.probability(narrow, world.forest.hits(), rule);
  RC_ASSERT(at_point == in_interval || (std::isnan(at_point) && std::isnan(in_interval)));
}

RC_GTEST_PROP(RegionLaws, ProbabilitiesLieBetweenNoneAndAll, ()) {
  RandomStream random = any_stream();
  const World world = random_world(random_options(random), random);
  const CodedPerson person = world.random_person(random);
  const Region region = world.random_region(person, random);
  const double share = world.conditional.probability(region, world.forest.hits(), random_rule(random));
  RC_ASSERT(std::isnan(share) || (share >= 0 && share <= 1 + 1e-12));
  const double moved = world.forest.probability(person.codes);
  RC_ASSERT(moved >= 0 && moved <= 1);
}

// A forest read in another order of its rows, features and trees.
class Shuffled {
 public:
  Shuffled(const World& world, RandomStream& random)
      : row_of(order(world.table.rows(), random)),
        feature_of(order(world.table.features(), random)),
        forest(world.grown.forest) {
    codes = {world.codes.rows, world.codes.features, std::vector<Code>(world.codes.codes.size())};
    std::vector<std::vector<Code>> columns(codes.features, std::vector<Code>(codes.rows));
    for (std::size_t row = 0; row < codes.rows; ++row)
      for (std::size_t feature = 0; feature < codes.features; ++feature) {
        columns[feature_of[feature]][row_of[row]] = world.codes.at(row, feature);
        codes.codes[row_of[row] * codes.features + feature_of[feature]] = world.codes.at(row, feature);
      }
    for (Tree& tree : forest.trees) rename(tree, columns, random);
    random.shuffle(std::span(forest.trees));
  }

  [[nodiscard]] Region region(const Region& original) const {
    Region moved = original;
    for (std::size_t feature = 0; feature < original.features(); ++feature) {
      const Interval side = original.side(feature);
      if (original.role(feature) == Role::fixed)
        moved.fix(feature_of[feature], side.low);
      else
        moved.limit(feature_of[feature], side);
    }
    return moved;
  }

  std::vector<std::size_t> row_of;
  std::vector<std::size_t> feature_of;
  Forest forest;
  CodeMatrix codes;

 private:
  static std::vector<std::size_t> order(std::size_t count, RandomStream& random) {
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    random.shuffle(std::span(places));
    return places;
  }

  void rename(Tree& tree, const std::vector<std::vector<Code>>& columns, RandomStream& random) const {
    for (Node& node : tree.nodes)
      if (!node.is_leaf()) node.feature = static_cast<std::uint16_t>(feature_of[node.feature]);
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t row : tree.rows) rows.push_back(static_cast<std::uint32_t>(row_of[row]));
    random.shuffle(std::span(rows));
    RowOrder ordered = order_rows(tree.nodes, columns, std::move(rows));
    tree.rows = std::move(ordered.rows);
    tree.node_rows = std::move(ordered.node_rows);
  }
};

RC_GTEST_PROP(RegionLaws, TheOrderOfRowsFeaturesAndTreesDoesNotMatter, ()) {
  RandomStream random = any_stream();
  const World world = random_world(random_options(random), random);
  const Shuffled shuffled(world, random);
  std::vector<double> weights(world.weights.size());
  std::vector<std::uint8_t> hits(world.table.rows());
  for (std::size_t row = 0; row < hits.size(); ++row) {
    hits[shuffled.row_of[row]] = world.forest.hits()[row];
    if (!weights.empty()) weights[shuffled.row_of[row]] = world.weights[row];
  }
  const Conditional conditional(shuffled.forest, shuffled.codes, weights);
  const Region region = world.random_region(world.random_person(random), random);
  const CellRule rule{kEstimators[random.below(2)], 1 + random.below(8)};  // `inside` tells free from range
  RC_ASSERT(near(world.conditional.probability(region, world.forest.hits(), rule),
                 conditional.probability(shuffled.region(region), hits, rule)));
  const std::vector<double> before = world.conditional.row_weights(region, rule);
  const std::vector<double> after = conditional.row_weights(shuffled.region(region), rule);
  for (std::size_t row = 0; row < before.size(); ++row) RC_ASSERT(near(before[row], after[shuffled.row_of[row]]));
}

RC_GTEST_PROP(CalibrationLaws, TheMapRisesAndItsInverseInvertsIt, ()) {
  RandomStream random = any_stream();
  WorldOptions options = random_options(random);
  options.calibrated = random.below(4) != 0;
  const World world = random_world(options, random);
  const CalibrationMap& map = world.forest.map();
  double last = -1;
  for (int step = 0; step <= 50; ++step) {
    const double raw = 0.02 * step;
    const double share = map.probability(raw);
    RC_ASSERT(share > last);
    RC_ASSERT(share >= 0 && share <= 1);
    RC_ASSERT(std::abs(map.least_raw(share) - raw) < 1e-9 || (step == 50 && map.least_raw(share) > 1));
    last = share;
  }
  const double wanted = random.uniform();
  const double least = map.least_raw(wanted);
  RC_ASSERT((least > 1 ? map.probability(1) < wanted : map.probability(least) >= wanted - 1e-12));
}

}  // namespace
}  // namespace cfrules::test
