// How long questions take: questions [--data DIR] [--quick] [--turns] [Google Benchmark's options]. Without DIR the
// tables are generated in the shapes of the real ones. The yardstick is the naive twin's answer to one question, in the
// same run. --turns: each run of a benchmark waits for a line of input and says when it is over (bench/turns).
#include <benchmark/benchmark.h>

#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "explain/condition_writer.h"
#include "explain/conditional_rules.h"
#include "explain/divergent_sets.h"
#include "fitted.h"
#include "kernels/bit_path.h"
#include "oracle/naive.h"
#include "recourse/person_forest.h"
#include "recourse/recourse_sampler.h"

namespace {

using namespace cfrules;
using namespace cfrules::bench;

const Shape kCalifornia{"california",       "california_housing_statlib.csv", "median_house_value", "", 20'640, 8,
                        OutcomeKind::number};
const Shape kHeloc{"heloc", "heloc_cet.csv", "RiskPerformance", "1", 9'871, 23, OutcomeKind::classes};
const Shape kDiabetes{"diabetes", "diabetes_pima.csv", "Outcome", "0", 768, 8, OutcomeKind::classes};
const Shape kCompas{"compas", "compas_fairml.csv", "Two_yr_Recidivism", "0", 6'172, 11, OutcomeKind::classes};
const Shape kNhanesi{"nhanesi", "nhanesi_cet.csv", "Mortality", "0", 8'593, 17, OutcomeKind::classes};

struct Options {
  std::string data;
  bool quick = false;
  bool turns = false;
};

FitOptions paper_fit(std::size_t trees = 20) {
  FitOptions options;
  options.paper = true;
  options.trees = trees;
  options.depth = 10;
  return options;
}

FitOptions default_fit(const Options& options) {
  FitOptions fit;
  fit.labels = Labels::predicted;
  fit.audit = 0;
  if (options.quick) fit.trees = 50;
  return fit;
}

// One model at a time is in memory: benchmarks of one are registered side by side.
class Shelf {
 public:
  Fitted& get(const std::string& key, const std::function<std::unique_ptr<Fitted>()>& make) {
    if (key != key_) {
      held_.reset();
      held_ = make();
      key_ = key;
    }
    return *held_;
  }

 private:
  std::string key_;
  std::unique_ptr<Fitted> held_;
};

// A round asks about all of these people, so that every round is the same work. ask(person, resume): the time until
// resume() is not counted. The time printed is a round's; `each` says how many answers that was.
constexpr std::size_t kPeople = 20;
// Who has no rule on one feature takes ten times as long as who has: of twenty people the mean of California is uncertain
// by a third.
constexpr std::size_t kSearchedPeople = 100;

template <class Ask>
void ask_people(benchmark::State& state, const Fitted& fitted, const Ask& ask, double answers_each = 1) {
  std::vector<CodedPerson> people;
  for (std::size_t i = 0; i < kPeople; ++i) people.push_back(fitted.person(i));
  for (auto _ : state)
    for (const CodedPerson& person : people) {
      state.PauseTiming();
      ask(person, [&] { state.ResumeTiming(); });
    }
  state.counters["each"] = static_cast<double>(kPeople) * answers_each;
}

struct Question {
  const Fitted& fitted;
  Context context;
  Reach reach;
  Settings settings;
  CandidateUnits units;

  Question(const Fitted& about, const ExplainOptions& options)
      : fitted(about),
        context(about.context()),
        reach({}, about.impl().model.rows.schema(), about.impl().model.grid, about.impl().values),
        settings(about.impl().settings(options)),
        units(settings.candidates, reach, settings.max_features) {}

  ConditionalRules rules(const CodedPerson& person) const {
    return {context, reach, settings, Region::at(person.codes), {&person}};
  }
  ScoredSet best_set(const CodedPerson& person) const {
    const ConditionalRules conditional = rules(person);
    return DivergentSets(conditional, units, settings, {}).find(context.conditional.forest(), person.codes).front();
  }
};

FeatureIndexes first_features(std::size_t count) {
  FeatureIndexes features;
  for (std::size_t feature = 0; feature < count; ++feature) features.push_back(feature);
  return features;
}

void ask_naive(benchmark::State& state, const Fitted& fitted) {
  const Model& model = fitted.impl().model;
  const naive::Forest twin(model.forest, model.grid, model.rows, {});
  Region region = Region::at(fitted.person(0).codes);
  for (const std::size_t feature : first_features(2)) region.free(feature, model.grid);
  for (auto _ : state)
    benchmark::DoNotOptimize(twin.probability({twin.region(region), Estimator::paper, 5}, fitted.forest().hits()));
}

constexpr std::size_t kTimes = 100;  // answers that are quicker than looking at the clock are asked for so often

// All sets of a size come in turn: the same question again and again is soon known to the branch predictor.
void ask_cdp(benchmark::State& state, const Fitted& fitted, std::size_t size) {
  const Question question(fitted, {});
  const std::vector<FeatureIndexes> sets = question.units.sets_of(size);
  const auto ask = [&](const CodedPerson& person, const auto& resume) {
    const ConditionalRules rules = question.rules(person);
    resume();
    for (std::size_t times = 0; times < kTimes; ++times) benchmark::DoNotOptimize(rules.cdp(sets[times % sets.size()]));
  };
  ask_people(state, fitted, ask, kTimes);
}

// Boxes that hold the lower half of both features.
void ask_crp(benchmark::State& state, const Fitted& fitted) {
  const Question question(fitted, {});
  const std::vector<FeatureIndexes> sets = question.units.sets_of(2);
  CellScratch room = question.context.conditional.scratch();
  const auto ask = [&](const CodedPerson& person, const auto& resume) {
    std::vector<Region> regions(sets.size(), Region::at(person.codes));
    for (std::size_t set = 0; set < sets.size(); ++set)
      for (const std::size_t feature : sets[set]) {
        const Code middle = static_cast<Code>(question.context.grid.last_code(feature) / 2);
        regions[set].limit(feature, {1, std::max<Code>(1, middle)});
      }
    resume();
    for (std::size_t times = 0; times < kTimes; ++times)
      benchmark::DoNotOptimize(question.context.conditional.probability(
          regions[times % sets.size()], question.context.hits, {Estimator::paper, 5}, room));
  };
  ask_people(state, fitted, ask, kTimes);
}

void search_divergent(benchmark::State& state, const Fitted& fitted, const ExplainOptions& options) {
  const Question question(fitted, options);
  ask_people(state, fitted, [&](const CodedPerson& person, const auto& resume) {
    resume();
    benchmark::DoNotOptimize(question.best_set(person).cdp);
  });
}

void solve_rule(benchmark::State& state, const Fitted& fitted, const ExplainOptions& options) {
  const Question question(fitted, options);
  ask_people(state, fitted, [&](const CodedPerson& person, const auto& resume) {
    const FeatureIndexes features = question.best_set(person).features;
    resume();
    ConditionalRules rules = question.rules(person);
    std::vector<Rule> found = rules.solve(features, 1);
    if (found.empty()) found = rules.best_effort(features);
    benchmark::DoNotOptimize(found.size());
  });
}

// A rule that holds the middle half of three features.
Rule middle_rule(const Question& question, const CodedPerson& person) {
  Rule rule;
  for (const std::size_t feature : first_features(3)) {
    const Code last = question.context.grid.last_code(feature);
    const Interval side{static_cast<Code>(1 + last / 4), static_cast<Code>(1 + 3 * last / 4)};
    rule.conditions.push_back(condition_of(question.context.schema(), question.context.grid, feature, side,
                                           person.values[feature], question.context.values));
  }
  return rule;
}

void anneal(benchmark::State& state, const Fitted& fitted) {
  const Question question(fitted, {});
  RecourseOptions options;
  options.method = RecourseMethod::annealing;
  options.per_rule = 1;
  const Model& model = fitted.impl().model;
  const RecourseSampler sampler(model.rows, question.context.conditional.blocks(), model.grid, model.inliers,
                                question.reach, fitted.impl().costs, shrunk_to_person(fitted.forest()), options, 0.9);
  const CodedPerson person = fitted.person(0);
  const Rule rule = middle_rule(question, person);
  std::uint64_t stream = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sampler.draw(person.values, rule, stream++, 0).size());
}

void explain(benchmark::State& state, const Fitted& fitted, const ExplainOptions& options,
             std::size_t most_people = kPeople) {
  const Run run{.threads = 1, .stop = {}, .progress = {}};
  std::vector<Table> people;  // one call for each
  for (std::size_t row = 0; row < std::min(most_people, fitted.people().rows()); ++row)
    people.push_back(fitted.people().select(std::span(&row, 1)));
  const auto ask_all = [&] {
    for (const Table& person : people)
      fitted.explainer().explain(person, {}, fitted.target(), options, [](Explanation&&) {}, run);
  };
  ask_all();  // what the model prepares once and keeps (where donors stand on a set of features) is not timed
  for (auto _ : state) ask_all();
  state.counters["each"] = static_cast<double>(people.size());
}

void explain_batch(benchmark::State& state, const Fitted& fitted, unsigned threads) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < std::min<std::size_t>(64, fitted.people().rows()); ++row) rows.push_back(row);
  const Table people = fitted.people().select(rows);
  ExplainOptions options;
  options.max_features = 2;
  const Run run{.threads = threads, .stop = {}, .progress = {}};
  for (auto _ : state) fitted.explainer().explain(people, {}, fitted.target(), options, [](Explanation&&) {}, run);
}

class Register {
 public:
  explicit Register(Options options) : options_(std::move(options)) {}

  using Body = std::function<void(benchmark::State&, const Fitted&)>;
  void add(const std::string& name, const Shape& shape, const FitOptions& fit, const std::string& key, Body body,
           bool real = true) {
    const std::string folder = real ? options_.data : "";
    auto* made =
        benchmark::RegisterBenchmark(name.c_str(), [this, shape, fit, key, folder, body](benchmark::State& state) {
          const Fitted& fitted = shelf_.get(key, [&] { return std::make_unique<Fitted>(shape, folder, fit); });
          if (std::string line; options_.turns) std::getline(std::cin, line);
          body(state, fitted);
          if (options_.turns) std::cout << "over" << std::endl;
        });
    made->Unit(benchmark::kMicrosecond);
    if (name.find("/threads") != std::string::npos) made->UseRealTime();
    made->MinTime(options_.quick ? 0.01 : 0.1);
    if (!options_.quick && !options_.turns) made->Repetitions(5);  // the least disturbed of them counts
  }

  void figures();
  void growth();

 private:
  void conditional();
  void moved(const Shape& shape);
  void curve(const std::string& name, std::size_t value, std::size_t rows, std::size_t features, std::size_t trees,
             const ExplainOptions& options);

  Options options_;
  Shelf shelf_;
};

ExplainOptions searching(std::size_t candidates, std::size_t max_features, std::size_t path_sets = 0) {
  ExplainOptions options;
  options.candidates = candidates;
  options.max_features = max_features;
  options.path_sets = path_sets;
  return options;
}

void Register::conditional() {
  const auto california = [&](const std::string& name, Body body) {
    add("california/" + name, kCalifornia, paper_fit(), "california", body);
  };
  california("naive_cdp", ask_naive);
  california("cdp/1", [](auto& state, const Fitted& fitted) { ask_cdp(state, fitted, 1); });
  california("cdp/2", [](auto& state, const Fitted& fitted) { ask_cdp(state, fitted, 2); });
  california("crp/2", ask_crp);
  california("divergent_search",
             [](auto& state, const Fitted& fitted) { search_divergent(state, fitted, searching(8, 4)); });
  california("rule_given_set", [](auto& state, const Fitted& fitted) { solve_rule(state, fitted, searching(8, 4)); });
  california("rule_given_pair", [](auto& state, const Fitted& fitted) { solve_rule(state, fitted, searching(8, 2)); });
  california("annealing_1000_steps", anneal);
  california("explain_paper", [](auto& state, const Fitted& fitted) { explain(state, fitted, {}); });
  const auto heloc = [&](const std::string& name, Body body) {
    add("heloc/" + name, kHeloc, paper_fit(), "heloc", body);
  };
  heloc("divergent_10_by_5",
        [](auto& state, const Fitted& fitted) { search_divergent(state, fitted, searching(10, 5)); });
  heloc("divergent_20_sampled",
        [](auto& state, const Fitted& fitted) { search_divergent(state, fitted, searching(20, 5, 3000)); });
}

void Register::moved(const Shape& shape) {
  add(shape.name + "/sparsest_moved", shape, default_fit(options_), shape.name + " default",
      [](auto& state, const Fitted& fitted) { explain(state, fitted, searching(10, 3), kSearchedPeople); });
}

void Register::figures() {
  conditional();
  moved(kDiabetes);
  for (const unsigned threads : {1u, 2u})
    add("diabetes/batch/threads:" + std::to_string(threads), kDiabetes, default_fit(options_), "diabetes default",
        [threads](auto& state, const Fitted& fitted) { explain_batch(state, fitted, threads); });
  if (options_.quick) return;
  moved(kCompas);
  moved(kNhanesi);
  moved(kHeloc);
  moved(kCalifornia);
  const Shape million{"million", "", "", "yes", 1'333'334, 20, OutcomeKind::classes};
  add(
      "million/explain_paper", million, paper_fit(), "million",
      [](auto& state, const Fitted& fitted) { explain(state, fitted, {}); }, false);
  FitOptions few_trees;
  few_trees.trees = 20;
  few_trees.depth = 10;
  add(
      "million/sparsest_moved", million, few_trees, "million default",
      [](auto& state, const Fitted& fitted) { explain(state, fitted, searching(10, 3)); }, false);
}

// Generated tables; the divergent search over all sets of two of the ten leading features, unless said otherwise.
void Register::curve(const std::string& name, std::size_t value, std::size_t rows, std::size_t features,
                     std::size_t trees, const ExplainOptions& options) {
  const Shape shape{name, "", "", "yes", rows * 4 / 3, features, OutcomeKind::classes};
  const std::string key = std::to_string(rows) + " " + std::to_string(features) + " " + std::to_string(trees);
  add(
      "growth/" + name + "/" + std::to_string(value), shape, paper_fit(trees), key,
      [options](auto& state, const Fitted& fitted) { search_divergent(state, fitted, options); }, false);
}

void Register::growth() {
  const std::size_t most = options_.quick ? 3'000 : 1'000'000;
  for (std::size_t rows = 1'000; rows <= most; rows = std::to_string(rows)[0] == '1' ? rows * 3 : rows / 3 * 10) {
    curve("rows_one_feature", rows, rows, 10, 20, searching(10, 1));
    curve("rows_two_features", rows, rows, 10, 20, searching(10, 2));
    curve("rows_four_features", rows, rows, 10, 20, searching(10, 4));
  }
  const std::size_t rows = options_.quick ? 1'000 : 10'000;
  for (const std::size_t features : {4, 8, 16, 32, 64, 100})
    curve("features", features, rows, features, 20, searching(10, 2));
  for (const std::size_t trees : {10, 20, 50, 100, 200, 500})
    if (!options_.quick || trees <= 20) curve("trees", trees, rows, 10, trees, searching(10, 2));
  for (const std::size_t candidates : {2, 4, 8, 12, 16, 20})
    curve("candidates", candidates, rows, 20, 20, searching(candidates, 2));
  for (const std::size_t size : {1, 2, 3, 4, 5}) curve("set_size", size, rows, 20, 20, searching(10, size));
}

}  // namespace

int main(int count, char** words) {
  Options options;
  std::vector<char*> rest;
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(words[i], "--quick") == 0)
      options.quick = true;
    else if (std::strcmp(words[i], "--turns") == 0)
      options.turns = true;
    else if (std::strcmp(words[i], "--data") == 0 && i + 1 < count)
      options.data = words[++i];
    else
      rest.push_back(words[i]);
  }
  int rest_count = static_cast<int>(rest.size());
  benchmark::Initialize(&rest_count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(rest_count, rest.data())) return 2;
  benchmark::AddCustomContext("vectors", bit_paths().back()->name);
  Register all(options);
  all.figures();
  all.growth();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
