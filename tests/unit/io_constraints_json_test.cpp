#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cfrules/constraints.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view json) {
  try {
    (void)Constraints::parse(json, "rules.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ConstraintsJson, EveryDocumentedFormIsRead) {
  const Constraints constraints = Constraints::parse(
      R"({"features": {"age": "immutable", "income": "increase", "debt": "decrease",
                       "duration": {"range": [6, 48], "step": 6, "cost": 2}, "housing": {"values": ["own", "free"]}},
          "linked": [["city", "state"]],
          "implies": [{"if": {"job": ["student"]}, "then": {"income": [null, 20000]}}], "max_changes": 3})",
      "rules.json");
  ASSERT_EQ(constraints.features.size(), 5u);
  EXPECT_EQ(constraints.features[0].direction, Direction::immutable);
  EXPECT_EQ(constraints.features[1].direction, Direction::increase);
  EXPECT_EQ(constraints.features[2].direction, Direction::decrease);
  EXPECT_EQ(constraints.features[3].allowed.low, 6);
  EXPECT_EQ(constraints.features[3].allowed.high, 48);
  EXPECT_EQ(constraints.features[3].step, 6);
  EXPECT_EQ(constraints.features[3].cost, 2);
  EXPECT_EQ(constraints.features[4].allowed.values, (std::vector<std::string>{"own", "free"}));
  EXPECT_EQ(constraints.linked, (std::vector<std::vector<std::string>>{{"city", "state"}}));
  ASSERT_EQ(constraints.implies.size(), 1u);
  EXPECT_EQ(constraints.implies[0].condition[0].allowed.values, std::vector<std::string>{"student"});
  EXPECT_EQ(constraints.implies[0].consequence[0].allowed.high, 20000);
  EXPECT_TRUE(std::isinf(constraints.implies[0].consequence[0].allowed.low));
  EXPECT_EQ(constraints.max_changes, 3u);
}

TEST(ConstraintsJson, NothingIsNoLimit) {
  const Constraints constraints = Constraints::parse("{}", "rules.json");
  EXPECT_TRUE(constraints.features.empty());
  EXPECT_EQ(constraints.max_changes, 0u);
}

TEST(ConstraintsJson, ADirectionAndARangeGoTogether) {
  const Constraints constraints =
      Constraints::parse(R"({"features": {"income": {"increase": true, "range": [null, 9]}}})", "rules.json");
  EXPECT_EQ(constraints.features[0].direction, Direction::increase);
  EXPECT_EQ(constraints.features[0].allowed.high, 9);
}

struct Refusal {
  const char* json;
  const char* sentence;
};

class RefusedConstraints : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedConstraints, NameSourceKeyValueAndWhatIsAllowed) {
  const std::string sentence = refusal(GetParam().json);
  EXPECT_THAT(sentence, HasSubstr("rules.json"));
  EXPECT_THAT(sentence, HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    ConstraintsJson, RefusedConstraints,
    testing::Values(
        Refusal{R"([1])", "the whole is [1]; constraints are an object"},
        Refusal{R"({"feature": {}})", "unknown key \"feature\"; allowed: features, linked, implies, max_changes"},
        Refusal{R"({"features": ["age"]})", "\"features\" is [\"age\"]"},
        Refusal{R"({"features": {"age": "imutable"}})", "\"features.age\" is \"imutable\"; allowed: \"immutable\""},
        Refusal{R"({"features": {"age": true}})", "\"features.age\" is true"},
        Refusal{R"({"features": {"age": {"rang": [1, 2]}}})", "unknown key \"rang\" in \"features.age\""},
        Refusal{R"({"features": {"age": {"range": [48, 6]}}})", "\"features.age.range\" is [48,6]; the low end"},
        Refusal{R"({"features": {"age": {"range": [1]}}})", "a range is [low, high]"},
        Refusal{R"({"features": {"age": {"range": ["a", 2]}}})", "a range is [low, high]"},
        Refusal{R"({"features": {"age": {"values": []}}})", "at least one name"},
        Refusal{R"({"features": {"age": {"values": ["a", "a"]}}})", "\"a\" is listed twice"},
        Refusal{R"({"features": {"age": {"values": [1]}}})", "names are strings"},
        Refusal{R"({"features": {"age": {"values": ["a"], "range": [1, 2]}}})", "contradict each other"},
        Refusal{R"({"features": {"age": {"immutable": true, "range": [1, 2]}}})", "immutable contradicts"},
        Refusal{R"({"features": {"age": {"direction": "immutable", "step": 2}}})", "immutable contradicts"},
        Refusal{R"({"features": {"age": {"increase": true, "decrease": true}}})", "only one of"},
        Refusal{R"({"features": {"age": {"direction": "increase", "decrease": true}}})", "only one of"},
        Refusal{R"({"features": {"age": {"values": ["a"], "increase": true}}})", "neither increase nor decrease"},
        Refusal{R"({"features": {"age": {"step": 0}}})", "\"features.age.step\" is 0; a step is a number above 0"},
        Refusal{R"({"features": {"age": {"step": "1"}}})", "a step is a number above 0"},
        Refusal{R"({"features": {"age": {"cost": -1}}})", "a cost is a number of at least 0"},
        Refusal{R"({"features": {"age": "any", "age": "any"}})", "age"},
        Refusal{R"({"linked": [["a"]]})", "\"linked[0]\" is [\"a\"]"},
        Refusal{R"({"linked": [["a", "b"], ["c", "a"]]})", "\"linked[1][1]\" is \"a\"; a feature may be linked once"},
        Refusal{R"({"linked": [["a", "a"]]})", "linked once"},
        Refusal{R"({"implies": [{"if": {"a": ["x"]}}]})", "\"implies[0]\""},
        Refusal{R"({"implies": [{"if": {}, "then": {"a": [1, 2]}}]})", "\"implies[0].if\" is {}"},
        Refusal{R"({"implies": [{"if": {"a": "x"}, "then": {"a": [1, 2]}}]})", "\"implies[0].if.a\" is \"x\""},
        Refusal{R"({"max_changes": 0})", "\"max_changes\" is 0; allowed: a whole number"},
        Refusal{R"({"max_changes": 1.5})", "\"max_changes\" is 1.5"},
        Refusal{R"({"max_changes": "3"})", "\"max_changes\" is \"3\""}, Refusal{R"({"features": )", "line 1"}));

}  // namespace
}  // namespace cfrules
