// The slow twin of summarize: every box, every person, one question each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "cfrules/error.h"
#include "cfrules/write.h"
#include "small_model.h"

namespace cfrules {
namespace {

constexpr int kValues = 3;  // of each feature: 0, 1, 2; every value is a piece of its axis

struct Box {
  std::vector<std::size_t> features;
  std::vector<std::pair<int, int>> ranges;
  double mass = 0;
  std::vector<double> probability;  // per person
  std::set<std::size_t> serves;
  std::set<std::size_t> sure;      // of them: the mean misses at most half as often as it may
  std::set<std::size_t> ordinary;  // of them: at least half of the places are inliers

  [[nodiscard]] std::size_t worth(const std::set<std::size_t>& people) const;
};

bool in_box(const Table& table, std::size_t row, const std::vector<std::size_t>& features,
            const std::vector<std::pair<int, int>>& ranges) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    const double value = table.value(row, features[i]);
    if (value < ranges[i].first || value > ranges[i].second) return false;
  }
  return true;
}

// All boxes on one or two of these features.
std::vector<Box> all_boxes(std::size_t features) {
  std::vector<std::pair<int, int>> ranges;
  for (int low = 0; low < kValues; ++low)
    for (int high = low; high < kValues; ++high) ranges.emplace_back(low, high);
  std::vector<Box> boxes;
  for (std::size_t one = 0; one < features; ++one)
    for (const auto& first : ranges) {
      boxes.push_back({{one}, {first}, 0, {}, {}, {}, {}});
      for (std::size_t two = one + 1; two < features; ++two)
        for (const auto& second : ranges) boxes.push_back({{one, two}, {first, second}, 0, {}, {}, {}, {}});
    }
  return boxes;
}

class CoverTest : public testing::Test {
 protected:
  CoverTest() {
    options_.explain.min_probability = 0.7;
    options_.explain.min_mass = 0.05;
    options_.cover = 1;
    learn(61);
  }

  void learn(std::uint64_t seed) {
    data_ = small_model::random_data(150, 3, kValues, seed);
    explainer_.emplace(small_model::fit(data_, 8));
    people_ = small_model::random_data(40, 3, kValues, seed + 1).table;
  }
  [[nodiscard]] Target target() const { return Target::parse("yes", data_.outcome); }

  [[nodiscard]] Summary summarize(unsigned threads = 1) const {
    return explainer_->summarize(people_, refused(), target(), options_, {threads, {}, {}});
  }
  // Everybody was told no, whatever the forest says.
  [[nodiscard]] std::vector<double> refused() const { return std::vector<double>(people_.rows(), 0.0); }

  // allowed(person, box): what constraints say.
  std::vector<Box> serving_boxes(const std::function<bool(std::size_t, const Box&)>& allowed) const {
    std::vector<Box> boxes = all_boxes(people_.features());
    std::erase_if(boxes, [](const Box& box) {  // "bring a to any value" is no advice
      return std::count(box.ranges.begin(), box.ranges.end(), std::pair(0, kValues - 1)) > 0;
    });
    for (Box& box : boxes) {
      RegionSpec region;
      for (std::size_t i = 0; i < box.features.size(); ++i)
        region.sides.push_back(
            small_model::range(people_.schema()[box.features[i]].name, box.ranges[i].first, box.ranges[i].second));
      for (std::size_t person = 0; person < people_.rows(); ++person) {
        const RegionProbability answer =
            explainer_->probability(people_.row(person), region, target(), Estimator::moved, 1, false);
        box.mass = answer.mass;
        box.probability.push_back(answer.probability);
        const double wanted = options_.explain.min_probability;
        const bool reached =
            answer.mass >= options_.explain.min_mass && answer.probability >= wanted;  // both may be unknown
        if (!reached || !allowed(person, box)) continue;
        box.serves.insert(person);
        if (answer.probability >= (1 + wanted) / 2) box.sure.insert(person);
        if (answer.inlier_share >= 0.5) box.ordinary.insert(person);
      }
    }
    return boxes;
  }

  static bool same_box(const Box& box, const Rule& rule) {
    if (box.features.size() != rule.conditions.size()) return false;
    for (std::size_t i = 0; i < box.features.size(); ++i) {
      const auto [low, high] = small_model::whole_range(rule.conditions[i], kValues - 1);
      if (rule.conditions[i].index != box.features[i] || low != box.ranges[i].first || high != box.ranges[i].second)
        return false;
    }
    return true;
  }

  void expect_greedy(const Summary& summary, const std::vector<Box>& boxes) const;
  void expect_best_words(const RegionalRule& regional, const std::set<std::size_t>& meant,
                         const std::set<std::size_t>& unserved) const;

  small_model::Data data_;
  std::optional<Explainer> explainer_;
  Table people_;
  RegionsOptions options_;
};

std::size_t shared(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](std::size_t item) { return b.contains(item); }));
}

std::size_t Box::worth(const std::set<std::size_t>& people) const {
  return shared(serves, people) + shared(sure, people) + shared(ordinary, people);
}

// Every rule must be the best box for those whom the rules before it left.
void CoverTest::expect_greedy(const Summary& summary, const std::vector<Box>& boxes) const {
  std::set<std::size_t> unserved;
  for (std::size_t person = 0; person < summary.people; ++person) unserved.insert(person);
  std::size_t served = 0;
  for (const RegionalRule& regional : summary.rules) {
    std::size_t most = 0;
    for (const Box& box : boxes) most = std::max(most, box.worth(unserved));
    double heaviest = 0;
    std::size_t fewest = 2;
    for (const Box& box : boxes)
      if (box.worth(unserved) == most) heaviest = std::max(heaviest, box.mass);
    for (const Box& box : boxes)
      if (box.worth(unserved) == most && box.mass > heaviest - 1e-9) fewest = std::min(fewest, box.features.size());
    const auto chosen =
        std::find_if(boxes.begin(), boxes.end(), [&](const Box& box) { return same_box(box, regional.rule); });
    ASSERT_NE(chosen, boxes.end());
    EXPECT_EQ(chosen->worth(unserved), most);
    EXPECT_EQ(regional.served, shared(chosen->serves, unserved));
    EXPECT_EQ(regional.plausible, shared(chosen->ordinary, unserved));
    EXPECT_EQ(std::set<std::size_t>(regional.rows.begin(), regional.rows.end()), chosen->serves);
    EXPECT_NEAR(regional.rule.mass, heaviest, 1e-9);
    EXPECT_EQ(regional.rule.conditions.size(), fewest);
    double probability = 0;
    for (const std::size_t person : chosen->serves) probability += chosen->probability[person];
    EXPECT_NEAR(regional.rule.probability.calibrated, probability / static_cast<double>(chosen->serves.size()), 1e-9);
    std::set<std::size_t> meant;
    for (const std::size_t person : chosen->serves)
      if (unserved.contains(person)) meant.insert(person);
    expect_best_words(regional, meant, unserved);
    for (const std::size_t person : chosen->serves) unserved.erase(person);
    served += regional.served;
  }
  EXPECT_EQ(summary.served, served);
  if (summary.rules.size() == options_.max_regions || served == summary.people) return;
  for (const Box& box : boxes) EXPECT_EQ(shared(box.serves, unserved), 0u);
}

void CoverTest::expect_best_words(const RegionalRule& regional, const std::set<std::size_t>& meant,
                                  const std::set<std::size_t>& unserved) const {
  const auto counts = [&](const Box& box) {
    std::size_t right = 0, said = 0;
    for (const std::size_t person : unserved) {
      if (!in_box(people_, person, box.features, box.ranges)) continue;
      ++said;
      right += meant.count(person);
    }
    return std::pair(right, said);
  };
  const auto f1 = [&](std::size_t right, std::size_t said) {
    return 2 * static_cast<double>(right) / static_cast<double>(meant.size() + said);
  };
  double best = 0;
  for (const Box& box : all_boxes(people_.features())) {
    const auto [right, said] = counts(box);
    best = std::max(best, f1(right, said));
  }
  const double everybody = f1(meant.size(), unserved.size());
  if (best <= everybody + 0.02) {
    EXPECT_TRUE(regional.who.empty());
    EXPECT_EQ(regional.people, unserved.size());
    EXPECT_EQ(regional.reached, meant.size());
    return;
  }
  Box who;
  ASSERT_FALSE(regional.who.empty());
  for (const Condition& condition : regional.who) {
    const auto [low, high] = small_model::whole_range(condition, kValues - 1);
    who.features.push_back(condition.index);
    who.ranges.emplace_back(static_cast<int>(low), static_cast<int>(high));
  }
  const auto [right, said] = counts(who);
  EXPECT_NEAR(f1(right, said), best, 1e-12);
  EXPECT_EQ(regional.people, said);
  EXPECT_EQ(regional.reached, right);
}

bool anything(std::size_t, const Box&) { return true; }

TEST_F(CoverTest, EveryRuleIsTheBestBoxForThoseNotYetServed) {
  std::size_t rules = 0;
  for (const std::uint64_t seed : {61, 21, 41})
    for (const double wanted : {0.7, 0.85}) {
      learn(seed);
      options_.explain.min_probability = wanted;
      options_.explain.min_mass = wanted - 0.65;
      const Summary summary = summarize();
      EXPECT_EQ(summary.people, people_.rows());
      rules += summary.rules.size();
      expect_greedy(summary, serving_boxes(anything));
    }
  EXPECT_GT(rules, 6u);
}

TEST_F(CoverTest, OnlyThoseWhoseOutcomeIsNotWantedCount) {
  const std::vector<double> decisions = explainer_->predict(people_);
  const auto needy = static_cast<std::size_t>(std::count(decisions.begin(), decisions.end(), 0.0));
  EXPECT_EQ(explainer_->summarize(people_, {}, target(), options_).people, needy);
}

TEST_F(CoverTest, ADirectionServesOnlyThoseBelowTheWholeBox) {
  options_.explain.constraints.features = {{"a", Direction::increase, {}, 0, 1}, {"c", Direction::immutable, {}, 0, 1}};
  const auto allowed = [&](std::size_t person, const Box& box) {
    for (std::size_t i = 0; i < box.features.size(); ++i) {
      if (box.features[i] == 2) return false;
      if (box.features[i] == 0 && box.ranges[i].first <= people_.value(person, 0)) return false;
    }
    return true;
  };
  const Summary summary = summarize();
  ASSERT_FALSE(summary.rules.empty());
  expect_greedy(summary, serving_boxes(allowed));
}

TEST_F(CoverTest, NoPlaceOfABoxBreaksAnImplication) {
  const std::string without = to_json(summarize(), "{}");
  // Whoever reaches a = 2 must have c of at most 1.
  options_.explain.constraints.implies = {{{{"a", {2, 2, {}}}}, {{"c", {0, 1, {}}}}}};
  const auto allowed = [&](std::size_t person, const Box& box) {
    const auto range = [&](std::size_t feature) {
      for (std::size_t i = 0; i < box.features.size(); ++i)
        if (box.features[i] == feature) return box.ranges[i];
      const auto stays = static_cast<int>(people_.value(person, feature));
      return std::pair(stays, stays);
    };
    const bool touched = box.features != std::vector<std::size_t>{1};  // b alone concerns nobody
    return !(touched && range(0).second == 2 && range(2).second == 2);
  };
  const Summary summary = summarize();
  ASSERT_FALSE(summary.rules.empty());
  EXPECT_NE(to_json(summary, "{}"), without);
  expect_greedy(summary, serving_boxes(allowed));
}

TEST_F(CoverTest, LinkedFeaturesEnterRulesTogether) {
  options_.explain.constraints.linked = {{"a", "b"}};
  for (const RegionalRule& regional : summarize().rules) {
    std::set<std::string> names;
    for (const Condition& condition : regional.rule.conditions) names.insert(condition.feature);
    EXPECT_EQ(names.contains("a"), names.contains("b"));
  }
}

TEST_F(CoverTest, RulesOfOneFeatureWhereNoMoreAreAllowed) {
  options_.max_rule_features = 1;
  for (const RegionalRule& regional : summarize().rules) EXPECT_EQ(regional.rule.conditions.size(), 1u);
}

TEST_F(CoverTest, ItStopsAtTheShareAskedForOrAtTheNumberOfRules) {
  learn(21);
  options_.explain.min_probability = 0.85;
  options_.explain.min_mass = 0.2;
  const Summary all = summarize();
  ASSERT_GT(all.rules.size(), 1u);
  options_.cover = static_cast<double>(all.rules[0].served) / static_cast<double>(all.people);
  EXPECT_EQ(summarize().rules.size(), 1u);
  options_.cover = 1;
  options_.max_regions = 1;
  EXPECT_EQ(summarize().rules.size(), 1u);
}

TEST_F(CoverTest, WithoutPeopleTheTrainingRowsSpeak) {
  const Summary own = explainer_->summarize(Table(), {}, target(), options_);
  const Summary given = explainer_->summarize(data_.table, data_.outcome.values, target(), options_);
  EXPECT_EQ(to_json(own, "{}"), to_json(given, "{}"));
  EXPECT_EQ(own.people,
            static_cast<std::size_t>(std::count(data_.outcome.values.begin(), data_.outcome.values.end(), 0.0)));
}

TEST_F(CoverTest, OfALargeCrowdFourHundredAreLookedAt) {
  people_ = small_model::random_data(1200, 3, kValues, 5).table;
  EXPECT_EQ(summarize().people, 400u);
}

TEST_F(CoverTest, NobodyInNeedNeedsNoRule) {
  const std::vector<double> outcomes(people_.rows(), 1.0);
  const Summary summary = explainer_->summarize(people_, outcomes, target(), options_);
  EXPECT_EQ(summary.people, 0u);
  EXPECT_TRUE(summary.rules.empty());
}

TEST_F(CoverTest, TheEstimatorDoesNotMatter) {
  const std::string moved = to_json(summarize(), "{}");
  options_.explain.estimator = Estimator::paper;
  EXPECT_EQ(to_json(summarize(), "{}"), moved);
}

TEST_F(CoverTest, ThreadsChangeNothing) { EXPECT_EQ(to_json(summarize(1), "{}"), to_json(summarize(2), "{}")); }

TEST_F(CoverTest, OptionsThatMakeNoSenseAreRefused) {
  options_.max_rule_features = 3;
  EXPECT_THROW((void)summarize(), InputError);
  options_.max_rule_features = 2;
  options_.cover = 1.1;
  EXPECT_THROW((void)summarize(), InputError);
  options_.cover = 0.9;
  options_.max_regions = 0;
  EXPECT_THROW((void)summarize(), InputError);
}

}  // namespace
}  // namespace cfrules
