#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "cfrules/error.h"
#include "region/reach.h"
#include "unit/recourse_fixture.h"

// Designated initialisers name what a test is about and leave the rest at its default.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace cfrules {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Constraints on(FeatureConstraint constraint) { return {.features = {std::move(constraint)}}; }

std::string refusal(const Constraints& constraints) {
  try {
    const World world(100, 1, constraints);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Reach, UnknownFeaturesAreNamedTogetherWithKnownOnes) {
  const std::string sentence = refusal(on({.feature = "incom"}));
  EXPECT_THAT(sentence, HasSubstr("'incom' is unknown"));
  EXPECT_THAT(sentence, HasSubstr("'income', 'age'"));
  EXPECT_THAT(refusal({.linked = {{"age", "city"}}}), HasSubstr("'city' is unknown"));
  EXPECT_THAT(refusal({.implies = {{{{"town", {}}}, {}}}}), HasSubstr("'town' is unknown"));
}

TEST(Reach, ConstraintsThatDoNotFitTheirFeatureAreRefused) {
  EXPECT_THAT(refusal(on({.feature = "job", .allowed = {.values = {"pilot"}}})), HasSubstr("no value 'pilot'"));
  EXPECT_THAT(refusal(on({.feature = "job", .direction = Direction::increase})), HasSubstr("cannot increase"));
  EXPECT_THAT(refusal(on({.feature = "job", .allowed = {.low = 1}})), HasSubstr("has no range"));
  EXPECT_THAT(refusal(on({.feature = "job", .step = 2})), HasSubstr("takes no step"));
  EXPECT_THAT(refusal(on({.feature = "owner", .step = 1})), HasSubstr("takes no step"));
  EXPECT_THAT(refusal(on({.feature = "income", .allowed = {.values = {"much"}}})), HasSubstr("takes a range"));
  EXPECT_THAT(refusal(on({.feature = "age", .step = 0.5})), HasSubstr("must be whole"));
  EXPECT_THAT(refusal(on({.feature = "income", .step = -1})), HasSubstr("above 0"));
  EXPECT_THAT(refusal(on({.feature = "income", .cost = -1})), HasSubstr("at least 0"));
}

TEST(Reach, ContradictionsAreRefused) {
  EXPECT_THAT(refusal(on({.feature = "age", .allowed = {.low = 60, .high = 20}})), HasSubstr("from 60 to 20"));
  EXPECT_THAT(refusal(on({.feature = "age", .allowed = {.low = kNaN}})), HasSubstr("range of feature 'age'"));
  EXPECT_THAT(refusal(on({.feature = "age", .allowed = {.low = 200}})), HasSubstr("holds no training value"));
  EXPECT_THAT(refusal({.features = {{.feature = "age"}, {.feature = "age"}}}), HasSubstr("given twice"));
  EXPECT_THAT(refusal({.linked = {{"age", "job"}, {"job", "debt"}}}), HasSubstr("linked twice"));
}

TEST(Reach, WithoutConstraintsEveryCodeButMissingIsOpen) {
  const World world;
  const std::vector<std::uint8_t> codes = world.reach.codes(kJob, 0);
  EXPECT_THAT(codes, ElementsAre(0, 1, 1, 1));
  EXPECT_TRUE(world.reach.may_change(kAge));
  EXPECT_EQ(world.reach.max_changes(), 0u);
  EXPECT_EQ(world.reach.cost(kAge), 1);
  EXPECT_TRUE(world.reach.binding_hint().empty());
}

TEST(Reach, DirectionsLeaveOnlyTheCodesBeyondThePresentOne) {
  const World world(300, 1, on({.feature = "owner", .direction = Direction::increase}));
  EXPECT_THAT(world.reach.codes(kOwner, 0), ElementsAre(0, 0, 1));
  EXPECT_THAT(world.reach.codes(kOwner, 1), ElementsAre(0, 0, 0));
  EXPECT_THAT(world.reach.codes(kOwner, kNaN), ElementsAre(0, 0, 0));
  const World less(300, 1, on({.feature = "owner", .direction = Direction::decrease}));
  EXPECT_THAT(less.reach.codes(kOwner, 1), ElementsAre(0, 1, 0));
}

TEST(Reach, ACodeIsClosedUnlessAllItsCategoriesAreAllowed) {
  const World one(300, 1, on({.feature = "job", .allowed = {.values = {"clerk", "nurse"}}}));
  EXPECT_THAT(one.reach.codes(kJob, 0), ElementsAre(0, 0, 0, 1));
  const World both(300, 1, on({.feature = "job", .allowed = {.values = {"clerk", "smith"}}}));
  EXPECT_THAT(both.reach.codes(kJob, 0), ElementsAre(0, 0, 1, 0));
}

TEST(Reach, LinkedFeaturesShareImmutability) {
  const World world(300, 1,
                    {.features = {{.feature = "age", .direction = Direction::immutable}}, .linked = {{"job", "age"}}});
  EXPECT_FALSE(world.reach.may_change(kAge));
  EXPECT_FALSE(world.reach.may_change(kJob));
  EXPECT_TRUE(world.reach.may_change(kDebt));
  EXPECT_THAT(world.reach.codes(kJob, 0), ElementsAre(0, 0, 0, 0));
  ASSERT_EQ(world.reach.groups().size(), 1u);
  EXPECT_THAT(world.reach.groups().front(), ElementsAre(kJob, kAge));
}

struct Moves {
  std::vector<double> from{50, 40, 0, 0, 5};
  std::vector<double> to = from;
};

std::string violation(const Constraints& constraints, std::size_t feature, double value, double from = kNaN) {
  const World world(300, 1, constraints);
  Moves moves;
  if (!std::isnan(from)) moves.from[feature] = from;
  moves.to[feature] = value;
  return world.reach.violation(moves.from, moves.to).value_or("none");
}

TEST(Reach, ABrokenConstraintIsNamedInWords) {
  const Constraints fixed = on({.feature = "age", .direction = Direction::immutable});
  EXPECT_EQ(violation(fixed, kAge, 41), "age is immutable");
  EXPECT_EQ(violation(fixed, kDebt, 1), "none");
  const Constraints more = on({.feature = "income", .direction = Direction::increase});
  EXPECT_EQ(violation(more, kIncome, 49.9), "income may only increase");
  EXPECT_EQ(violation(more, kIncome, 50.1), "none");
  const Constraints steps = on({.feature = "age", .allowed = {.low = 20, .high = 50}, .step = 5});
  EXPECT_EQ(violation(steps, kAge, 42), "age between 20 and 50 in steps of 5");
  EXPECT_EQ(violation(steps, kAge, 55), "age between 20 and 50 in steps of 5");
  EXPECT_EQ(violation(steps, kAge, 45), "none");
  const Constraints named = on({.feature = "job", .allowed = {.values = {"smith"}}});
  EXPECT_EQ(violation(named, kJob, 1), "job in {smith}");
  EXPECT_EQ(violation({}, kAge, kNaN, 3), "age may not become missing");
}

TEST(Reach, WhatStaysAsItIsBreaksNothing) {
  EXPECT_EQ(violation(on({.feature = "age", .allowed = {.high = 30}}), kDebt, 1), "none");
  EXPECT_EQ(violation({.linked = {{"age", "job"}}}, kAge, 41), "none");
}

TEST(Reach, IsUnlimitedOnlyIfNothingWasStated) {
  EXPECT_TRUE(World(300, 1, {}).reach.unlimited());
  for (const Constraints& stated : {on({.feature = "age", .direction = Direction::increase}),
                                    Constraints{.linked = {{"age", "job"}}}, Constraints{.max_changes = 1},
                                    Constraints{.implies = {{{{"job", {.values = {"student"}}}}, {{"income", {.high = 20}}}}}}})
    EXPECT_FALSE(World(300, 1, stated).reach.unlimited());
}

TEST(Reach, AtMostSoManyFeaturesMayDiffer) {
  const World world(300, 1, {.max_changes = 1});
  Moves moves;
  moves.to[kAge] = 41;
  EXPECT_FALSE(world.reach.violation(moves.from, moves.to));
  moves.to[kDebt] = 1;
  EXPECT_EQ(world.reach.violation(moves.from, moves.to), "at most 1 change");
}

Constraints poor_students() { return {.implies = {{{{"job", {.values = {"student"}}}}, {{"income", {.high = 20}}}}}}; }

TEST(Reach, AnImplicationBindsWhoeverChangesWhatItMentions) {
  const World world(300, 1, poor_students());
  Moves moves;
  moves.to[kJob] = 3;
  EXPECT_EQ(world.reach.violation(moves.from, moves.to), "if job in {student} then income at most 20");
  moves.to[kIncome] = 15;
  EXPECT_FALSE(world.reach.violation(moves.from, moves.to));
  moves = {.from = {50, 40, 0, 3, 5}, .to = {50, 41, 0, 3, 5}};  // a rich student grows older
  EXPECT_FALSE(world.reach.violation(moves.from, moves.to));
  const std::vector<std::size_t> job{kJob};
  const std::vector<Code> student{1}, clerk{2};
  EXPECT_TRUE(world.reach.breaks_implication(moves.from, job, student));
  EXPECT_FALSE(world.reach.breaks_implication(moves.from, job, clerk));
}

TEST(Reach, AllConstraintsCanBeSaid) {
  Constraints constraints = poor_students();
  constraints.features = {{.feature = "debt", .direction = Direction::decrease},
                          {.feature = "age", .allowed = {.low = 20}, .step = 5}};
  constraints.linked = {{"owner", "debt"}};
  constraints.max_changes = 2;
  const World world(300, 1, constraints);
  EXPECT_THAT(world.reach.binding_hint(),
              ElementsAre("age at least 20 in steps of 5", "debt may only decrease", "owner and debt change together",
                          "if job in {student} then income at most 20", "at most 2 changes"));
}

TEST(Reach, ARuleIsClippedToWhatIsAllowed) {
  const World world(300, 1,
                    {.features = {{.feature = "income", .direction = Direction::increase, .allowed = {.high = 72}},
                                  {.feature = "age", .allowed = {.low = 20, .high = 60}, .step = 5},
                                  {.feature = "job", .allowed = {.values = {"smith", "nurse"}}}}});
  const Condition income = world.side(kIncome, {10, 20}, 60);
  EXPECT_EQ(income.low, 60);
  EXPECT_FALSE(income.low_closed);
  EXPECT_EQ(income.high, 72);
  EXPECT_TRUE(income.high_closed);
  const Condition age = world.side(kAge, {3, 6}, 60);  // (23.5, 35.5]
  EXPECT_EQ(age.low, 25);
  EXPECT_TRUE(age.low_closed);
  EXPECT_EQ(age.high, 35);
  EXPECT_TRUE(age.high_closed);
  EXPECT_THAT(world.side(kJob, {2, 3}, 0).values, ElementsAre("nurse", "smith"));
}

// The oracle: what a person would check, value by value.
bool value_allowed(const FeatureConstraint& constraint, double value) {
  return value >= constraint.allowed.low && value <= constraint.allowed.high;
}

RC_GTEST_PROP(Reach, ACodeIsOpenExactlyIfAllItsTrainingValuesAre, ()) {
  static const World plain(150, 3);
  const std::size_t feature = *rc::gen::element<std::size_t>(kIncome, kAge, kDebt);
  FeatureConstraint constraint{.feature = plain.table.schema()[feature].name};
  constraint.allowed.low = *rc::gen::inRange(-10, 60);
  constraint.allowed.high = constraint.allowed.low + *rc::gen::inRange(0, 60);
  constraint.direction = *rc::gen::element(Direction::any, Direction::increase, Direction::decrease);
  std::optional<Reach> reach;
  try {
    reach.emplace(on(constraint), plain.table.schema(), plain.grid, plain.values);
  } catch (const InputError&) {
    for (const double value : plain.table.column(feature)) RC_ASSERT(!value_allowed(constraint, value));
    return;
  }
  const double from = plain.table.value(*rc::gen::inRange<std::size_t>(0, 150), feature);
  const Code here = plain.grid.code(feature, from);
  const std::vector<std::uint8_t> open = reach->codes(feature, from);
  RC_ASSERT(open[0] == 0);
  for (Code code = 1; code <= plain.grid.last_code(feature); ++code) {
    if (plain.values.count(feature, code) == 0) continue;
    bool expected = constraint.direction == Direction::any || (here != kMissing && code != here);
    for (const double value : plain.table.column(feature)) {
      if (plain.grid.code(feature, value) != code) continue;
      expected = expected && value_allowed(constraint, value);
      if (constraint.direction == Direction::increase) expected = expected && value > from;
      if (constraint.direction == Direction::decrease) expected = expected && value < from;
    }
    RC_ASSERT(bool(open[code]) == expected);
  }
}

RC_GTEST_PROP(Reach, AnOpenCodeOfASteppedFeatureHoldsAStep, ()) {
  static const World plain(150, 3);
  const double step = *rc::gen::inRange(1, 12);
  FeatureConstraint constraint{.feature = "age", .allowed = {.low = double(*rc::gen::inRange(10, 40))}, .step = step};
  const Reach reach(on(constraint), plain.table.schema(), plain.grid, plain.values);
  const std::vector<std::uint8_t> open = reach.codes(kAge, 30);
  for (Code code = 1; code <= plain.grid.last_code(kAge); ++code) {
    bool has_step = false;
    for (double value = constraint.allowed.low; value < 200; value += step)
      has_step = has_step || plain.grid.code(kAge, value) == code;
    bool allowed = true;
    for (const double value : plain.table.column(kAge))
      if (plain.grid.code(kAge, value) == code) allowed = allowed && value >= constraint.allowed.low;
    if (plain.values.count(kAge, code) > 0) RC_ASSERT(bool(open[code]) == (has_step && allowed));
  }
}

RC_GTEST_PROP(Reach, NoPointOfAnOpenCellBreaksAnImplication, ()) {
  static const World plain(150, 3);
  const double low = *rc::gen::inRange(0, 90);
  const double high = *rc::gen::inRange(0, 10);
  const Constraints constraints{
      .implies = {{{{"income", {.low = low, .high = low + 30}}, {"job", {.values = {"clerk", "student"}}}},
                   {{"debt", {.high = high}}}}}};
  const Reach reach(constraints, plain.table.schema(), plain.grid, plain.values);
  const std::vector<double> person = plain.table.row(*rc::gen::inRange<std::size_t>(0, 150));
  const std::vector<std::size_t> changed{kIncome, kDebt};
  const std::vector<double> donor = plain.table.row(*rc::gen::inRange<std::size_t>(0, 150));
  RC_PRE(!std::isnan(donor[kDebt]));
  const std::vector<Code> cell{plain.grid.code(kIncome, donor[kIncome]), plain.grid.code(kDebt, donor[kDebt])};
  bool some_break = false;
  for (std::size_t row = 0; row < plain.table.rows(); ++row) {
    for (std::size_t other = 0; other < plain.table.rows(); ++other) {
      std::vector<double> point = person;
      point[kIncome] = plain.table.value(row, kIncome);
      point[kDebt] = plain.table.value(other, kDebt);
      if (plain.grid.code(kIncome, point[kIncome]) != cell[0] || plain.grid.code(kDebt, point[kDebt]) != cell[1])
        continue;
      some_break = some_break || reach.violation(person, point).has_value();
    }
  }
  if (some_break) RC_ASSERT(reach.breaks_implication(person, changed, cell));
}

}  // namespace
}  // namespace cfrules
