#include "recourse/recourse_sampler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "unit/recourse_fixture.h"

// Designated initialisers name what a test is about and leave the rest at its default.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace cfrules {
namespace {

const std::vector<RecourseMethod> kMethods = {RecourseMethod::surest, RecourseMethod::nearest, RecourseMethod::cheapest,
                                              RecourseMethod::annealing};

using RowProbability = std::function<double(std::span<const Code>)>;

// Wealth, age and ownership help, debt hurts; seen through codes, as a forest sees it.
RowProbability forest_like() {
  return [](std::span<const Code> codes) {
    const double z = 0.3 * codes[kIncome] + 0.1 * codes[kAge] + 0.5 * codes[kOwner] - 0.2 * codes[kDebt] - 3;
    return 1 / (1 + std::exp(-z));
  };
}

PersonProbability for_people(RowProbability of_row) {
  return [of_row](std::span<const Code> person, std::span<const std::size_t> changed) -> CellProbability {
    return [of_row, row = std::vector(person.begin(), person.end()),
            places = std::vector(changed.begin(), changed.end())](std::span<const Code> cell) {
      std::vector<Code> codes = row;
      for (std::size_t i = 0; i < places.size(); ++i) codes[places[i]] = cell[i];
      return of_row(codes);
    };
  };
}

std::vector<Recourse> draw(const World& world, const std::vector<double>& person, const Rule& rule,
                           const RecourseOptions& options, double min_probability = 0.5, std::uint64_t seed = 0) {
  const RecourseSampler sampler(world.table, world.blocks, world.grid, world.inliers, world.reach, world.costs,
                                for_people(forest_like()), options, min_probability);
  return sampler.draw(person, rule, 7, seed);
}

Rule rule_of(std::vector<Condition> conditions) {
  Rule rule;
  rule.conditions = std::move(conditions);
  return rule;
}

std::vector<double> moved(std::vector<double> person, const Recourse& recourse) {
  for (const ChangedValue& value : recourse.values) person[value.index] = value.cell.value;
  return person;
}

bool in_side(const World& world, const Condition& side, double value) {
  if (!side.codes.contains(world.grid.code(side.index, value))) return false;
  if (side.kind == Kind::category || side.kind == Kind::boolean) {
    const std::string& name = world.table.schema()[side.index].categories[static_cast<std::size_t>(value)];
    return std::count(side.values.begin(), side.values.end(), name) == 1;
  }
  const bool above = side.low_closed ? value >= side.low : value > side.low;
  const bool below = side.high_closed ? value <= side.high : value < side.high;
  return above && below && (side.kind == Kind::number || std::floor(value) == value);
}

// A box of open codes that holds at least one training row, or none found.
std::optional<Rule> random_rule(const World& world, const std::vector<double>& person) {
  const std::vector<double> donor = world.table.row(*rc::gen::inRange<std::size_t>(0, world.table.rows()));
  const auto subset = *rc::gen::inRange<unsigned>(1, 32);
  Rule rule;
  for (std::size_t feature = 0; feature < 5; ++feature) {
    if (!(subset >> feature & 1) || !world.reach.may_change(feature)) continue;
    const std::vector<std::uint8_t> open = world.reach.codes(feature, person[feature]);
    const Code code = world.grid.code(feature, donor[feature]);
    if (!open[code]) return std::nullopt;
    Interval codes{code, code};
    const int below = *rc::gen::inRange(0, 6);
    const int above = *rc::gen::inRange(0, 6);
    for (int i = 0; i < below && open[codes.low - 1]; ++i) --codes.low;
    for (int i = 0; i < above && codes.high + 1u < open.size() && open[codes.high + 1]; ++i) ++codes.high;
    rule.conditions.push_back(world.side(feature, codes, person[feature]));
  }
  if (rule.conditions.empty()) return std::nullopt;
  return rule;
}

void check_all(const World& world, const std::vector<double>& person, const Rule& rule,
               const RecourseOptions& options) {
  std::set<std::vector<double>> seen;
  const std::vector<Recourse> recourses = draw(world, person, rule, options);
  RC_ASSERT(recourses.size() <= options.per_rule);
  for (const Recourse& recourse : recourses) {
    const std::vector<double> point = moved(person, recourse);
    RC_ASSERT(seen.insert(point).second);
    for (const Condition& side : rule.conditions) RC_ASSERT(in_side(world, side, point[side.index]));
    RC_ASSERT(!world.reach.violation(person, point));
    RC_ASSERT(recourse.probability == forest_like()(world.grid.codes(point)));
    RC_ASSERT(recourse.inlier_score == world.inliers.score(world.positions_of(point)));
    double cost = 0;
    for (const ChangedValue& value : recourse.values)
      cost += world.reach.cost(value.index) * world.costs.change(value.index, person[value.index], value.cell.value);
    RC_ASSERT(std::abs(recourse.cost - cost) < 1e-12);
    RC_ASSERT(std::isnan(recourse.stays_in_box) == options.noise.empty());
    if (!std::isnan(options.max_invalid)) RC_ASSERT(1 - recourse.stays_in_box <= options.max_invalid);
  }
}

Constraints strict() {
  return {.features = {{.feature = "age", .allowed = {.low = 20, .high = 65}, .step = 3, .cost = 2},
                       {.feature = "income", .direction = Direction::increase, .allowed = {.high = 90}},
                       {.feature = "debt", .step = 0.5}},
          .implies = {{{{"owner", {.values = {"yes"}}}}, {{"income", {.low = 30}}}}},
          .max_changes = 3};
}

RecourseOptions options_of(RecourseMethod method, std::size_t per_rule) {
  RecourseOptions options;
  options.method = method;
  options.per_rule = per_rule;
  options.steps = 60;
  return options;
}

RC_GTEST_PROP(RecourseSampler, EveryRecourseLiesInItsRule, ()) {
  static const World world(200, 2);
  const std::vector<double> person = world.table.row(*rc::gen::inRange<std::size_t>(0, 200));
  const std::optional<Rule> rule = random_rule(world, person);
  RC_PRE(rule.has_value());
  RecourseOptions options = options_of(*rc::gen::elementOf(kMethods), *rc::gen::inRange<std::size_t>(1, 5));
  options.l2 = *rc::gen::arbitrary<bool>();
  check_all(world, person, *rule, options);
  RC_ASSERT(!draw(world, person, *rule, options).empty());  // a donor exists and nothing forbids it
}

RC_GTEST_PROP(RecourseSampler, NoRecourseBreaksAConstraint, ()) {
  static const World world(200, 2, strict());
  const std::vector<double> person = world.table.row(*rc::gen::inRange<std::size_t>(0, 200));
  const std::optional<Rule> rule = random_rule(world, person);
  RC_PRE(rule.has_value());
  RecourseOptions options = options_of(*rc::gen::elementOf(kMethods), *rc::gen::inRange<std::size_t>(1, 5));
  if (*rc::gen::arbitrary<bool>()) {
    options.noise = {0.02};
    options.max_invalid = 0.4;
  }
  check_all(world, person, *rule, options);
}

RC_GTEST_PROP(RecourseSampler, TheNearestPointIsNoFartherThanAnyDonor, ()) {
  static const World world(200, 2);
  const std::vector<double> person = world.table.row(*rc::gen::inRange<std::size_t>(0, 200));
  const std::optional<Rule> rule = random_rule(world, person);
  RC_PRE(rule.has_value());
  const std::vector<Recourse> nearest = draw(world, person, *rule, options_of(RecourseMethod::nearest, 1));
  RC_ASSERT(nearest.size() == 1);
  const std::vector<double> point = moved(person, nearest.front());
  for (std::size_t row = 0; row < world.table.rows(); ++row) {
    const auto inside = [&](const Condition& side) { return side.codes.contains(world.codes.at(row, side.index)); };
    if (!std::all_of(rule->conditions.begin(), rule->conditions.end(), inside)) continue;
    for (const Condition& side : rule->conditions) {  // feature by feature: the nearest for every norm
      if (std::isnan(person[side.index])) continue;
      const double from = world.grid.position(side.index, person[side.index]);
      const double donor = world.grid.position(side.index, world.table.value(row, side.index));
      RC_ASSERT(std::abs(world.grid.position(side.index, point[side.index]) - from) <= std::abs(donor - from));
    }
  }
}

// The choice of the surest point, plain and slow: every donor's place weighed from the definitions.
class SlowSurest {
 public:
  SlowSurest(const World& world, const std::vector<double>& person, const Rule& rule)
      : world_(world),
        person_(person),
        rule_(rule),
        usual_({.noise = {0.1}}, world.table.schema(), world.grid, world.values) {
    for (std::size_t row = 0; row < world.table.rows(); ++row)
      if (is_donor(row)) donors_.push_back(row);
    for (const std::size_t donor : donors_) places_.insert(place_of(donor));
    std::erase_if(places_, [&](const auto& place) { return world_.inliers.score(world_.positions_of(place)) <= 0; });
    has_plausible_ = !places_.empty();
    const auto lonely = [&](const auto& place) { return !in_company(place); };
    if (!std::all_of(places_.begin(), places_.end(), lonely)) std::erase_if(places_, lonely);
  }

  [[nodiscard]] bool has_plausible() const { return has_plausible_; }
  [[nodiscard]] bool considers(const std::vector<double>& place) const { return places_.contains(place); }
  [[nodiscard]] double sureness(const std::vector<double>& place) const {
    return 4 * probability(place) + steadiness(place);
  }

  [[nodiscard]] double best_sureness() const {
    std::vector<std::pair<double, double>> both;  // the first guess, what the forest says
    for (const std::vector<double>& place : places_)
      both.emplace_back(4 * probability(place) + depth(place), sureness(place));
    std::sort(both.rbegin(), both.rend());
    both.resize(std::min<std::size_t>(both.size(), 50));
    double best = 0;
    for (const auto& [guess, sure] : both) best = std::max(best, sure);
    return best;
  }

 private:
  [[nodiscard]] bool is_donor(std::size_t row) const {
    return std::all_of(rule_.conditions.begin(), rule_.conditions.end(),
                       [&](const Condition& side) { return side.codes.contains(world_.codes.at(row, side.index)); });
  }

  [[nodiscard]] std::vector<double> place_of(std::size_t donor) const {
    std::vector<double> place = person_;
    for (const Condition& side : rule_.conditions) place[side.index] = world_.table.value(donor, side.index);
    return place;
  }

  // More than a fiftieth of the donors, rounded down, at or beyond each changed number.
  [[nodiscard]] bool in_company(const std::vector<double>& place) const {
    for (const Condition& side : rule_.conditions) {
      const double value = place[side.index];
      if (side.kind == Kind::category || side.kind == Kind::boolean || value == person_[side.index]) continue;
      std::size_t below = 0;
      std::size_t above = 0;
      for (const std::size_t donor : donors_) {
        below += world_.table.value(donor, side.index) <= value;
        above += world_.table.value(donor, side.index) >= value;
      }
      if (std::min(below, above) <= donors_.size() / 50) return false;
    }
    return true;
  }

  [[nodiscard]] double probability(const std::vector<double>& place) const {
    return forest_like()(world_.grid.codes(place));
  }

  [[nodiscard]] double depth(const std::vector<double>& place) const {
    std::vector<double> values;
    for (const Condition& side : rule_.conditions) values.push_back(place[side.index]);
    return usual_.stays_in_box(rule_.conditions, values);
  }

  [[nodiscard]] double steadiness(const std::vector<double>& place) const {
    double sum = 0;
    for (int mishap = -11; mishap <= 11; ++mishap) {
      std::vector<double> reached = place;
      std::size_t missed = 0;
      for (const Condition& side : rule_.conditions)
        if (usual_.deviation(side.index) > 0 && place[side.index] != person_[side.index])
          reached[side.index] += usual_.deviation(side.index) * missed_by(mishap, missed++);
      sum += probability(reached);
    }
    return sum / 23;
  }

  const World& world_;
  const std::vector<double>& person_;
  const Rule& rule_;
  Noise usual_;
  std::vector<std::size_t> donors_;
  std::set<std::vector<double>> places_;
  bool has_plausible_ = false;
};

RC_GTEST_PROP(RecourseSampler, TheSurestIsWhatASlowReadingOfAllDonorsFinds, ()) {
  static const World world(400, 2);
  std::vector<double> person = world.table.row(*rc::gen::inRange<std::size_t>(0, 400));
  if (std::isnan(person[kDebt]))
    person[kDebt] = 4;  // missing is never equal to itself, which the slow reading relies on
  const std::optional<Rule> rule = random_rule(world, person);
  RC_PRE(rule.has_value());
  const SlowSurest slow(world, person, *rule);
  RC_PRE(slow.has_plausible());
  const std::vector<Recourse> surest = draw(world, person, *rule, options_of(RecourseMethod::surest, 1));
  RC_ASSERT(surest.size() == 1);
  const std::vector<double> point = moved(person, surest.front());
  RC_ASSERT(slow.considers(point));
  RC_ASSERT(std::abs(slow.sureness(point) - slow.best_sureness()) < 1e-9);
}

RC_GTEST_PROP(RecourseSampler, AnnealingNeverEndsWorseThanShorterAnnealing, ()) {
  static const World world(200, 2);
  const std::vector<double> person = world.table.row(*rc::gen::inRange<std::size_t>(0, 200));
  const std::optional<Rule> rule = random_rule(world, person);
  RC_PRE(rule.has_value());
  RecourseOptions options = options_of(RecourseMethod::annealing, 1);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
  double before = -2;
  for (const std::size_t steps : {0, 1, 10, 100}) {
    options.steps = steps;
    const std::vector<Recourse> found = draw(world, person, *rule, options, 0.5, seed);
    RC_ASSERT(found.size() == 1);
    RC_ASSERT(found.front().inlier_score >= before);
    before = found.front().inlier_score;
  }
}

Rule two_sides(const World& world, const std::vector<double>& person) {
  return rule_of({world.side(kIncome, {10, 16}, person[kIncome]), world.side(kAge, {5, 12}, person[kAge])});
}

TEST(RecourseSampler, AnnealingIsTheSameForTheSameSeedAndDiffersForOthers) {
  const World world(1000, 4);
  const std::vector<double> person = world.table.row(0);
  RecourseOptions options = options_of(RecourseMethod::annealing, 1);
  options.steps = 3;
  std::set<double> incomes;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto first = draw(world, person, two_sides(world, person), options, 0.5, seed);
    const auto again = draw(world, person, two_sides(world, person), options, 0.5, seed);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(moved(person, first.front()), moved(person, again.front()));
    incomes.insert(first.front().values.front().cell.value);
  }
  EXPECT_GT(incomes.size(), 1u);
}

TEST(RecourseSampler, AnnealingFindsTheMostOrdinaryValueOfOneFeature) {
  const World world(300, 4);
  const std::vector<double> person = world.table.row(0);
  const Rule rule = rule_of({world.side(kIncome, {8, 16}, person[kIncome])});
  RecourseOptions options = options_of(RecourseMethod::annealing, 1);
  options.steps = 3000;
  double best = -1;
  for (std::size_t row = 0; row < world.table.rows(); ++row) {
    std::vector<double> point = person;
    point[kIncome] = world.table.value(row, kIncome);
    if (rule.conditions.front().codes.contains(world.codes.at(row, kIncome)))
      best = std::max(best, world.inliers.score(world.positions_of(point)));
  }
  EXPECT_EQ(draw(world, person, rule, options).front().inlier_score, best);
}

TEST(RecourseSampler, AnnealingTakesLinkedFeaturesFromOneDonor) {
  const World world(300, 4, {.linked = {{"age", "income"}}});
  const std::vector<double> person = world.table.row(0);
  RecourseOptions options = options_of(RecourseMethod::annealing, 20);
  options.steps = 300;
  const auto found = draw(world, person, two_sides(world, person), options);
  ASSERT_GT(found.size(), 5u);
  for (const Recourse& recourse : found) {
    bool pair_seen = false;
    for (std::size_t row = 0; row < world.table.rows(); ++row)
      pair_seen = pair_seen || (world.table.value(row, kIncome) == recourse.values[0].cell.value &&
                                world.table.value(row, kAge) == recourse.values[1].cell.value);
    EXPECT_TRUE(pair_seen);
  }
}

TEST(RecourseSampler, AHalfOpenSideIsEnteredAtTheOutermostTrainingValue) {
  const World world(1000, 4);
  const RecourseOptions options = options_of(RecourseMethod::nearest, 1);
  std::vector<double> person{10, 40, 0, 0, 5};
  const Rule up = rule_of({world.side(kIncome, {11, 14}, 10)});  // (50.05, 70.05]
  EXPECT_EQ(draw(world, person, up, options).front().values.front().cell.value, world.values.least(kIncome, 11));
  person[kIncome] = 95;
  EXPECT_EQ(draw(world, person, up, options).front().values.front().cell.value, world.values.greatest(kIncome, 14));
  person[kIncome] = 60.03;
  EXPECT_EQ(draw(world, person, up, options).front().values.front().cell.value, 60.03);
}

TEST(RecourseSampler, IntegersAreClampedToWholeNumbers) {
  const World world(1000, 4);
  const RecourseOptions options = options_of(RecourseMethod::nearest, 1);
  const Rule rule = rule_of({world.side(kAge, {3, 6}, 60)});  // (23.5, 35.5]
  EXPECT_EQ(draw(world, {10, 60, 0, 0, 5}, rule, options).front().values.front().cell.value, 35);
  EXPECT_EQ(draw(world, {10, 19, 0, 0, 5}, rule, options).front().values.front().cell.value, 24);
}

TEST(RecourseSampler, CategoriesGoToTheNearestInOrderAndCarryTheirName) {
  const World world(300, 4);
  const Rule rule = rule_of({world.side(kJob, {2, 3}, 3)});  // student to {clerk, smith, nurse}
  const auto found = draw(world, {10, 60, 0, 3, 5}, rule, options_of(RecourseMethod::nearest, 1));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().values.front().cell.name, "clerk");
  EXPECT_EQ(found.front().values.front().feature, "job");
  EXPECT_EQ(found.front().cost, 1);
}

TEST(RecourseSampler, AMissingValueGoesToTheDonorsMedian) {
  const World world(300, 4);
  const Rule rule = rule_of({world.side(kDebt, {1, 10}, kNaN)});
  const auto found = draw(world, {10, 60, 0, 3, kNaN}, rule, options_of(RecourseMethod::nearest, 1));
  std::vector<double> debts;
  for (const double value : world.table.column(kDebt))
    if (!std::isnan(value)) debts.push_back(value);
  std::sort(debts.begin(), debts.end());
  EXPECT_EQ(found.front().values.front().cell.value, debts[(debts.size() - 1) / 2]);
}

TEST(RecourseSampler, AnImplicationSendsTheNearestPointToADonorThatKeepsIt) {
  const World world(300, 4, {.implies = {{{{"owner", {.values = {"yes"}}}}, {{"income", {.low = 60}}}}}});
  const std::vector<double> person{20, 40, 0, 0, 5};
  const Rule rule = rule_of({world.side(kIncome, {8, 16}, 20), world.side(kOwner, {2, 2}, 0)});
  const auto found = draw(world, person, rule, options_of(RecourseMethod::nearest, 1));
  double least = 1e9;
  for (std::size_t row = 0; row < world.table.rows(); ++row)
    if (world.table.value(row, kOwner) == 1 && world.table.value(row, kIncome) >= 60)
      least = std::min(least, world.table.value(row, kIncome));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().values.front().cell.value, least);
}

TEST(RecourseSampler, TheCheapestReachesTheThresholdAtLeastCost) {
  const World world(300, 4);
  const std::vector<double> person{2, 25, 0, 0, 9};
  const Rule rule = rule_of({world.side(kIncome, {2, 20}, 2), world.side(kAge, {1, 17}, 25)});
  const auto cheapest = draw(world, person, rule, options_of(RecourseMethod::cheapest, 3), 0.6);
  const auto surest = draw(world, person, rule, options_of(RecourseMethod::surest, 300), 0.6);
  ASSERT_EQ(cheapest.size(), 3u);
  EXPECT_GE(cheapest.front().probability, 0.6);
  EXPECT_LE(cheapest[0].cost, cheapest[1].cost);
  EXPECT_LE(cheapest[1].cost, cheapest[2].cost);
  for (const Recourse& other : surest)
    if (other.probability >= 0.6 && other.inlier_score > 0) {
      EXPECT_LE(cheapest.front().cost, other.cost);
    }
  EXPECT_LT(cheapest.front().cost, surest.front().cost);
}

TEST(RecourseSampler, PointsAtTheLonelyEndsOfTheRuleComeLastUnlessTheForestIsCertain) {
  const World world(1000, 4);
  const std::vector<double> person{10, 42, 1, 0, 5};
  const Rule rule = rule_of({world.side(kIncome, {11, 18}, 10)});  // (50.05, 90.05]
  std::vector<double> incomes;
  for (const double income : world.table.column(kIncome))
    if (income > 50.05 && income <= 90.05) incomes.push_back(income);
  std::sort(incomes.begin(), incomes.end());
  const double low = incomes[incomes.size() / 50];
  const double high = incomes[incomes.size() - 1 - incomes.size() / 50];
  const auto lonely = [&](const Recourse& one) {
    return one.values.front().cell.value < low || one.values.front().cell.value > high;
  };
  const RecourseOptions options = options_of(RecourseMethod::surest, 1000);  // more than there are
  const auto all = draw(world, person, rule, options);
  EXPECT_TRUE(std::is_partitioned(all.rbegin(), all.rend(), lonely));
  EXPECT_TRUE(lonely(all.back()));
  const auto few = draw(world, person, rule, options_of(RecourseMethod::surest, 3));
  ASSERT_EQ(few.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(moved(person, few[i]), moved(person, all[i]));
  const RecourseSampler certain_above(
      world.table, world.blocks, world.grid, world.inliers, world.reach, world.costs,
      for_people([](std::span<const Code> codes) { return codes[kIncome] == 18 ? 1.0 : 0.5; }), options, 0.5);
  const auto found = certain_above.draw(person, rule, 7, 0);
  EXPECT_EQ(found.size(), all.size());
  EXPECT_LT(found.back().values.front().cell.value, low);
  const auto first_unsure =
      std::find_if(found.begin(), found.end(), [](const auto& one) { return one.probability < 1; });
  EXPECT_TRUE(std::any_of(found.begin(), first_unsure, lonely));
  EXPECT_TRUE(std::none_of(first_unsure, found.end(), [](const auto& one) { return one.probability == 1; }));
}

TEST(PlaceInRule, AValueManyShareIsNotLonelyThoughNobodyIsBeyond) {
  const World world(1000, 4);
  const Noise noise({.noise = {0.1}}, world.table.schema(), world.grid, world.values);
  const SamplerData data{
      world.table, world.blocks, world.grid, world.inliers, world.reach, world.costs, for_people(forest_like()),
      {},          0.5,         noise,      noise};
  const std::vector<double> person{50, 42, 1, 0, 5};
  const Rule rule = rule_of({world.side(kAge, {12, 17}, 42), world.side(kIncome, {2, 20}, 50)});  // above 50.5, 5.05
  PlaceInRule place(data, person, rule);
  EXPECT_TRUE(place.in_company(std::vector{67.0, 50.0}));  // one of seventeen ages
  EXPECT_FALSE(place.in_company(std::vector{67.0, 99.9}));
  EXPECT_FALSE(place.in_company(std::vector{60.0, 5.1}));
}

TEST(RecourseSampler, ASteadyPointIsFoundWhereDonorsAreNot) {
  const World world(30, 4);
  const std::vector<double> person{10, 60, 0, 0, 5};
  const Rule rule = rule_of({world.side(kIncome, {11, 14}, 10)});  // (50.05, 70.05]
  RecourseOptions options = options_of(RecourseMethod::nearest, 1);
  options.noise = {5, 0, 0, 0, 0};
  options.max_invalid = 0.0456;  // two standard deviations on both sides, hardly more
  const auto found = draw(world, person, rule, options);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found.front().values.front().cell.value, 60.05, 0.05);
  EXPECT_NEAR(found.front().stays_in_box, 0.9545, 1e-3);
  options.max_invalid = 0.01;
  EXPECT_TRUE(draw(world, person, rule, options).empty());
}

TEST(RecourseSampler, ARuleWithoutPointsGivesNone) {
  const World world(300, 4, {.features = {{.feature = "income", .direction = Direction::immutable}}});
  for (const RecourseMethod method : kMethods)
    EXPECT_TRUE(
        draw(world, {10, 60, 0, 0, 5}, rule_of({world.side(kIncome, {11, 14}, 10)}), options_of(method, 2)).empty());
  EXPECT_TRUE(
      draw(world, {10, 60, 0, 0, 5}, rule_of({world.side(kDebt, {1, 4}, 5)}), options_of(kMethods[0], 0)).empty());
}

TEST(RecourseSampler, LargeDonorListsAreSampledEvenly) {
  const World world(20'000, 4);
  const std::vector<double> person{2, 25, 0, 0, 9};
  const Rule rule = rule_of({world.side(kIncome, {1, 20}, 2), world.side(kAge, {1, 17}, 25)});
  std::size_t asked = 0;
  const RecourseSampler sampler(world.table, world.blocks, world.grid, world.inliers, world.reach, world.costs,
                                for_people([&](std::span<const Code>) {
                                  ++asked;
                                  return 0.5;
                                }),
                                options_of(RecourseMethod::surest, 1), 0.5);
  EXPECT_EQ(sampler.draw(person, rule, 0, 0).size(), 1u);
  EXPECT_LE(asked, 2000u);
  EXPECT_GT(asked, 100u);
}

}  // namespace
}  // namespace cfrules
