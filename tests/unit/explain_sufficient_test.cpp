#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cfrules/error.h"
#include "cfrules/write.h"
#include "small_model.h"

namespace cfrules {
namespace {

constexpr double kLast = 4;  // greatest value of the features below

class SufficientTest : public testing::Test {
 protected:
  SufficientTest() : data_(small_model::random_data(200, 4, 5, 11)), explainer_(small_model::fit(data_)) {
    options_.pi = 0.8;
  }

  std::vector<SufficientExplanation> ask(unsigned threads = 1) const {
    std::vector<SufficientExplanation> answers;
    explainer_.sufficient(people_, options_,
                          [&](SufficientExplanation&& answer) { answers.push_back(std::move(answer)); },
                          {threads, {}, {}});
    return answers;
  }
  Target decision_of(std::size_t row) const {
    const double decision = explainer_.predict(people_.select(std::vector<std::size_t>{row}))[0];
    return Target::of_classes({data_.outcome.classes[static_cast<std::size_t>(decision)]}, data_.outcome);
  }
  double probability(std::size_t row, std::vector<SideSpec> sides) const {
    const RegionSpec region{std::move(sides), SideSpec::What::free};
    return explainer_
        .probability(people_.row(row), region, decision_of(row), Estimator::paper, options_.min_rows, false)
        .probability;
  }
  // Every set of features (as names) with its probability, one question each.
  std::map<std::set<std::string>, double> all_sets(std::size_t row) const {
    std::map<std::set<std::string>, double> sets;
    for (unsigned bits = 1; bits < 16; ++bits) {
      std::set<std::string> names;
      std::vector<SideSpec> sides;
      for (std::size_t feature = 0; feature < 4; ++feature) {
        if ((bits >> feature & 1) == 0) continue;
        names.insert(explainer_.schema()[feature].name);
        sides.push_back({explainer_.schema()[feature].name, SideSpec::What::fixed, {}, false, false});
      }
      if (names.size() <= options_.max_features) sets[names] = probability(row, sides);
    }
    return sets;
  }
  static std::set<std::string> names(const SufficientSet& set) { return {set.features.begin(), set.features.end()}; }

  small_model::Data data_;
  Explainer explainer_;
  Table people_ = small_model::random_data(12, 4, 5, 12).table;
  SufficientOptions options_;
};

TEST_F(SufficientTest, TheSmallestSetsAreThoseThatTryingAllFinds) {
  std::size_t found = 0;
  for (const SufficientExplanation& answer : ask()) {
    const auto sets = all_sets(answer.row);
    std::size_t smallest = 99;
    for (const auto& [set, probability] : sets)
      if (probability >= options_.pi) smallest = std::min(smallest, set.size());
    EXPECT_EQ(answer.found, smallest < 99);
    if (!answer.found) continue;
    ++found;
    std::map<std::set<std::string>, double> expected, got;
    for (const auto& [set, probability] : sets)
      if (set.size() == smallest && probability >= options_.pi) expected[set] = probability;
    for (const SufficientSet& set : answer.sets) got[names(set)] = set.probability;
    EXPECT_EQ(got, expected);
    EXPECT_TRUE(std::is_sorted(answer.sets.begin(), answer.sets.end(),
                               [](const auto& a, const auto& b) { return a.probability > b.probability; }));
  }
  EXPECT_GT(found, 3u);
}

TEST_F(SufficientTest, AllMinimalSetsHaveNoSufficientPart) {
  options_.all = true;
  for (const SufficientExplanation& answer : ask()) {
    const auto sets = all_sets(answer.row);
    std::set<std::set<std::string>> expected, got;
    for (const auto& [set, probability] : sets) {
      const bool has_part = std::any_of(sets.begin(), sets.end(), [&](const auto& other) {
        return other.first != set && other.second >= options_.pi &&
               std::includes(set.begin(), set.end(), other.first.begin(), other.first.end());
      });
      if (probability >= options_.pi && !has_part) expected.insert(set);
    }
    for (const SufficientSet& set : answer.sets) got.insert(names(set));
    if (answer.found)
      EXPECT_EQ(got, expected);
    else
      EXPECT_TRUE(expected.empty());
  }
}

TEST_F(SufficientTest, WhereNothingSufficesTheBestSetIsShown) {
  options_.pi = 1;
  options_.max_features = 2;
  std::size_t unexplained = 0;
  for (const SufficientExplanation& answer : ask()) {
    if (answer.found) continue;
    ++unexplained;
    ASSERT_EQ(answer.sets.size(), 1u);
    double best = 0;
    for (const auto& [set, probability] : all_sets(answer.row)) best = std::max(best, probability);
    EXPECT_DOUBLE_EQ(answer.sets[0].probability, best);
  }
  EXPECT_GT(unexplained, 3u);
}

TEST_F(SufficientTest, FrequencyIsTheShareOfSetsWithTheFeature) {
  options_.all = true;
  for (const SufficientExplanation& answer : ask()) {
    ASSERT_EQ(answer.frequency.size(), 4u);
    for (std::size_t feature = 0; feature < 4; ++feature) {
      double with = 0;
      for (const SufficientSet& set : answer.sets)
        with += static_cast<double>(names(set).count(explainer_.schema()[feature].name));
      EXPECT_NEAR(answer.frequency[feature], with / static_cast<double>(answer.sets.size()), 1e-12);
    }
  }
}

TEST_F(SufficientTest, ARuleHoldsThePersonKeepsTheProbabilityAndCannotGrow) {
  options_.rules = true;
  std::size_t rules = 0;
  for (const SufficientExplanation& answer : ask()) {
    for (const SufficientSet& set : answer.sets) {
      if (!answer.found) {
        EXPECT_TRUE(set.rule.empty());
        continue;
      }
      ++rules;
      ASSERT_EQ(set.rule.size(), set.features.size());
      std::vector<SideSpec> sides;
      for (const Condition& condition : set.rule) {
        const auto [low, high] = small_model::whole_range(condition, kLast);
        const double own = people_.value(answer.row, condition.index);
        EXPECT_TRUE(low <= own && own <= high);
        sides.push_back(small_model::range(condition.feature, low, high));
      }
      EXPECT_NEAR(set.rule_probability, probability(answer.row, sides), 1e-12);
      EXPECT_GE(set.rule_probability, options_.pi);
      double inside = 0;
      for (std::size_t row = 0; row < data_.table.rows(); ++row)
        inside += std::all_of(set.rule.begin(), set.rule.end(), [&](const Condition& condition) {
          const auto [low, high] = small_model::whole_range(condition, kLast);
          return low <= data_.table.value(row, condition.index) && data_.table.value(row, condition.index) <= high;
        });
      EXPECT_NEAR(set.rule_share, inside / 200, 1e-12);
      for (SideSpec& side : sides)
        for (const double step : {-1.0, 1.0}) {
          double& end = step < 0 ? side.allowed.low : side.allowed.high;
          if (end + step < 0 || end + step > kLast) continue;
          end += step;
          EXPECT_LT(probability(answer.row, sides), options_.pi);
          end -= step;
        }
    }
  }
  EXPECT_GT(rules, 3u);
}

TEST_F(SufficientTest, ThreadsChangeNothing) {
  options_.all = options_.rules = true;
  const auto one = ask(1), two = ask(2);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(to_json(one[i], explainer_.schema(), "{}"), to_json(two[i], explainer_.schema(), "{}"));
}

TEST(Sufficient, OneFeatureThatDecidesIsEnoughByHand) {
  small_model::Data data = small_model::random_data(120, 3, 4, 1);
  for (std::size_t row = 0; row < 120; ++row) data.outcome.values[row] = data.table.value(row, 1) >= 2 ? 1 : 0;
  const Explainer explainer = small_model::fit(data);
  SufficientOptions options;
  options.rules = true;
  const Table people(data.table.schema(), {{0, 3}, {3, 1}, {1, 1}});
  std::vector<SufficientExplanation> answers;
  explainer.sufficient(people, options, [&](SufficientExplanation&& answer) { answers.push_back(std::move(answer)); });
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].decision, "yes");
  EXPECT_EQ(answers[1].decision, "no");
  EXPECT_EQ(answers[0].sets.at(0).features, std::vector<std::string>{"b"});
  EXPECT_EQ(answers[0].sets[0].rule.at(0).low, 2);
  EXPECT_EQ(answers[1].sets.at(0).rule.at(0).high, 1);
  EXPECT_GT(answers[0].sets[0].probability, 0.95);
  EXPECT_EQ(answers[0].frequency[1], 1);
}

TEST(Sufficient, ANumericDecisionIsKeptWithinTheForestsOwnError) {
  small_model::Data data = small_model::random_data(120, 3, 4, 2);
  data.outcome = {"amount", {}, {}};
  for (std::size_t row = 0; row < 120; ++row) data.outcome.values.push_back(100 * data.table.value(row, 2));
  FitOptions fit;
    fit.audit = 0;
  fit.trees = 40;
  fit.features_per_split = 3;
  fit.isolation_trees = 5;
  const Explainer explainer = Explainer::fit(data.table, data.outcome, {}, fit);
  const Table people(data.table.schema(), {{0}, {0}, {3}});
  explainer.sufficient(people, {}, [&](SufficientExplanation&& answer) {
    EXPECT_TRUE(answer.found);
    EXPECT_EQ(answer.sets.at(0).features, std::vector<std::string>{"c"});
    EXPECT_NEAR(std::stod(answer.decision), 300, 1);
  });
}

TEST(Sufficient, AMissingValueMaySufficeButMakesNoRule) {
  small_model::Data data = small_model::random_data(120, 2, 4, 6);
  std::vector<std::vector<double>> columns(2);
  for (std::size_t row = 0; row < 120; ++row) {
    columns[0].push_back(row % 3 == 0 ? kUnknown : data.table.value(row, 0));
    columns[1].push_back(data.table.value(row, 1));
    data.outcome.values[row] = row % 3 == 0 ? 1 : 0;
  }
  data.table = Table(data.table.schema(), columns);
  const Explainer explainer = small_model::fit(data);
  SufficientOptions options;
  options.rules = true;
  explainer.sufficient(data.table.select(std::vector<std::size_t>{0}), options, [](SufficientExplanation&& answer) {
    EXPECT_TRUE(answer.found);
    EXPECT_EQ(answer.decision, "yes");
    EXPECT_EQ(answer.sets.at(0).features, std::vector<std::string>{"a"});
    EXPECT_TRUE(answer.sets[0].rule.empty());
  });
}

TEST_F(SufficientTest, OptionsThatMakeNoSenseAreRefused) {
  options_.pi = 1.5;
  EXPECT_THROW((void)ask(), InputError);
  options_.pi = 0.9;
  options_.max_features = 0;
  EXPECT_THROW((void)ask(), InputError);
  options_.max_features = 2;
  options_.candidates = 0;
  EXPECT_THROW((void)ask(), InputError);
}

}  // namespace
}  // namespace cfrules
