#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "cfrules/explanation.h"
#include "quality/audit_reading.h"
#include "quality/binomial.h"

namespace cfrules {
namespace {

const Outcome kYesNo{"granted", {"no", "yes"}, {0, 1, 0, 1}};

// The obvious twin: every number of hits from k on, term by term.
double slow_chance_of_at_least(std::size_t hits, std::size_t cases, double p) {
  double sum = 0;
  for (std::size_t k = hits; k <= cases; ++k) {
    double term = 1;
    for (std::size_t i = 0; i < k; ++i) term *= p * static_cast<double>(cases - i) / static_cast<double>(k - i);
    for (std::size_t i = k; i < cases; ++i) term *= 1 - p;
    sum += term;
  }
  return sum;
}

TEST(Binomial, AgreesWithTheSumOfItsTerms) {
  for (const std::size_t cases : {1u, 7u, 40u, 100u})
    for (std::size_t hits = 0; hits <= cases; hits += 1 + cases / 10)
      for (const double p : {0.01, 0.3, 0.5, 0.9, 0.999})
        EXPECT_NEAR(chance_of_at_least(hits, cases, p), slow_chance_of_at_least(hits, cases, p), 1e-10)
            << hits << " of " << cases << " at " << p;
}

TEST(Binomial, ClopperPearsonGivesTheTextbookInterval) {
  const Bounds eight = clopper_pearson(8, 10, 0.95);  // the usual table: 0.4439 to 0.9748
  EXPECT_NEAR(eight.low, 0.4439, 5e-5);
  EXPECT_NEAR(eight.high, 0.9748, 5e-5);
  EXPECT_DOUBLE_EQ(clopper_pearson(0, 20, 0.95).low, 0);
  EXPECT_NEAR(clopper_pearson(0, 20, 0.95).high, 1 - std::pow(0.025, 1.0 / 20), 1e-9);
  EXPECT_DOUBLE_EQ(clopper_pearson(20, 20, 0.95).high, 1);
}

// So many people a threshold, of whom so many hit; each stated a little above the threshold.
Audit audit_of(std::vector<std::tuple<double, std::size_t, std::size_t>> runs, bool asked) {
  Audit audit{"by hand", asked, {"yes"}, {}};
  for (const auto& [threshold, people, hits] : runs)
    for (std::size_t person = 0; person < people; ++person) {
      const bool hit = person < hits;
      audit.cases.push_back({0, static_cast<std::uint32_t>(person), threshold, threshold + 0.01, hit ? 1.0 : 0.0, hit, kUnknown});
    }
  return audit;
}

const Target kYes = Target::of_classes({"yes"}, kYesNo);

TEST(Audit, WithoutTheModelNothingIsShifted) {
  const AuditReading reading(audit_of({{0.9, 100, 50}}, false), kYes);
  EXPECT_EQ(reading.shift().intercept, 0);
  EXPECT_EQ(reading.shift().slope, 1);
}

TEST(Audit, RulesThatFailedTwiceAsOftenAsStatedAreShiftedDownHalfWayOrMore) {
  const AuditReading reading(audit_of({{0.89, 200, 160}}, true), kYes);  // stated 0.9, came true 0.8
  EXPECT_LT(reading.shift().apply(0.9), 0.85);
  EXPECT_GT(reading.shift().apply(0.9), 0.79);
}

TEST(Audit, AFewPeopleHardlyShiftAnything) {
  const AuditReading reading(audit_of({{0.89, 3, 2}}, true), kYes);
  EXPECT_NEAR(reading.shift().apply(0.9), 0.9, 0.04);
}

TEST(Audit, TheIntervalIsThatOfPeopleWhoseRulesStatedAboutAsMuch) {
  const AuditReading reading(audit_of({{0.7, 50, 30}, {0.95, 50, 49}}, false), kYes);
  const auto interval = reading.interval(0.96);
  ASSERT_TRUE(interval);
  // The same fifty people stand behind both; each counts once, by the rule that stated nearest.
  EXPECT_EQ(interval->cases, 50u);
  EXPECT_NEAR(interval->bounds.low, clopper_pearson(49, 50, 0.95).low, 1e-9);
  EXPECT_LE(interval->bounds.low, 0.96);
  EXPECT_GE(interval->bounds.high, 0.96);
}

TEST(Audit, TooFewPeopleGiveNoInterval) {
  EXPECT_FALSE(AuditReading(audit_of({{0.9, AuditReading::kLeastCases - 1, 5}}, false), kYes).interval(0.91));
}

TEST(Audit, AnotherTargetWasNotAudited) {
  EXPECT_TRUE(AuditReading(audit_of({{0.9, 50, 50}}, true), Target::of_classes({"no"}, kYesNo)).empty());
}

TEST(Audit, APromiseTakesTheLeastThresholdThatHoldsFromTheTopDown) {
  const AuditReading reading(audit_of({{0.95, 60, 60}, {0.9, 100, 97}, {0.8, 100, 91}, {0.7, 100, 99}}, false), kYes);
  const auto kept = reading.promise(0.9, 0.95);
  ASSERT_TRUE(kept);
  // 97 of 100 shows more than 0.9 at this confidence, 91 of 100 does not; what lies below is not looked at any more.
  EXPECT_DOUBLE_EQ(kept->threshold, 0.9);
  EXPECT_EQ(kept->hits, 97u);
}

TEST(Audit, AThresholdHardlyAnybodyReachesDoesNotBreakAPromise) {
  const AuditReading reading(audit_of({{0.95, 5, 5}, {0.9, 100, 99}}, false), kYes);
  ASSERT_TRUE(reading.promise(0.9, 0.95));
  EXPECT_DOUBLE_EQ(reading.promise(0.9, 0.95)->threshold, 0.9);
}

TEST(Audit, WhatWasNotSeenIsNotPromised) {
  EXPECT_FALSE(AuditReading(audit_of({{0.95, 100, 92}, {0.9, 100, 99}}, false), kYes).promise(0.9, 0.95));
  EXPECT_FALSE(AuditReading(audit_of({{0.95, 20, 20}}, false), kYes).promise(0.9, 0.95));
}

// Rules that succeed exactly as often as promised must be promised in at most one audit of twenty.
TEST(Audit, APromiseIsBrokenNoMoreOftenThanItsConfidenceSays) {
  RandomStream random(3, Purpose::test, 0);
  std::size_t promised = 0;
  constexpr std::size_t kAudits = 1000;
  for (std::size_t i = 0; i < kAudits; ++i) {
    std::vector<std::tuple<double, std::size_t, std::size_t>> runs;
    for (const double threshold : {0.95, 0.9, 0.8}) {
      std::size_t hits = 0;
      for (int person = 0; person < 80; ++person) hits += random.uniform() < 0.9 ? 1 : 0;
      runs.emplace_back(threshold, 80, hits);
    }
    promised += AuditReading(audit_of(runs, false), kYes).promise(0.9, 0.95) ? 1 : 0;
  }
  EXPECT_LE(promised, kAudits * 7 / 100);
}

}  // namespace
}  // namespace cfrules
