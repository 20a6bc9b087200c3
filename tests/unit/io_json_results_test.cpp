#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/json.h"
#include "cfrules/write.h"
#include "io/range_text.h"

namespace cfrules {
namespace {

Condition savings() {
  Condition side;
  side.feature = "savings";
  side.from.value = 310;
  side.low = 2000;
  side.low_closed = true;
  side.high = 5000;
  return side;
}

Condition housing() {
  Condition side;
  side.feature = "housing";
  side.kind = Kind::category;
  side.from = {2, "rent"};
  side.values = {"free", "own"};
  return side;
}

Explanation credit_card() {
  Rule rule;
  rule.conditions = {savings(), housing()};
  rule.probability = {0.93, 0.94, 0.91, 0.96, 312};
  rule.mass = 0.18;
  rule.support = 57;
  rule.cost = 1.2;
  rule.optimal = true;
  Recourse point;
  point.values = {{0, "savings", {2100, ""}}, {1, "housing", {1, "own"}}};
  point.method = RecourseMethod::nearest;
  point.probability = 0.95;
  point.inlier_score = 0.04;
  point.cost = 1;
  point.stays_in_box = 0.97;
  rule.recourses = {point};
  Explanation explanation;
  explanation.status = Status::found;
  explanation.target = {"yes"};
  explanation.plausible = true;
  explanation.changed = {"savings", "housing"};
  explanation.cdp = 0.41;
  explanation.base_rate = 0.3;
  explanation.rules = {rule};
  return explanation;
}

TEST(JsonResults, AnExplanationIsTheDocumentedLine) {
  EXPECT_EQ(to_json(credit_card(), R"({"version":"1"})"),
            R"({"schema":"cfrules.explanation/1","row":0,"status":"found","target":["yes"],"search":"sparsest",)"
            R"("estimator":"moved","plausible":true,"changed":["savings","housing"],"cdp":0.41,"base_rate":0.3,)"
            R"("rules":[{"conditions":[{"feature":"savings","kind":"number","from":310,"low":2000,"low_closed":true,)"
            R"("high":5000,"high_closed":false},{"feature":"housing","kind":"category","from":"rent",)"
            R"("values":["free","own"]}],"probability":{"raw":0.93,"calibrated":0.94,"low":0.91,"high":0.96,)"
            R"("held_out":312,"verified":false},"mass":0.18,"support":57,"cost":1.2,"optimal":true,"recourses":[{"values":)"
            R"({"savings":2100,"housing":"own"},"method":"nearest","probability":0.95,"inlier_score":0.04,"cost":1,)"
            R"("stays_in_box":0.97}]}],"sets":[],"note":null,"provenance":{"version":"1"}})");
}

TEST(JsonResults, WhatIsNotKnownIsNull) {
  Explanation explanation;
  explanation.rules.emplace_back();
  Condition open;
  open.feature = "age";
  explanation.rules[0].conditions = {open};
  const Json json = Json::parse(to_json(explanation, ""), "test");
  for (const char* key : {"cdp", "base_rate", "note", "provenance"}) {
    ASSERT_NE(json.find(key), nullptr) << key;
    EXPECT_TRUE(json.find(key)->is_null()) << key;
  }
  const Json& rule = json.find("rules")->array()->front();
  for (const char* key : {"raw", "calibrated", "low", "high", "held_out"}) {
    EXPECT_TRUE(rule.find("probability")->find(key)->is_null()) << key;
  }
  const Json& side = rule.find("conditions")->array()->front();
  for (const char* key : {"from", "low", "high"}) EXPECT_TRUE(side.find(key)->is_null()) << key;
}

TEST(JsonResults, ASufficientExplanationNamesItsFrequencies) {
  SufficientExplanation explanation;
  explanation.row = 4;
  explanation.decision = "no";
  explanation.found = true;
  explanation.sets = {{{"age"}, 0.93, {savings()}, 0.95, 0.2}};
  explanation.frequency = {1, 0.5};
  const Schema schema = {{"age", Kind::integer, {}}, {"savings", Kind::number, {}}};
  const Json json = Json::parse(to_json(explanation, schema, "{}"), "test");
  EXPECT_EQ(*json.find("schema")->string(), "cfrules.sufficient/1");
  EXPECT_EQ(*json.find("frequency")->find("savings")->number(), 0.5);
  const Json& set = json.find("sets")->array()->front();
  EXPECT_EQ(*set.find("rule_share")->number(), 0.2);
  EXPECT_EQ(set.find("rule")->array()->size(), 1u);
}

TEST(JsonResults, ASummaryKeepsItsRulesInOrder) {
  Summary summary;
  summary.target = {"yes"};
  summary.people = 10;
  summary.served = 9;
  summary.cover = 0.9;
  summary.rules.resize(2);
  summary.rules[0].who = {housing()};
  summary.rules[0].people = 7;
  summary.rules[1].served = 2;
  const Json json = Json::parse(to_json(summary, ""), "test");
  EXPECT_EQ(*json.find("schema")->string(), "cfrules.summary/1");
  EXPECT_EQ(*json.find("rules")->array()->at(0).find("people")->number(), 7);
  EXPECT_EQ(*json.find("rules")->array()->at(1).find("served")->number(), 2);
  EXPECT_TRUE(json.find("min_probability")->is_null());
  EXPECT_TRUE(json.find("by")->is_null());
}

TEST(JsonResults, ASummaryByGroupsNamesThemAndNullIsMissing) {
  Summary summary;
  summary.by = "housing";
  summary.rules.resize(1);
  summary.rules[0].plausible = 3;
  summary.rules[0].rows = {4, 7};
  summary.groups = {{housing(), 5, 2, {2}, 0.5}, {std::nullopt, 1, 0, {0}, kUnknown}};
  const Json json = Json::parse(to_json(summary, ""), "test");
  EXPECT_EQ(*json.find("by")->string(), "housing");
  EXPECT_EQ(*json.find("rules")->array()->at(0).find("plausible")->number(), 3);
  EXPECT_EQ(*json.find("rules")->array()->at(0).find("rows")->array()->at(1).number(), 7);
  const Json& first = json.find("groups")->array()->at(0);
  EXPECT_EQ(*first.find("who")->find("feature")->string(), "housing");
  EXPECT_EQ(*first.find("people")->number(), 5);
  EXPECT_EQ(*first.find("served")->number(), 2);
  EXPECT_EQ(*first.find("served_by")->array()->at(0).number(), 2);
  EXPECT_EQ(*first.find("cost")->number(), 0.5);
  EXPECT_TRUE(json.find("groups")->array()->at(1).find("who")->is_null());
}

TEST(JsonResults, WeightsAreNullUnlessAskedFor) {
  RegionProbability answer;
  answer.probability = 0.5;
  answer.cells = {3, 4};
  answer.weights = {0.25, 0.75};
  EXPECT_TRUE(Json::parse(to_json(answer, false, ""), "test").find("weights")->is_null());
  const Json with = Json::parse(to_json(answer, true, ""), "test");
  EXPECT_EQ(*with.find("weights")->array()->at(1).number(), 0.75);
  EXPECT_EQ(*with.find("cells")->array()->at(0).number(), 3);
  EXPECT_EQ(*with.find("schema")->string(), "cfrules.probability/1");
}

TEST(JsonResults, AnEvaluationHasEveryMeasure) {
  Evaluation evaluation;
  evaluation.stability = {0.9, kUnknown};
  evaluation.reliability = {{0.9, 0.88, 12}};
  evaluation.judged_by = "say \"no\"";
  const Json json = Json::parse(to_json(evaluation, ""), "test");
  for (const char* key :
       {"people", "already", "coverage", "accuracy", "accuracy_found", "donor_accuracy", "stated", "calibration_error",
        "calibration_error_low", "calibration_error_high", "plausibility", "sparsity", "cost", "mass", "stability",
        "below_half", "seconds_per_person", "reliability", "judged_by"}) {
    EXPECT_NE(json.find(key), nullptr) << key;
  }
  EXPECT_EQ(*json.find("judged_by")->string(), "say \"no\"");
  EXPECT_TRUE(json.find("stability")->array()->at(1).is_null());
  EXPECT_EQ(*json.find("reliability")->array()->at(0).find("count")->number(), 12);
}

std::string ascii() { return *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127)); }

RC_GTEST_PROP(JsonResults, RandomExplanationsReadBackAsTheSameValues, ()) {
  Explanation explanation = credit_card();
  explanation.row = *rc::gen::inRange<std::size_t>(0, 1'000'000);
  explanation.note = ascii();
  Rule& rule = explanation.rules[0];
  rule.conditions[0].feature = ascii();
  rule.conditions[0].low = *rc::gen::arbitrary<double>();
  rule.conditions[0].high = static_cast<double>(*rc::gen::arbitrary<int>()) / 3;
  rule.conditions[1].values = {ascii(), "own"};
  rule.mass = static_cast<double>(*rc::gen::inRange(0, 1000)) / 999;
  const Json json = Json::parse(to_json(explanation, "null"), "test");
  RC_ASSERT(*json.find("row")->number() == static_cast<double>(explanation.row));
  if (explanation.note.empty()) {
    RC_ASSERT(json.find("note")->is_null());
  } else {
    RC_ASSERT(*json.find("note")->string() == explanation.note);
  }
  const Json& read = json.find("rules")->array()->front();
  RC_ASSERT(*read.find("mass")->number() == rule.mass);
  const Json& side = read.find("conditions")->array()->front();
  RC_ASSERT(*side.find("feature")->string() == rule.conditions[0].feature);
  const Condition printed = as_printed(rule.conditions[0]);
  RC_ASSERT(*side.find("low")->number() == printed.low);
  RC_ASSERT(*side.find("high")->number() == printed.high);
  RC_ASSERT(*read.find("conditions")->array()->at(1).find("values")->array()->at(0).string() ==
            rule.conditions[1].values[0]);
}

TEST(Names, AreTheWordsOfTheInterfaces) {
  EXPECT_EQ(name_of(Estimator::leaf_union), "union");
  EXPECT_EQ(name_of(Status::already_in_target), "already_in_target");
  EXPECT_EQ(name_of(Search::divergent), "divergent");
  EXPECT_EQ(name_of(RecourseMethod::annealing), "annealing");
  EXPECT_EQ(name_of(Labels::memorised), "memorised");
  EXPECT_EQ(name_of(EstimateOn::honest), "honest");
}

}  // namespace
}  // namespace cfrules
