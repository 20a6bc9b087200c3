// A summary by groups, worked by hand: approval needs savings of 5 or more, whoever asks.
#include <gtest/gtest.h>

#include <cmath>

#include "cfrules/error.h"
#include "cfrules/explainer.h"

namespace cfrules {
namespace {

const Schema kSchema = {{"savings", Kind::integer, {}}, {"town", Kind::category, {"east", "north", "west"}}};
constexpr double kMissingValue = kUnknown;

class SummaryGroupsTest : public testing::Test {
 protected:
  SummaryGroupsTest() : model_(learn()) {
    options_.by = "town";
    options_.cover = 1;
  }

  // Ten savings of three rows each per town, so that one step of savings is a tenth of the way.
  static Explainer learn() {
    std::vector<double> savings, town;
    Outcome outcome{"answer", {"no", "yes"}, {}};
    for (int row = 0; row < 90; ++row) {
      savings.push_back(row % 10);
      town.push_back(row / 30);
      outcome.values.push_back(row % 10 >= 5 ? 1 : 0);
    }
    FitOptions options;
    options.audit = 0;
    options.labels = Labels::predicted;
    options.trees = 40;
    options.isolation_trees = 20;
    options.seed = 3;
    return Explainer::fit(Table(kSchema, {savings, town}), outcome, {}, options);
  }

  [[nodiscard]] Summary summarize() const {
    const Table people(kSchema, {{4, 0, 2, 3, 9, 1}, {0, 0, 1, 1, 0, kMissingValue}});
    return model_.summarize(people, std::vector<double>{0, 0, 0, 0, 1, 0}, Target::parse("yes", model_.outcome()),
                            options_);
  }

  Explainer model_;
  RegionsOptions options_;
};

TEST_F(SummaryGroupsTest, EveryGroupWithPeopleHasALineAndTheMissingComeLast) {
  const Summary summary = summarize();
  EXPECT_EQ(summary.by, "town");
  ASSERT_EQ(summary.people, 5u);
  ASSERT_EQ(summary.rules.size(), 1u);
  EXPECT_EQ(summary.rules[0].rule.conditions.size(), 1u);
  EXPECT_EQ(summary.rules[0].rule.conditions[0].low, 5);
  EXPECT_EQ(summary.rules[0].rows, (std::vector<std::size_t>{0, 1, 2, 3, 5}));  // the fifth needs nothing
  ASSERT_EQ(summary.groups.size(), 3u);                                         // nobody asks in the west
  std::size_t people = 0;
  for (const SummaryGroup& group : summary.groups) {
    people += group.people;
    EXPECT_EQ(group.served, group.people);
    EXPECT_EQ(group.served_by, std::vector<std::size_t>{group.people});
  }
  EXPECT_EQ(people, 5u);
  EXPECT_FALSE(summary.groups[2].who.has_value());
  EXPECT_EQ(summary.groups[2].people, 1u);
}

TEST_F(SummaryGroupsTest, AGroupsCostIsTheMeanWayToTheRule) {
  const Summary summary = summarize();
  ASSERT_EQ(summary.groups.size(), 3u);
  for (const SummaryGroup& group : summary.groups) {
    if (!group.who) {
      EXPECT_NEAR(group.cost, 0.4, 1e-12);  // from 1 to 5
    } else if (group.who->values == std::vector<std::string>{"east"}) {
      EXPECT_NEAR(group.cost, (0.1 + 0.5) / 2, 1e-12);  // from 4 and from 0
    } else {
      EXPECT_EQ(group.who->values, std::vector<std::string>{"north"});
      EXPECT_NEAR(group.cost, (0.3 + 0.2) / 2, 1e-12);  // from 2 and from 3
    }
  }
  EXPECT_NEAR(summary.rules[0].rule.cost, (0.1 + 0.5 + 0.3 + 0.2 + 0.4) / 5, 1e-12);
}

TEST_F(SummaryGroupsTest, WhoeverNoRuleServesStaysInTheirGroup) {
  options_.explain.constraints.features = {{"savings", Direction::immutable, {}, 0, 1}};
  const Summary summary = summarize();
  EXPECT_TRUE(summary.rules.empty());
  ASSERT_EQ(summary.groups.size(), 3u);
  EXPECT_EQ(summary.groups[0].served, 0u);
  EXPECT_TRUE(std::isnan(summary.groups[0].cost));
}

TEST_F(SummaryGroupsTest, NumbersFallIntoQuartersOfTheTrainingRows) {
  options_.by = "savings";
  const Summary summary = summarize();
  ASSERT_EQ(summary.groups.size(), 2u);  // 0 to 2 and 3 to 4 hold people; those above need nothing
  EXPECT_EQ(summary.groups[0].who->high, 2);
  EXPECT_EQ(summary.groups[0].people, 3u);
  EXPECT_EQ(summary.groups[1].who->low, 3);
  EXPECT_EQ(summary.groups[1].who->high, 4);
  EXPECT_EQ(summary.groups[1].people, 2u);
}

TEST_F(SummaryGroupsTest, AnUnknownFeatureIsRefused) {
  options_.by = "colour";
  EXPECT_THROW((void)summarize(), InputError);
}

TEST_F(SummaryGroupsTest, WithoutTheQuestionThereAreNoGroups) {
  options_.by.clear();
  EXPECT_TRUE(summarize().groups.empty());
}

}  // namespace
}  // namespace cfrules
