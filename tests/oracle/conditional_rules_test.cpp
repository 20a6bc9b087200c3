// Rules of the conditional estimators against every box of codes tried one by one.
#include "explain/conditional_rules.h"

#include <gtest/gtest.h>

#include "explain/box_shares.h"
#include "oracle/naive.h"
#include "oracle/rule_checks.h"

namespace cfrules::test {
namespace {

class ConditionalTwin {
 public:
  ConditionalTwin(const World& world, const Region& base, const FeatureIndexes& features, const Settings& settings)
      : world_(world),
        forest_(world.grown.forest, world.grid, world.table, world.weights),
        base_(forest_.region(base)),
        features_(features),
        settings_(settings) {
    naive::Region free = base_;
    for (const std::size_t feature : features) {
      free.sides[feature] = {};
      free.range[feature] = false;
    }
    weights_ = forest_.row_weights({free, settings.estimator, settings.min_rows});
  }

  [[nodiscard]] double probability(const CodeBox& box) const {
    naive::Region region = base_;
    for (std::size_t i = 0; i < box.size(); ++i) {
      region.sides[features_[i]] = forest_.side(features_[i], box[i]);
      region.range[features_[i]] = true;
    }
    return forest_.probability({region, settings_.estimator, settings_.min_rows}, world_.forest.hits());
  }

  [[nodiscard]] bool in_box(std::size_t row, const CodeBox& box) const {
    for (std::size_t i = 0; i < box.size(); ++i)
      if (!forest_.side(features_[i], box[i]).contains(forest_.row(row)[features_[i]])) return false;
    return true;
  }

  [[nodiscard]] double mass(const CodeBox& box) const {
    double sum = 0;
    for (std::size_t row = 0; row < weights_.size(); ++row)
      if (in_box(row, box)) sum += weights_[row];
    return sum;
  }

  [[nodiscard]] std::size_t support(const CodeBox& box) const {
    std::size_t count = 0;
    for (std::size_t row = 0; row < weights_.size(); ++row) count += weights_[row] > 0 && in_box(row, box) ? 1 : 0;
    return count;
  }

  // The heaviest pure box that is within reach and touches none of the rules before.
  [[nodiscard]] double heaviest(const Reach& reach, const CodedPerson& person, std::span<const Rule> before) const {
    double best = 0;
    for_each_box(world_.grid, features_, [&](const CodeBox& box) {
      const double weight = mass(box);
      if (weight <= best + 1e-13 || !within_reach(reach, {&person}, features_, box)) return;
      for (const Rule& rule : before)
        if (touch(box, box_of(rule))) return;
      if (probability(box) >= settings_.min_probability) best = weight;
    });
    return best;
  }

 private:
  const World& world_;
  naive::Forest forest_;
  naive::Region base_;
  FeatureIndexes features_;
  const Settings& settings_;
  std::vector<double> weights_;  // with the features free
};

struct Case {
  explicit Case(std::uint64_t id, std::size_t features_wanted, std::size_t max_codes)
      : random(test_stream(31 + features_wanted, id)),
        options(options_of(features_wanted, max_codes)),
        world(random_world(options, random)),
        person(world.random_person(random)),
        features(world.random_features(features_wanted, random)),
        reach(random_reach(world, random)) {
    settings.estimator = kEstimators[random.below(3)];
    settings.min_rows = 1 + random.below(8);
    settings.min_probability = 0.3 + 0.6 * random.uniform();
    settings.rules = 1 + random.below(3);
    if (random.below(4) == 0) settings.work_limit = 1 + random.below(30);
  }

  WorldOptions options_of(std::size_t features_wanted, std::size_t max_codes) {
    WorldOptions drawn = random_options(random);
    drawn.rows = 20 + random.below(30);
    drawn.features = std::max(drawn.features, features_wanted + 1);
    drawn.max_codes = max_codes;
    drawn.forest.trees = 1 + random.below(4);
    return drawn;
  }

  RandomStream random;
  WorldOptions options;
  World world;
  CodedPerson person;
  FeatureIndexes features;
  Reach reach;
  Settings settings;
};

void check_case(Case& each, std::size_t& found) {
  const Region base = Region::at(each.person.codes);
  ConditionalRules rules(each.world.context, each.reach, each.settings, base, {&each.person});
  const std::vector<Rule> solved = rules.solve(each.features, each.settings.rules);
  const ConditionalTwin twin(each.world, base, each.features, each.settings);
  expect_disjoint(solved);
  found += solved.size();
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const CodeBox box = box_of(solved[i]);
    EXPECT_NEAR(solved[i].probability.raw, twin.probability(box), 1e-12);
    EXPECT_GE(solved[i].probability.raw, each.settings.min_probability);
    EXPECT_NEAR(solved[i].mass, twin.mass(box), 1e-12);
    EXPECT_EQ(solved[i].support, twin.support(box));
    EXPECT_TRUE(within_reach(each.reach, {&each.person}, each.features, box));
    expect_constraints_kept(each.world, each.reach, each.person, solved[i], each.random);
    const double best = twin.heaviest(each.reach, each.person, std::span(solved).first(i));
    EXPECT_LE(solved[i].mass, best + 1e-12);
    if (solved[i].optimal) {
      EXPECT_NEAR(solved[i].mass, best, 1e-12);
    }
  }
  if (solved.size() < each.settings.rules && each.settings.work_limit > 1000) {
    EXPECT_EQ(twin.heaviest(each.reach, each.person, solved), 0) << "a rule was missed";
  }
}

void check_cases(std::uint64_t count, std::size_t features, std::size_t max_codes) {
  std::size_t found = 0;
  for (std::uint64_t id = 0; id < count; ++id) {
    Case each(id, features, max_codes);
    SCOPED_TRACE(testing::Message() << "case " << id << " " << name_of(each.settings.estimator));
    check_case(each, found);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(found, count / 4) << "the cases hardly have rules";
}

// A rule for a group is one that everybody in it may follow.
TEST(ConditionalRulesOracle, RulesForGroupsKeepEveryMembersConstraints) {
  std::size_t found = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    Case each(id, 2, 6);
    const CodedPerson other = each.world.random_person(each.random);
    const std::vector<const CodedPerson*> people{&each.person, &other};
    Region group = Region::at(each.person.codes);
    for (std::size_t feature = 0; feature < group.features(); ++feature) {
      const auto [low, high] = std::minmax(each.person.codes[feature], other.codes[feature]);
      group.limit(feature, {low, high});
    }
    ConditionalRules rules(each.world.context, each.reach, each.settings, group, people);
    for (const Rule& rule : rules.solve(each.features, each.settings.rules)) {
      ++found;
      EXPECT_TRUE(within_reach(each.reach, people, each.features, box_of(rule))) << "case " << id;
      expect_constraints_kept(each.world, each.reach, each.person, rule, each.random);
      expect_constraints_kept(each.world, each.reach, other, rule, each.random);
    }
  }
  EXPECT_GT(found, 30u);
}

BoxLimits no_limits(const World& world, const FeatureIndexes& features) {
  BoxLimits limits;
  for (const std::size_t feature : features) limits.allowed.emplace_back(world.grid.last_code(feature) + 1u, 1);
  return limits;
}

TEST(ConditionalRulesOracle, ARangeIsRuledOutOnlyIfNoBoxOnItReaches) {
  std::size_t ruled_out = 0, given_up = 0;
  for (std::uint64_t id = 0; id < 60; ++id) {
    Case each(id, 2, 8);
    const CellRule rule = each.settings.cell_rule();
    Region free = Region::at(each.person.codes);
    for (const std::size_t feature : each.features) free.free(feature, each.world.grid);
    const BoxLines lines(each.world.context, free, each.features, rule, no_limits(each.world, each.features));
    BoxShares shares(each.world.context, free, each.features, rule, lines);
    const IndexRange all{0, lines.bins(0) - 1};
    shares.allow(0);
    EXPECT_TRUE(shares.may_reach(all, 1)) << "without readings nothing is ruled out";
    shares.allow(1);
    if (shares.may_reach(all, 1)) {
      EXPECT_TRUE(shares.spent());
      ++given_up;
    }
    shares.allow(1'000'000);
    for (std::size_t first = 0; first < lines.bins(0); ++first)
      for (std::size_t last = first; last < lines.bins(0); ++last) {
        if (shares.may_reach({first, last}, each.settings.min_probability)) continue;
        ++ruled_out;
        for (std::size_t low = 0; low < lines.bins(1); ++low)
          for (std::size_t high = low; high < lines.bins(1); ++high) {
            const BinBox box{{first, last}, {low, high}};
            ASSERT_LT(shares.probability(box), each.settings.min_probability) << "case " << id;
          }
      }
  }
  EXPECT_GT(ruled_out, 30u);
  EXPECT_GT(given_up, 10u);
}

TEST(ConditionalRulesOracle, ARuleIsPlausibleWhenSomeDonorMakesAnInlierOfThePerson) {
  std::size_t plausible = 0, rules_seen = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    Case each(id, 2, 6);
    ConditionalRules rules(each.world.context, each.reach, each.settings, Region::at(each.person.codes),
                           {&each.person});
    for (const Rule& rule : rules.solve(each.features, 1)) {
      const CodeBox box = box_of(rule);
      bool ordinary = false;
      for (std::size_t row = 0; row < each.world.table.rows(); ++row) {
        std::vector<double> positions;
        for (std::size_t feature = 0; feature < each.world.table.features(); ++feature)
          positions.push_back(each.world.grid.position(feature, each.person.values[feature]));
        bool inside = true;
        for (std::size_t i = 0; i < box.size(); ++i) {
          const Code code = each.world.codes.at(row, each.features[i]);
          inside = inside && box[i].contains(code);
          if (inside) positions[each.features[i]] = each.world.values.middle(each.features[i], code);
        }
        ordinary = ordinary || (inside && each.world.inliers.score(positions) > 0);
      }
      EXPECT_EQ(rules.plausible(rule), ordinary) << "case " << id;
      plausible += ordinary ? 1 : 0;
      ++rules_seen;
    }
  }
  EXPECT_GT(plausible, 10u);
  EXPECT_LT(plausible, rules_seen) << "every rule is plausible: the test cannot fail";
}

TEST(ConditionalRulesOracle, OneFeatureGivesTheHeaviestOfAllIntervals) { check_cases(800, 1, 12); }

TEST(ConditionalRulesOracle, TwoFeaturesGiveTheHeaviestOfAllBoxes) { check_cases(500, 2, 6); }

TEST(ConditionalRulesOracle, ThreeFeaturesGiveTheHeaviestOfAllBoxes) { check_cases(150, 3, 4); }

}  // namespace
}  // namespace cfrules::test
