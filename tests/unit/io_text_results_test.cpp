#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cfrules/write.h"
#include "io/ink.h"
#include "io/number_text.h"

namespace cfrules {
namespace {

using testing::HasSubstr;
using testing::Not;

Condition side(Kind kind, double low, bool low_closed, double high, bool high_closed) {
  Condition condition;
  condition.feature = "x";
  condition.kind = kind;
  condition.low = low;
  condition.low_closed = low_closed;
  condition.high = high;
  condition.high_closed = high_closed;
  return condition;
}

Condition names(std::vector<std::string> values) {
  Condition condition;
  condition.feature = "housing";
  condition.kind = Kind::category;
  condition.values = std::move(values);
  return condition;
}

constexpr double kOpen = std::numeric_limits<double>::infinity();

TEST(RangeText, NumbersShowWhichSidesAreClosed) {
  EXPECT_EQ(range_text(side(Kind::number, 2000, true, 5000, false)), "[2 000, 5 000)");
  EXPECT_EQ(range_text(side(Kind::number, 2, false, 5.5, true)), "(2, 5.5]");
  EXPECT_EQ(range_text(side(Kind::number, 3.5, false, kOpen, false)), "above 3.5");
  EXPECT_EQ(range_text(side(Kind::number, 3.5, true, kOpen, false)), "at least 3.5");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, 24, true)), "at most 24");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, 24, false)), "below 24");
  EXPECT_EQ(range_text(side(Kind::number, 3, true, 3, true)), "exactly 3");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, kOpen, false)), "any value");
}

TEST(RangeText, IntegersBecomeClosedRanges) {
  EXPECT_EQ(range_text(side(Kind::integer, 23.5, false, 48.5, true)), "[24, 48]");
  EXPECT_EQ(range_text(side(Kind::integer, 23, false, 49, false)), "[24, 48]");
  EXPECT_EQ(range_text(side(Kind::integer, -kOpen, false, 24.5, false)), "at most 24");
  EXPECT_EQ(range_text(side(Kind::integer, 2.5, false, 3.5, true)), "exactly 3");
  EXPECT_EQ(range_text(side(Kind::integer, 3, false, kOpen, false)), "at least 4");
}

// 62.5 and 0.1 as single-precision numbers, and the doubles halfway to their neighbours.
TEST(RangeText, CutsBetweenSinglesArePrintedAsTheShorterOne) {
  const auto halfway = [](float single, float towards) {
    const double next = std::nextafter(single, towards);
    return static_cast<double>(single) / 2 + next / 2;
  };
  const double above = halfway(62.5F, 100.0F);
  const double below = std::nextafter(halfway(62.5F, 0.0F), 0.0);
  EXPECT_EQ(range_text(side(Kind::number, above, false, kOpen, false)), "above 62.5");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, above, true)), "at most 62.5");
  EXPECT_EQ(range_text(side(Kind::number, below, false, kOpen, false)), "at least 62.5");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, below, true)), "below 62.5");
  EXPECT_EQ(range_text(side(Kind::number, -halfway(0.1F, 1.0F), false, halfway(0.1F, 1.0F), true)), "[-0.1, 0.1]");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, 0.1, true)), "at most 0.1");
  EXPECT_EQ(range_text(side(Kind::number, 10000000.5, false, 20000001, true)), "(10 000 000.5, 20 000 001]");
  EXPECT_EQ(range_text(side(Kind::number, -kOpen, false, 1e300, true)), "at most 1e+300");
}

TEST(RangeText, NamesAreASetOrTheOneName) {
  EXPECT_EQ(range_text(names({"own", "free"})), "one of {own, free}");
  EXPECT_EQ(range_text(names({"own"})), "own");
}

TEST(NumberText, GroupsThousandsAndNeverClaimsCertainty) {
  EXPECT_EQ(grouped(1234567.25), "1 234 567.25");
  EXPECT_EQ(grouped(-1234.0), "-1 234");
  EXPECT_EQ(grouped(999.0), "999");
  EXPECT_EQ(probability_text(0.944), "0.94");
  EXPECT_EQ(probability_text(0.9999), "0.999");
  EXPECT_EQ(probability_text(1), "1.00");
  EXPECT_EQ(probability_text(0.0001), "0.001");
  EXPECT_EQ(percent(0.004), "under 1 %");
  EXPECT_EQ(percent(0.18), "18 %");
}

TEST(NumberText, ReadsTargetsAloud) {
  const auto said = [](std::vector<std::string> target) { return target_text(target); };
  EXPECT_EQ(said({"yes"}), "yes");
  EXPECT_EQ(said({"yes", "maybe", "later"}), "yes, maybe or later");
  EXPECT_EQ(said({"2:5"}), "between 2 and 5");
  EXPECT_EQ(said({"2000:"}), "at least 2 000");
  EXPECT_EQ(said({":5"}), "at most 5");
  EXPECT_EQ(said({"12:30 train"}), "12:30 train");
}

Explanation card() {
  Rule rule;
  Condition savings = side(Kind::number, 2000, true, 5000, false);
  savings.feature = "savings";
  savings.from.value = 310;
  Condition duration = side(Kind::integer, -kOpen, false, 24.5, false);
  duration.feature = "duration";
  duration.from.value = 48;
  rule.conditions = {savings, duration};
  rule.probability = {0.93, 0.94, 0.91, 0.96, 312};
  rule.mass = 0.18;
  Explanation explanation;
  explanation.status = Status::found;
  explanation.target = {"approved"};
  explanation.plausible = true;
  explanation.rules = {rule};
  return explanation;
}

TEST(TextResults, ACardIsReadAloud) {
  EXPECT_EQ(to_text(card(), {.color = false, .width = 200}),
            "Keep everything else. Bring\n"
            "    savings   from 310  into [2 000, 5 000)\n"
            "    duration  from 48   to at most 24\n"
            "then: approved, probability 0.94 (0.91 to 0.96 on 312 held-out cases); "
            "18 % of similar people are there already.\n");
}

TEST(TextResults, ASecondRuleIsAnAlternative) {
  Explanation explanation = card();
  explanation.rules.push_back(explanation.rules[0]);
  EXPECT_THAT(to_text(explanation), HasSubstr("Or keep everything else and bring\n"));
}

TEST(TextResults, AGroupHasNoPresentValue) {
  Explanation explanation = card();
  for (Condition& condition : explanation.rules[0].conditions) condition.from = {};
  EXPECT_THAT(to_text(explanation), Not(HasSubstr("from")));
  EXPECT_THAT(to_text(explanation, {.color = false, .width = 200}), HasSubstr("of people are there already"));
}

TEST(TextResults, AMissingValueIsSaidToBeMissing) {
  Explanation explanation = card();
  explanation.rules[0].conditions[0].from = {};
  EXPECT_THAT(to_text(explanation), HasSubstr("savings   from missing"));
}

TEST(TextResults, TooLittleProbabilityIsSaidPlainly) {
  Explanation explanation = card();
  explanation.status = Status::below_threshold;
  explanation.rules[0].probability = {0.7, 0.71, kUnknown, kUnknown, 0};
  const std::string text = to_text(explanation);
  EXPECT_THAT(text, HasSubstr("No rule reaches the wanted probability; the best there is reaches 0.71 only."));
  EXPECT_THAT(text, HasSubstr("probability 0.71; 18 %"));
}

TEST(TextResults, NoRecourseSaysWhy) {
  Explanation explanation;
  explanation.status = Status::no_recourse;
  explanation.target = {"approved"};
  explanation.note = "every candidate feature is immutable.";
  EXPECT_EQ(to_text(explanation), "No change leads to approved.\nNote: every candidate feature is immutable.\n");
}

TEST(TextResults, NothingToDoIsSaid) {
  Explanation explanation;
  explanation.status = Status::already_in_target;
  explanation.target = {"approved"};
  EXPECT_EQ(to_text(explanation), "Nothing needs to change: the outcome is approved already.\n");
}

TEST(TextResults, ImplausibleRulesCarryAWarning) {
  Explanation explanation = card();
  explanation.plausible = false;
  EXPECT_THAT(to_text(explanation), HasSubstr("hardly anybody has been seen"));
}

TEST(TextResults, ColourIsOnlyThereWhenAskedFor) {
  EXPECT_THAT(to_text(card()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_text(card(), {.color = true, .width = 100}), HasSubstr("\x1b[1m"));
}

TEST(TextResults, LinesKeepToTheWidth) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrapped("\x1b[1mone\x1b[0m two three", 7), "\x1b[1mone\x1b[0m two\nthree");
}

TEST(TextResults, ASufficientSetIsNamed) {
  SufficientExplanation explanation;
  explanation.decision = "no";
  explanation.found = true;
  explanation.sets = {{{"age", "savings"}, 0.93, {side(Kind::integer, -kOpen, false, 30, true)}, 0.95, 0.12}};
  const std::string text = to_text(explanation, {});
  EXPECT_THAT(text, HasSubstr("age and savings: the decision stays with probability 0.93."));
  EXPECT_THAT(text, HasSubstr("It holds wherever x at most 30: probability 0.95, 12 % of all rows."));
}

TEST(TextResults, ASummaryAddsUpWhomItServes) {
  Summary summary;
  summary.target = {"approved"};
  summary.people = 100;
  summary.served = 75;
  summary.cover = 0.9;
  summary.rules.resize(2);
  for (RegionalRule& regional : summary.rules) regional.rule = card().rules[0];
  summary.rules[0].people = 100;
  summary.rules[0].served = 50;
  summary.rules[1].who = {names({"rent"})};
  summary.rules[1].people = 40;
  summary.rules[1].served = 25;
  const std::string text = to_text(summary);
  EXPECT_THAT(text, HasSubstr("To reach approved, 100 people need a change; 2 rules serve 75 of them (75 %)."));
  EXPECT_THAT(text, HasSubstr("everybody"));
  EXPECT_THAT(text, HasSubstr("housing is rent"));
  EXPECT_THAT(text, HasSubstr("savings into [2 000, 5 000)"));
  EXPECT_THAT(text, HasSubstr("75 %"));
  EXPECT_THAT(text, HasSubstr("less than the 90 % asked for"));
}

TEST(TextResults, ASummaryByGroupsHasALineForEach) {
  Summary summary;
  summary.people = 50;
  summary.served = 30;
  summary.rules.resize(1);
  summary.by = "housing";
  summary.groups = {{names({"rent"}), 40, 30, {30}, 0.25}, {std::nullopt, 10, 0, {0}, kUnknown}};
  const std::string text = to_text(summary);
  EXPECT_THAT(text, HasSubstr("By housing"));
  EXPECT_THAT(text, HasSubstr("group               people  served  by rule 1  mean cost\n"
                              "housing is rent         40    75 %       75 %       0.25\n"
                              "housing is missing      10     0 %        0 %          -\n"));
  EXPECT_EQ(to_csv(summary), "group,people,served,served_by_0,cost\nhousing is rent,40,30,30,0.25\nhousing is missing,10,0,0,\n");
}

TEST(TextResults, AnEvaluationSaysWhoJudged) {
  Evaluation evaluation;
  evaluation.people = 12;
  evaluation.coverage = 0.975;
  evaluation.judged_by = "the forest itself";
  const std::string text = to_text(evaluation);
  EXPECT_THAT(text, HasSubstr("judged by the forest itself"));
  EXPECT_THAT(text, HasSubstr("0.975"));
  EXPECT_THAT(text, HasSubstr("unknown"));
}

TEST(CsvResults, EveryLineHasAsManyCellsAsTheHeader) {
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  Explanation nobody;
  nobody.target = {"yes"};
  EXPECT_EQ(commas(to_csv(nobody)), commas(csv_header()));
  Explanation one = card();
  one.rules[0].conditions = {names({"own", "free"})};
  EXPECT_EQ(commas(to_csv(one)), commas(csv_header()));
  one.rules[0].conditions = {card().rules[0].conditions[0]};
  EXPECT_EQ(to_csv(one), "0,found,approved,0,savings,number,310,2000,true,5000,false,,0.94,0.91,0.96,0.18,0,\n");
}

TEST(CsvResults, ARecourseIsAWholeRow) {
  const Table people({{"savings", Kind::number, {}}, {"housing", Kind::category, {"own, free", "rent"}}}, {{310}, {0}});
  Explanation one = card();
  Recourse point;
  point.values = {{0, "savings", {2100, ""}}};
  point.probability = 0.9;
  one.rules[0].recourses = {point};
  EXPECT_EQ(recourse_csv_header(people.schema()),
            "row,rule,method,probability,inlier_score,cost,stays_in_box,savings,housing\n");
  EXPECT_EQ(recourses_to_csv(one, people), "0,0,surest,0.9,,,,2100,\"own, free\"\n");
}

TEST(CsvResults, CommasAndQuotesAreQuoted) {
  Explanation one = card();
  one.target = {"yes, \"sure\""};
  EXPECT_THAT(to_csv(one), HasSubstr("0,found,\"yes, \"\"sure\"\"\",0,"));
}

}  // namespace
}  // namespace cfrules
