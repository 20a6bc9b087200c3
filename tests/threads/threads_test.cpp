// Everything that runs in parallel, in one small program: also built alone under the thread sanitizer
// (tools/test_threads).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "api/impl.h"
#include "api/ordered_output.h"
#include "base/limits.h"
#include "base/parallel.h"
#include "cfrules/error.h"
#include "cfrules/explainer.h"
#include "cfrules/write.h"
#include "unit/small_model.h"

namespace cfrules {
namespace {

Run team(unsigned threads, std::stop_token stop = {}) {
  return {.threads = threads, .stop = std::move(stop), .progress = {}};
}

Explainer fitted(unsigned threads) {
  const small_model::Data data = small_model::random_data(200, 4, 6, 3);
  FitOptions options;
  options.trees = 24;
  options.isolation_trees = 16;
  return Explainer::fit(data.table, data.outcome, {}, options, team(threads));
}

Table people(const Explainer& model, std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return model.rows().select(rows);
}

std::string explained(const Explainer& model, unsigned threads, const std::string& wanted = "yes",
                      const Labeller& verify = {}) {
  const Target target = Target::of_classes({wanted}, model.outcome());
  ExplainOptions options;
  options.verify = verify;
  options.recourse.per_rule = 1;
  options.recourse.steps = 50;
  options.max_features = 2;
  std::string text;
  model.explain(
      people(model, 24), {}, target, options, [&](Explanation&& one) { text += to_json(one, "{}") + "\n"; },
      team(threads));
  return text;
}

TEST(Threads, EveryItemIsWorkedOnOnce) {
  std::vector<std::atomic<int>> met(1000);
  std::size_t last = 0;
  cfrules::Run run = team(4);
  run.progress = [&](std::size_t done, std::size_t) { last = done; };
  parallel_for(met.size(), run, [&](std::size_t item) { ++met[item]; });
  for (const std::atomic<int>& count : met) EXPECT_EQ(count, 1);
  EXPECT_EQ(last, met.size());
}

TEST(Threads, TheFirstErrorComesThrough) {
  const auto body = [](std::size_t item) {
    if (item == 13) throw InputError("thirteen");
  };
  EXPECT_THROW(parallel_for(1000, team(4), body), InputError);
}

TEST(Threads, AnErrorOfTheProgressComesThrough) {
  cfrules::Run run = team(3);
  run.progress = [](std::size_t, std::size_t) { throw IoError("nobody watches"); };
  EXPECT_THROW(parallel_for(100, run, [](std::size_t) {}), IoError);
}

TEST(Threads, MoreThreadsThanAllowedAreTakenForTheMost) {
  EXPECT_EQ(thread_count(team(4'000'000'000u)), limits::kThreads.most);
}

TEST(Threads, AnswersComeInOrder) {
  std::vector<std::size_t> seen;
  const std::function<std::size_t(std::size_t)> answer = [](std::size_t item) {
    if (item % 97 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return item;
  };
  in_order<std::size_t>(2000, team(4), answer, [&](std::size_t&& item) { seen.push_back(item); });
  std::vector<std::size_t> expected(2000);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  EXPECT_EQ(seen, expected);
}

TEST(Threads, AStopEndsWhoeverWaitsForTheirTurn) {
  for (int round = 0; round < 20; ++round) {
    std::stop_source stop;
    const std::function<std::size_t(std::size_t)> answer = [&](std::size_t item) {
      if (item == 500) stop.request_stop();
      return item;
    };
    EXPECT_THROW(in_order<std::size_t>(100'000, team(4, stop.get_token()), answer, [](std::size_t&&) {}), Interrupted);
  }
}

TEST(Threads, AnErrorOfTheSinkEndsAll) {
  const std::function<std::size_t(std::size_t)> answer = [](std::size_t item) { return item; };
  const auto sink = [](std::size_t&& item) {
    if (item == 300) throw IoError("full");
  };
  EXPECT_THROW(in_order<std::size_t>(100'000, team(4), answer, sink), IoError);
}

TEST(Threads, FitAndExplainGiveTheSameBytesForAnyNumber) {
  const Explainer alone = fitted(1);
  const Explainer together = fitted(4);
  EXPECT_EQ(alone.checksum(), together.checksum());
  EXPECT_EQ(explained(alone, 1), explained(together, 4));
}

// Nobody has so sure a rule: all ask for pairs and triples, whose pages of leaves are made while others ask too.
TEST(Threads, PagesOfLeavesAreMadeOnceForAll) {
  const auto hardly_found = [](unsigned threads) {
    const Explainer model = fitted(threads);
    ExplainOptions options;
    options.min_probability = 0.9999;
    std::string text;
    model.explain(
        people(model, 40), {}, Target::of_classes({"yes"}, model.outcome()), options,
        [&](Explanation&& one) { text += to_json(one, "{}") + "\n"; }, team(threads));
    return text;
  };
  EXPECT_EQ(hardly_found(4), hardly_found(1));
}

TEST(Threads, VerifiedRulesAreTheSameBytesForAnyNumber) {
  const Explainer model = fitted(2);
  const Labeller judge = [&](const Table& rows) { return model.predict(rows, team(1)); };
  EXPECT_EQ(explained(model, 4, "yes", judge), explained(model, 1, "yes", judge));
}

TEST(Threads, WhoAskAboutOneTargetShareItsReading) {
  const Explainer model = fitted(2);
  const Explainer::Impl& impl = Explainer::Impl::of(model);
  const Target yes = Target::of_classes({"yes"}, model.outcome());
  const Target no = Target::of_classes({"no"}, model.outcome());
  const auto first = impl.reading(yes);
  const auto other = impl.reading(no);
  EXPECT_NE(first, other);
  EXPECT_EQ(first, impl.reading(yes));
  EXPECT_EQ(other, impl.reading(no));
  // A third takes the place of what was asked for longest ago.
  static_cast<void>(impl.reading(Target::of_classes({"yes", "no"}, model.outcome())));
  EXPECT_EQ(other, impl.reading(no));
  EXPECT_NE(first, impl.reading(yes));
}

TEST(Threads, OneModelAnswersManyAtOnce) {
  const Explainer model = fitted(2);
  const std::string expected = explained(model, 1);
  const Target target = Target::of_classes({"yes"}, model.outcome());
  std::vector<std::string> texts(3), names(3);
  {
    std::vector<std::jthread> askers;
    for (std::size_t i = 0; i < texts.size(); ++i)
      askers.emplace_back([&, i] {
        names[i] = model.checksum();
        static_cast<void>(explained(model, 1, i % 2 == 0 ? "no" : "yes"));
        texts[i] = explained(model, 2);
        static_cast<void>(model.predict(model.rows(), team(2)));
        SufficientOptions why;
        why.max_features = 2;
        model.sufficient(people(model, 4), why, [](SufficientExplanation&&) {}, team(2));
        RegionsOptions groups;
        groups.max_regions = 2;
        static_cast<void>(model.summarize(people(model, 20), {}, target, groups, team(2)));
        static_cast<void>(model.evaluate(people(model, 12), {}, target, {}, {}, "the forest itself", team(2)));
      });
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(texts[i], expected);
    EXPECT_EQ(names[i], names[0]);
  }
}

}  // namespace
}  // namespace cfrules
