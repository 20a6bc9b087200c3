#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cfrules/error.h"
#include "cfrules/explainer.h"

namespace cfrules {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

Table rows() {
  return Table({{"a", Kind::number, {}}, {"c", Kind::category, {"x", "y", "z"}}}, {{1, 2, 3, 4}, {0, 1, 2, 0}});
}

Outcome classes() { return {"y", {"no", "yes"}, {0, 0, 1, 1}}; }

Explainer imported(const std::string& json, Outcome outcome) {
  FitOptions options;
  options.isolation_trees = 5;
  return Explainer::import(json, "forest.json", rows(), std::move(outcome), {}, options);
}

std::string refusal(const std::string& json) {
  try {
    (void)imported(json, classes());
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

const std::string kSplit =
    R"("feature": [0, -1, -1], "threshold": [2.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1])";

TEST(Import, LeavesWithoutValuesSayWhatTheirRowsSay) {
  const Explainer model = imported("{\"trees\": [{" + kSplit + "}]}", classes());
  EXPECT_THAT(model.predict(rows()), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(model.predict_probability(rows()), ElementsAre(1, 0, 1, 0, 0, 1, 0, 1));
}

TEST(Import, CountsAreTurnedIntoShares) {
  const Explainer model = imported("{\"trees\": [{" + kSplit + R"(, "value": [[0, 0], [3, 1], [0, 7]]}]})", classes());
  EXPECT_THAT(model.predict_probability(rows().select(std::vector<std::size_t>{0, 3})), ElementsAre(0.75, 0.25, 0, 1));
}

// Sums in fixed point overflowed.
TEST(Import, LeavesFarBeyondTheOutcomeAreNoTrouble) {
  std::string trees;
  for (int tree = 0; tree < 300; ++tree)
    trees += (tree > 0 ? ", {" : "{") + kSplit +
             (tree % 2 == 0 ? R"(, "value": [0, -1e99, 1e99]})" : R"(, "value": [0, 1e99, 3]})");
  const Outcome outcome{"y", {}, {1, 2, 3, 4}};
  const Explainer model = imported("{\"trees\": [" + trees + "]}", outcome);
  const Target target = Target::of_interval(3, 4, outcome);
  ExplainOptions options;
  options.min_probability = 0.5;
  std::size_t answers = 0;
  model.explain(rows(), {}, target, options, [&](Explanation&&) { ++answers; });
  EXPECT_EQ(answers, 4u);
}

TEST(Import, NegativeSharesAreRefused) {
  EXPECT_THAT(refusal("{\"trees\": [{" + kSplit + R"(, "value": [[0, 0], [-1, 2], [0, 1]]}]})"),
              HasSubstr("tree 0, node 1: the leaf's value is -1; it must be a share or a count, never negative"));
}

TEST(Import, FeaturesMayBeNamedInAnyOrder) {
  const std::string tree =
      R"({"feature": [1, -1, -1], "threshold": [2.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]})";
  const Explainer model = imported("{\"trees\": [" + tree + R"(], "features": ["c", "a"]})", classes());
  EXPECT_THAT(model.predict(rows()), ElementsAre(0, 0, 1, 1));
}

TEST(Import, CategoriesAreSplitInTheOrderGiven) {
  const std::string tree =
      R"({"feature": [1, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1],
                               "value": [[0, 0], [1, 0], [0, 1]]})";
  const Explainer model = imported("{\"trees\": [" + tree + R"(], "categories": {"c": ["y", "x", "z"]}})", classes());
  EXPECT_THAT(model.predict(rows()), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(refusal("{\"trees\": [" + tree + R"(], "categories": {"c": ["y", "x"]}})"),
              HasSubstr("categories.c lists 2 categories"));
}

TEST(Import, BoostedNumbersAddUpToTheBase) {
  const std::string tree = "{" + kSplit + R"(, "value": [0, -1, 2]})";
  const Explainer model =
      imported("{\"trees\": [" + tree + "," + tree + R"(], "combine": "sum", "base": [10]})", {"y", {}, {1, 2, 3, 4}});
  EXPECT_THAT(model.predict(rows()),
              ElementsAre(DoubleNear(8, 1e-12), DoubleNear(8, 1e-12), DoubleNear(14, 1e-12), DoubleNear(14, 1e-12)));
}

TEST(Import, BoostedScoresDecideByTheirSign) {
  const std::string strong = "{" + kSplit + R"(, "value": [0, -0.3, 2]})";
  const std::string weak = R"({"feature": [-1], "threshold": [0], "left": [-1], "right": [-1], "value": [0.4]})";
  const auto decided = [&](const std::string& base) {
    return imported("{\"trees\": [" + strong + "," + weak + R"(], "combine": "sum", "base": [)" + base + "]}",
                    classes())
        .predict(rows());
  };
  EXPECT_THAT(decided("0"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(decided("-0.2"), ElementsAre(0, 0, 1, 1));
}

TEST(Import, MistakesNameTheirPlace) {
  EXPECT_THAT(refusal("{}"), HasSubstr("forest.json"));
  EXPECT_THAT(refusal(R"({"trees": [{"feature": [0]}]})"),
              HasSubstr("a tree needs feature, threshold, left and right"));
  EXPECT_THAT(refusal("{\"trees\": [{" + kSplit + R"(}], "features": ["b"]})"),
              HasSubstr("the table has no column 'b'"));
  EXPECT_THAT(refusal("{\"trees\": [{" + kSplit + R"(}], "combine": "sum"})"), HasSubstr("no tree has value"));
  EXPECT_THAT(refusal("{\"trees\": [{" + kSplit + R"(}], "combine": "vote"})"),
              HasSubstr("allowed: \"mean\" or \"sum\""));
  EXPECT_THAT(refusal("{\"trees\": [{" + kSplit + R"(, "value": [1, "a", 2]}]})"), HasSubstr("value"));
}

}  // namespace
}  // namespace cfrules
