#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cfrules/error.h"
#include "cfrules/outcome.h"

namespace cfrules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Outcome kAnswer{"answer", {"maybe", "no", "no, never", "yes"}, {0, 1, 2, 3, 3}};
const Outcome kPrice{"price", {}, {100, 250000, 200000, 300}};

std::string complaint(std::string_view text, const Outcome& outcome) {
  try {
    static_cast<void>(Target::parse(text, outcome));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Target, OneClassOrSeveralAreMarked) {
  const Target one = Target::parse("yes", kAnswer);
  EXPECT_FALSE(one.numeric());
  EXPECT_THAT(one.mark(kAnswer.values), ElementsAre(0, 0, 0, 1, 1));
  const Target two = Target::parse("yes, maybe", kAnswer);
  EXPECT_THAT(two.wanted(), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(two.names(), ElementsAre("maybe", "yes"));
}

TEST(Target, AClassWithACommaOfItsOwnIsTakenWhole) {
  EXPECT_THAT(Target::parse("no, never", kAnswer).names(), ElementsAre("no, never"));
}

TEST(Target, AnUnknownClassIsRefusedWithTheClassesListed) {
  EXPECT_EQ(complaint("Yes", kAnswer),
            "the target 'Yes' is not a class; the classes of 'answer' are 'maybe', 'no', 'no, never', 'yes'");
  EXPECT_THAT(complaint("yes,", kAnswer), HasSubstr("'' is not a class"));
  EXPECT_THAT(complaint("", kAnswer), HasSubstr("is not a class"));
  Outcome many{"code", {}, {0}};
  for (int i = 0; i < 30; ++i) many.classes.push_back("c" + std::to_string(i));
  EXPECT_THAT(complaint("x", many), HasSubstr("'c19' and 10 more"));
}

TEST(Target, AnIntervalIsClosedAndMayBeOpenEnded) {
  const Target both = Target::parse("200000:250000", kPrice);
  EXPECT_TRUE(both.numeric());
  EXPECT_THAT(both.mark(kPrice.values), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(both.names(), ElementsAre("200000:250000"));
  const Target low = Target::parse(" :1e2", kPrice);
  EXPECT_THAT(low.mark(kPrice.values), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(low.names(), ElementsAre(":100"));
  EXPECT_THAT(Target::parse("-0.5:", kPrice).names(), ElementsAre("-0.5:"));
  EXPECT_FALSE(low.contains(std::nan("")));
}

TEST(Target, AnIntervalThatCannotBeMeantIsRefusedWithTheRangeSeen) {
  EXPECT_EQ(complaint("9:8", kPrice),
            "the target 9:8 is reversed: its low side is above its high side; 'price' goes from 100 to 250000");
  EXPECT_THAT(complaint("400:500", kPrice), HasSubstr("holds no row of the data; 'price' goes from 100 to 250000"));
  for (const char* text : {"nan:5", "5", "yes", ":", "a:b", "1:2:3", "inf:", ""})
    EXPECT_THAT(complaint(text, kPrice), HasSubstr("from 100 to 250000")) << text;
  EXPECT_THROW(static_cast<void>(Target::of_interval(std::nan(""), 1, kPrice)), InputError);
}

TEST(Target, ClassesAndIntervalsAreNotMixedUp) {
  EXPECT_THROW(static_cast<void>(Target::of_interval(0, 1, kAnswer)), InputError);
  EXPECT_THROW(static_cast<void>(Target::of_classes({"yes"}, kPrice)), InputError);
  EXPECT_THROW(static_cast<void>(Target::of_classes({}, kAnswer)), InputError);
}

TEST(Target, WhatIsNoClassIndexIsNotContained) {
  const Target target = Target::parse("yes", kAnswer);
  for (const double value : {-1.0, 4.0, 1e300, std::nan("")}) EXPECT_FALSE(target.contains(value));
}

}  // namespace
}  // namespace cfrules
