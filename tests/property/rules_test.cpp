// Laws of rules and of the forests under them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "explain/conditional_rules.h"
#include "explain/moved_rules.h"
#include "property/laws.h"

namespace cfrules::test {
namespace {

Reach no_limits(const World& world) { return {{}, world.table.schema(), world.grid, world.values}; }

double moved_mass(const World& world, const CodedPerson& person, const FeatureIndexes& features, Plausibility demand,
                  double wanted) {
  const Reach reach = no_limits(world);
  Settings settings;
  settings.min_probability = settings.floor = wanted;
  MovedRules rules(world.context, reach, settings, {&person});
  return rules.solve(features, demand, 1).mass();
}

RC_GTEST_PROP(RuleLaws, AskingForMoreProbabilityNeverGivesMoreMassMoved, ()) {
  RandomStream random = any_stream();
  const World world = random_world(random_options(random), random);
  const CodedPerson person = world.random_person(random);
  const FeatureIndexes features = world.random_features(1 + random.below(2), random);
  const auto demand = static_cast<Plausibility>(random.below(4));
  const double less = random.uniform();
  const double more = less + (1 - less) * random.uniform();
  RC_ASSERT(moved_mass(world, person, features, demand, more) <=
            moved_mass(world, person, features, demand, less) + 1e-12);
}

RC_GTEST_PROP(RuleLaws, AskingForMoreProbabilityNeverGivesMoreMassConditional, ()) {
  RandomStream random = any_stream();
  WorldOptions options = random_options(random);
  options.max_codes = std::min<std::size_t>(options.max_codes, 12);
  const World world = random_world(options, random);
  const CodedPerson person = world.random_person(random);
  const FeatureIndexes features = world.random_features(1 + random.below(2), random);
  const Reach reach = no_limits(world);
  Settings settings;
  settings.estimator = static_cast<Estimator>(1 + random.below(3));
  settings.min_probability = random.uniform();
  const auto solve = [&] {
    return ConditionalRules(world.context, reach, settings, Region::at(person.codes), {&person}).solve(features, 3);
  };
  const std::vector<Rule> less = solve();
  settings.min_probability += (1 - settings.min_probability) * random.uniform();
  const std::vector<Rule> more = solve();
  if (more.empty()) return;
  RC_ASSERT(!less.empty());
  if (less.front().optimal) RC_ASSERT(more.front().mass <= less.front().mass + 1e-12);
}

// Values stretched, features of numbers only; the order stays, so codes and forests do.
Draft stretched(const Draft& draft) {
  std::vector<std::vector<double>> columns;
  for (std::size_t feature = 0; feature < draft.table.features(); ++feature) {
    columns.emplace_back(draft.table.column(feature).begin(), draft.table.column(feature).end());
    if (draft.table.schema()[feature].kind != Kind::number) continue;
    for (double& value : columns.back()) value = std::exp(0.5 * value) + value;
  }
  return {Table(draft.table.schema(), std::move(columns)), draft.outcome, draft.weights};
}

void expect_same_rules(const std::vector<Rule>& one, const std::vector<Rule>& other) {
  RC_ASSERT(one.size() == other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    RC_ASSERT(one[i].mass == other[i].mass);
    RC_ASSERT(one[i].probability.raw == other[i].probability.raw);
    for (std::size_t side = 0; side < one[i].conditions.size(); ++side)
      RC_ASSERT(one[i].conditions[side].codes == other[i].conditions[side].codes);
  }
}

RC_GTEST_PROP(RuleLaws, StretchingAFeatureMovesRulesWithIt, ()) {
  RandomStream random = any_stream();
  WorldOptions options = random_options(random);
  options.max_codes = std::max<std::size_t>(options.max_codes, 7);
  const Draft draft = random_draft(options, random);
  const Target target = random_target(draft.outcome, random);
  const World world(draft, target, options);
  const World other(stretched(draft), target, options);
  const std::size_t row = random.below(world.table.rows());
  const CodedPerson person = world.person(world.table.row(row));
  const CodedPerson twin = other.person(other.table.row(row));
  RC_ASSERT(person.codes == twin.codes);
  const FeatureIndexes features = world.random_features(1 + random.below(2), random);
  Settings settings;
  settings.min_probability = settings.floor = random.uniform();
  const Reach reach = no_limits(world);
  const Reach other_reach = no_limits(other);
  MovedRules moved(world.context, reach, settings, {&person});
  MovedRules other_moved(other.context, other_reach, settings, {&twin});
  // Isolation forests grow on real values, so what is plausible may change.
  expect_same_rules(moved.solve(features, Plausibility::none, 3).rules,
                    other_moved.solve(features, Plausibility::none, 3).rules);
  settings.estimator = static_cast<Estimator>(1 + random.below(3));
  settings.work_limit = 500;
  expect_same_rules(
      ConditionalRules(world.context, reach, settings, Region::at(person.codes), {&person}).solve(features, 3),
      ConditionalRules(other.context, other_reach, settings, Region::at(twin.codes), {&twin}).solve(features, 3));
}

bool same_trees(const Forest& one, const Forest& other) {
  const auto same_node = [](const Node& a, const Node& b) {
    return a.left == b.left && a.feature == b.feature && a.cut == b.cut;
  };
  const auto same_range = [](RowRange a, RowRange b) { return a.begin == b.begin && a.end == b.end; };
  const auto same_tree = [&](const Tree& a, const Tree& b) {
    return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_node) &&
           a.leaf_values == b.leaf_values && a.rows == b.rows &&
           std::equal(a.node_rows.begin(), a.node_rows.end(), b.node_rows.begin(), b.node_rows.end(), same_range);
  };
  return std::equal(one.trees.begin(), one.trees.end(), other.trees.begin(), other.trees.end(), same_tree) &&
         one.importance == other.importance && one.split_counts == other.split_counts;
}

bool same_numbers(const std::vector<double>& one, const std::vector<double>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

RC_GTEST_PROP(ForestLaws, AnyNumberOfThreadsGrowsTheSameForest, ()) {
  RandomStream random = any_stream();
  WorldOptions options = random_options(random);
  options.forest.trees = 1 + random.below(40);
  const Draft draft = random_draft(options, random);
  const Grid grid = Grid::learn(draft.table, draft.outcome, draft.weights, options.max_codes);
  const auto grow = [&](unsigned threads) {
    const Run run{.threads = threads, .stop = {}, .progress = {}};
    const ByteColumns codes = byte_codes(grid, draft.table, run);
    return train_forest({codes, draft.outcome.values, draft.outcome.classes.size(), draft.weights, {}}, options.forest,
                        run);
  };
  const GrownForest alone = grow(1);
  for (const unsigned threads : {2u, 8u}) {
    const GrownForest together = grow(threads);
    RC_ASSERT(same_trees(alone.forest, together.forest));
    RC_ASSERT(same_numbers(alone.out_of_bag.means, together.out_of_bag.means));
    RC_ASSERT(alone.out_of_bag.trees == together.out_of_bag.trees);
  }
}

}  // namespace
}  // namespace cfrules::test
