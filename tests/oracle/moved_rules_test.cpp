// Rules of the moved reading against every box tried one by one, donor by donor.
#include "explain/moved_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "oracle/naive.h"
#include "oracle/rule_checks.h"

namespace cfrules::test {
namespace {

using People = std::vector<const CodedPerson*>;

// What becomes of the people who take a row's values: mean over them.
struct Donor {
  std::size_t row = 0;
  double mass = 0;
  double raw = 0;
  double probability = 0;
  double score = 0;  // inlier score at the middle of the row's codes
};

class MovedTwin {
 public:
  MovedTwin(const World& world, const People& people, const FeatureIndexes& features)
      : world_(world), forest_(world.grown.forest, world.grid, world.table, world.weights), features_(features) {
    for (std::size_t row = 0; row < world.table.rows(); ++row) {
      bool missing = false;
      for (const std::size_t feature : features) missing = missing || std::isnan(world.table.value(row, feature));
      if (!missing) donors_.push_back(read(people, row));
    }
  }

  [[nodiscard]] std::vector<Donor> inside(const CodeBox& box) const {
    std::vector<Donor> kept;
    for (const Donor& donor : donors_) {
      bool in_box = true;
      for (std::size_t i = 0; i < box.size(); ++i)
        in_box = in_box && forest_.side(features_[i], box[i]).contains(forest_.row(donor.row)[features_[i]]);
      if (in_box) kept.push_back(donor);
    }
    return kept;
  }

  // The mass of the box if all its donors meet the demand, else none.
  [[nodiscard]] std::optional<double> mass(const CodeBox& box, const Purity& purity,
                                           std::optional<double> margin) const {
    double mass = 0;
    double sum = 0;
    for (const Donor& donor : inside(box)) {
      if (donor.probability < purity.floor - 1e-11 || (margin && donor.score < *margin - 1e-11)) return std::nullopt;
      mass += donor.mass;
      sum += donor.mass * donor.probability;
    }
    if (mass <= 0 || sum < purity.mean * mass - 1e-11 * mass) return std::nullopt;
    return mass;
  }

 private:
  [[nodiscard]] Donor read(const People& people, std::size_t row) const {
    Donor donor{row, forest_.weight(row), 0, 0, 0};
    double path = 0;
    for (const CodedPerson* person : people) {
      std::vector<double> moved = forest_.point(person->values);
      std::vector<double> place;
      for (std::size_t feature = 0; feature < moved.size(); ++feature)
        place.push_back(world_.grid.position(feature, person->values[feature]));
      for (const std::size_t feature : features_) {
        moved[feature] = forest_.row(row)[feature];
        place[feature] = world_.values.middle(feature, world_.codes.at(row, feature));
      }
      const naive::Reading reading = naive::read(forest_.votes(moved), world_.forest.target(), world_.forest.map());
      donor.raw += reading.raw / static_cast<double>(people.size());
      donor.probability += reading.probability / static_cast<double>(people.size());
      path += mean_path(place) / static_cast<double>(people.size());
    }
    donor.score = people.size() == 1 ? score(people, row) : world_.inliers.score_of_path(path);
    return donor;
  }

  [[nodiscard]] double score(const People& people, std::size_t row) const {
    std::vector<double> place;
    for (std::size_t feature = 0; feature < world_.table.features(); ++feature)
      place.push_back(world_.grid.position(feature, people.front()->values[feature]));
    for (const std::size_t feature : features_)
      place[feature] = world_.values.middle(feature, world_.codes.at(row, feature));
    return world_.inliers.score(place);
  }

  [[nodiscard]] double mean_path(const std::vector<double>& place) const {
    const std::vector<Code> codes = world_.inliers.cuts().codes(place);
    double sum = 0;
    for (const Tree& tree : world_.inliers.trees()) sum += tree.leaf_values[tree.leaf_of(codes)];
    return sum / static_cast<double>(world_.inliers.trees().size());
  }

  const World& world_;
  naive::Forest forest_;
  FeatureIndexes features_;
  std::vector<Donor> donors_;
};

struct Demand {
  Purity purity;
  Plausibility plausibility = Plausibility::none;
};

Demand random_demand(RandomStream& random) {
  Demand demand;
  demand.purity.mean = 0.2 + 0.7 * random.uniform();
  demand.purity.floor = random.below(2) == 0 ? demand.purity.mean : demand.purity.mean * random.uniform();
  demand.plausibility = static_cast<Plausibility>(random.below(4));
  return demand;
}

void expect_rule_holds(const World& world, const MovedTwin& twin, const Rule& rule, const Demand& demand) {
  const CodeBox box = box_of(rule);
  const std::vector<Donor> donors = twin.inside(box);
  EXPECT_TRUE(twin.mass(box, demand.purity, inlier_margin(demand.plausibility)));
  double mass = 0;
  double raw = 0;
  double probability = 0;
  for (const Donor& donor : donors) {
    mass += donor.mass;
    raw += donor.mass * donor.raw;
    probability += donor.mass * donor.probability;
  }
  const double tolerance = world.forest.numeric() ? 1e-6 : 1e-11;
  EXPECT_EQ(rule.support, donors.size());
  EXPECT_NEAR(rule.mass, mass / world.moves.total_mass(), 1e-12);
  EXPECT_NEAR(rule.probability.raw, raw / mass, tolerance);
  EXPECT_NEAR(rule.probability.calibrated, probability / mass, tolerance);
}

double heaviest_of_all(const World& world, const MovedTwin& twin, const Reach& reach, const People& people,
                       const FeatureIndexes& features, const Demand& demand) {
  double best = 0;
  for_each_box(world.grid, features, [&](const CodeBox& box) {
    const std::optional<double> mass = twin.mass(box, demand.purity, inlier_margin(demand.plausibility));
    if (mass && *mass > best && within_reach(reach, people, features, box)) best = *mass;
  });
  return best / world.moves.total_mass();
}

struct Problem {
  std::uint64_t stream;
  std::size_t features;
  std::size_t max_codes;
  bool exhaustive;
};

void check_problem(const Problem& problem, std::uint64_t id, std::size_t& found_rules) {
  RandomStream random = test_stream(problem.stream, id);
  WorldOptions options = random_options(random);
  options.features = std::max(options.features, problem.features);
  options.max_codes = problem.max_codes;
  options.fine = !problem.exhaustive && random.below(2) == 0;
  const World world = random_world(options, random);
  std::vector<CodedPerson> persons;
  for (std::size_t i = 0; i < (random.below(4) == 0 ? 3 : 1); ++i) persons.push_back(world.random_person(random));
  People people;
  for (const CodedPerson& person : persons) people.push_back(&person);
  const FeatureIndexes features = world.random_features(problem.features, random);
  const Reach reach = random_reach(world, random);
  const Demand demand = random_demand(random);
  Settings settings;
  settings.min_probability = demand.purity.mean;
  settings.floor = demand.purity.floor;
  settings.candidates = world.random_features(random.below(2) == 0 ? random.below(6) : 6, random);
  random.shuffle(std::span(settings.candidates));
  MovedRules rules(world.context, reach, settings, people);
  const FoundRules found = rules.solve(features, demand.plausibility, 3);
  const MovedTwin twin(world, people, features);
  found_rules += found.rules.size();
  expect_disjoint(found.rules);
  for (const Rule& rule : found.rules) {
    expect_rule_holds(world, twin, rule, demand);
    EXPECT_TRUE(within_reach(reach, people, features, box_of(rule)));
    for (const CodedPerson& person : persons)
      if (persons.size() == 1) expect_constraints_kept(world, reach, person, rule, random);
  }
  EXPECT_GE(rules.mass_bound(features, demand.plausibility, rules.purity()), found.mass() - 1e-12);
  const double peak = rules.peak(features);
  for (const double probability : {peak, 0.99 * peak, 1.01 * peak, demand.purity.floor, random.uniform()})
    EXPECT_EQ(rules.peaks_above(features, probability), peak > probability) << probability << " of " << peak;
  // What was found for one demand answers for others where it can.
  for (int each = 0; each < 4; ++each) {
    const auto other = static_cast<Plausibility>(random.below(4));
    const double beat = random.below(2) == 0 ? 0 : found.mass() * 2 * random.uniform();
    MovedRules fresh(world.context, reach, settings, people);
    EXPECT_EQ(rules.mass_bound(features, other, rules.purity(), beat),
              fresh.mass_bound(features, other, rules.purity(), beat));
    EXPECT_EQ(rules.solve(features, other, 1, beat).mass(), fresh.solve(features, other, 1, beat).mass());
  }
  // What was read for one floor answers for higher ones.
  const double higher = demand.purity.floor + (1 - demand.purity.floor) * random.uniform();
  Settings stricter = settings;
  stricter.min_probability = stricter.floor = higher;
  MovedRules strict(world.context, reach, stricter, people);
  EXPECT_EQ(rules.solve(features, demand.plausibility, 3, {higher, higher}, 0).mass(),
            strict.solve(features, demand.plausibility, 3).mass());
  EXPECT_EQ(rules.mass_bound(features, demand.plausibility, {higher, higher}),
            strict.mass_bound(features, demand.plausibility, strict.purity()));
  if (!problem.exhaustive) return;
  const double best = heaviest_of_all(world, twin, reach, people, features, demand);
  EXPECT_LE(found.mass(), best + 1e-12);
  if (features.size() > 2) return;
  EXPECT_NEAR(found.mass(), best, 1e-12);
  for (const Rule& rule : found.rules) EXPECT_TRUE(rule.optimal);
  const double beat = found.mass() * random.uniform();
  EXPECT_EQ(rules.solve(features, demand.plausibility, 1, beat).mass(), found.mass()) << "beat " << beat;
}

void check_problems(const Problem& problem, std::uint64_t count) {
  std::size_t found = 0;
  for (std::uint64_t id = 0; id < count; ++id) {
    SCOPED_TRACE(testing::Message() << "case " << id);
    check_problem(problem, id, found);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(found, count / 5) << "the cases hardly have rules";
}

TEST(MovedRulesOracle, OneFeatureGivesTheHeaviestOfAllIntervals) { check_problems({21, 1, 30, true}, 1000); }

TEST(MovedRulesOracle, TwoFeaturesGiveTheHeaviestOfAllBoxes) { check_problems({22, 2, 9, true}, 800); }

TEST(MovedRulesOracle, ThreeFeaturesNeverBeatTheHeaviestOfAllBoxes) { check_problems({23, 3, 6, true}, 300); }

TEST(MovedRulesOracle, RulesOnCoarseBinsHoldAtEveryDonor) { check_problems({24, 3, 255, false}, 500); }

TEST(MovedRulesOracle, RulesOnFourFeaturesHoldAtEveryDonor) { check_problems({25, 4, 255, false}, 200); }

TEST(MovedRulesOracle, SetsThatAreRuledOutBeforehandHaveNoRule) {
  std::size_t ruled_out = 0;
  std::size_t able = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    SCOPED_TRACE(testing::Message() << "case " << id);
    RandomStream random = test_stream(26, id);
    const World world = random_world(random_options(random), random);
    const CodedPerson person = world.random_person(random);
    const Reach reach = random_reach(world, random);
    const Demand demand = random_demand(random);
    Settings settings;
    settings.min_probability = demand.purity.mean;
    settings.floor = demand.purity.floor;
    settings.min_mass = 0.5 * random.uniform();
    settings.candidates = world.random_features(4, random);
    const std::vector<FeatureIndexes> sets =
        CandidateUnits(settings.candidates, reach, 4).sets_of(1 + random.below(3));
    MovedRules rules(world.context, reach, settings, {&person});
    MovedRules unaware(world.context, reach, settings, {&person});
    std::vector<FeatureIndexes> left = sets;
    std::erase_if(left, [&](const FeatureIndexes& each) { return !rules.may_be_ordinary(each, demand.plausibility); });
    rules.expect(left);
    for (const FeatureIndexes& features : sets) {
      const FoundRules alone = unaware.solve(features, demand.plausibility, 1);
      const bool kept = std::find(left.begin(), left.end(), features) != left.end();
      (kept ? able : ruled_out) += 1;
      if (kept)
        EXPECT_EQ(rules.solve(features, demand.plausibility, 1).mass(), alone.mass());
      else
        EXPECT_LT(alone.mass(), settings.min_mass);
    }
    // Whoever is asked about all the same is read in full.
    for (const FeatureIndexes& features : sets)
      EXPECT_EQ(rules.solve(features, Plausibility::none, 1).mass(),
                unaware.solve(features, Plausibility::none, 1).mass());
  }
  EXPECT_GT(ruled_out, 50u);
  EXPECT_GT(able, 200u);
}

}  // namespace
}  // namespace cfrules::test
