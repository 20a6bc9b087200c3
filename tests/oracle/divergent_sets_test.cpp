// Divergent sets, which hear trees only as long as it takes, against every set asked on its own.
#include "explain/divergent_sets.h"

#include <gtest/gtest.h>

#include "support/world.h"

namespace cfrules::test {
namespace {

// Of the smallest size that reaches pi all that do; else the first of the best.
std::vector<ScoredSet> ask_every_set(const ConditionalRules& rules, const CandidateUnits& units, double pi) {
  std::vector<ScoredSet> reached;
  ScoredSet best;
  for (std::size_t size = 1; size <= units.max_features() && reached.empty(); ++size)
    for (const FeatureIndexes& set : units.sets_of(size)) {
      const double cdp = rules.cdp(set);
      if (cdp > best.cdp) best = {cdp, set};
      if (cdp >= pi) reached.push_back({cdp, set});
    }
  if (reached.empty() && !best.features.empty()) reached.push_back(best);
  return reached;
}

TEST(DivergentSets, AreThoseOfEverySetAskedOnItsOwn) {
  std::size_t without = 0;  // worlds where no set reaches pi
  for (std::uint64_t id = 0; id < 150; ++id) {
    RandomStream random = test_stream(71, id);
    WorldOptions options = random_options(random);
    options.rows = 100 + random.below(200);
    options.features = 4 + random.below(4);
    options.forest.trees = 4 + random.below(20);
    const World world = random_world(options, random);
    const CodedPerson person = world.random_person(random);
    Settings settings;
    settings.estimator = kEstimators[random.below(3)];
    settings.min_rows = 1 + random.below(8);
    settings.pi = 0.5 + 0.5 * random.uniform();
    settings.max_features = 1 + random.below(4);
    for (std::size_t feature = 0; feature < options.features; ++feature) settings.candidates.push_back(feature);
    const Reach reach({}, world.table.schema(), world.grid, world.values);
    const CandidateUnits units(settings.candidates, reach, settings.max_features);
    const ConditionalRules rules(world.context, reach, settings, Region::at(person.codes), {&person});
    const std::vector<ScoredSet> expected = ask_every_set(rules, units, settings.pi);
    const std::vector<ScoredSet> found =
        DivergentSets(rules, units, settings, {}).find(world.grown.forest, person.codes);
    ASSERT_EQ(found.size(), expected.size()) << id;
    for (std::size_t at = 0; at < found.size(); ++at) {
      EXPECT_EQ(found[at].features, expected[at].features) << id;
      EXPECT_EQ(found[at].cdp, expected[at].cdp) << id;
    }
    without += !found.empty() && found.front().cdp < settings.pi ? 1 : 0;
  }
  EXPECT_GT(without, 40u);
}

}  // namespace
}  // namespace cfrules::test
