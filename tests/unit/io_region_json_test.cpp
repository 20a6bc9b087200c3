#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cfrules/error.h"
#include "cfrules/region_spec.h"

namespace cfrules {
namespace {

using testing::HasSubstr;
using What = SideSpec::What;

SideSpec only_side(std::string_view json) {
  const RegionSpec region = RegionSpec::parse(json, "--region");
  EXPECT_EQ(region.sides.size(), 1u);
  return region.sides.at(0);
}

std::string refusal(std::string_view json) {
  try {
    (void)RegionSpec::parse(json, "--region");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RegionJson, WordsFreeAndFix) {
  EXPECT_EQ(only_side(R"({"a": "free"})").what, What::free);
  EXPECT_EQ(only_side(R"({"a": "fixed"})").what, What::fixed);
  EXPECT_EQ(only_side(R"({"a": "fixed"})").feature, "a");
}

TEST(RegionJson, TwoNumbersAreARangeAndTwoNamesAreNames) {
  const SideSpec range = only_side(R"({"a": [null, 4.5]})");
  EXPECT_EQ(range.what, What::range);
  EXPECT_TRUE(std::isinf(range.allowed.low));
  EXPECT_EQ(range.allowed.high, 4.5);
  EXPECT_FALSE(range.high_open);
  const SideSpec words = only_side(R"({"a": ["own", "free"]})");
  EXPECT_EQ(words.what, What::names);
  EXPECT_EQ(words.allowed.values, (std::vector<std::string>{"own", "free"}));
}

TEST(RegionJson, AConditionKeepsItsOpenSides) {
  const SideSpec side = only_side(R"({"a": {"feature": "a", "kind": "number", "from": 3, "low": 1, "low_closed": true,
                                            "high": 5, "high_closed": false}})");
  EXPECT_EQ(side.what, What::range);
  EXPECT_FALSE(side.low_open);
  EXPECT_TRUE(side.high_open);
  const SideSpec open = only_side(R"({"a": {"low": null, "low_closed": false, "high": 5}})");
  EXPECT_FALSE(open.low_open);
  EXPECT_FALSE(open.high_open);
}

TEST(RegionJson, TheConditionsOfARuleAreARegion) {
  const RegionSpec region = RegionSpec::parse(
      R"([{"feature": "savings", "kind": "number", "from": 310, "low": 2000, "low_closed": true, "high": null, "high_closed": false},
          {"feature": "housing", "kind": "category", "from": "rent", "values": ["free", "own"]}])",
      "--region");
  ASSERT_EQ(region.sides.size(), 2u);
  EXPECT_EQ(region.sides[0].feature, "savings");
  EXPECT_EQ(region.sides[0].allowed.low, 2000);
  EXPECT_EQ(region.sides[1].what, What::names);
  EXPECT_EQ(region.others, What::fixed);
}

TEST(RegionJson, WrongRegionsAreRefusedInOneSentence) {
  EXPECT_THAT(refusal(R"("all")"), HasSubstr("--region: the whole is \"all\""));
  EXPECT_THAT(refusal(R"({"a": "open"})"), HasSubstr("\"a\" is \"open\"; allowed: \"free\""));
  EXPECT_THAT(refusal(R"({"a": 3})"), HasSubstr("\"a\" is 3; allowed"));
  EXPECT_THAT(refusal(R"({"a": [5, 1]})"), HasSubstr("low end"));
  EXPECT_THAT(refusal(R"({"a": [1, 2, 3]})"), HasSubstr("[low, high]"));
  EXPECT_THAT(refusal(R"({"a": ["x", 2]})"), HasSubstr("names are strings"));
  EXPECT_THAT(refusal(R"({"a": []})"), HasSubstr("[low, high]"));
  EXPECT_THAT(refusal(R"({"a": {"lo": 1}})"), HasSubstr("unknown key \"lo\""));
  EXPECT_THAT(refusal(R"({"a": {"low": 1, "values": ["x"]}})"), HasSubstr("either values or low and high"));
  EXPECT_THAT(refusal(R"({"a": {"low": 1, "high": 1, "high_closed": false}})"), HasSubstr("no value lies"));
  EXPECT_THAT(refusal(R"({"a": {"low": "1"}})"), HasSubstr("\"a.low\" is \"1\""));
  EXPECT_THAT(refusal(R"([{"low": 1}])"), HasSubstr("needs the key feature"));
  EXPECT_THAT(refusal(R"([{"feature": "a", "low": 1}, {"feature": "a", "high": 2}])"), HasSubstr("one condition only"));
}

}  // namespace
}  // namespace cfrules
