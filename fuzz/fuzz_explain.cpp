// A small table from bytes is learned from and explained; every stated probability must be the naive oracle's.
#include <cmath>

#include "checks.h"
#include "io/model_file.h"
#include "memory_file.h"
#include "oracle/naive.h"
#include "problem.h"
#include "scratch_folder.h"

namespace {

using namespace cfrules;
using namespace cfrules::fuzz;

const Run kAlone{.threads = 1, .stop = {}, .progress = {}};

// The same model, seen by the slow twin.
class Oracle {
 public:
  Oracle(const Model& model, const Target& target)
      : model_(model),
        target_(target),
        map_(model.calibration.cases() > 0 ? CalibrationMap::fit(model.calibration, target)
                                           : CalibrationMap::identity(target)),
        forest_(model.forest, model.grid, model.rows, model.weights) {}

  void check(const Explanation& explanation, const std::vector<double>& person, std::size_t min_rows) const {
    for (const Rule& rule : explanation.rules)
      explanation.estimator == Estimator::moved
          ? check_moved(rule, person)
          : check_conditional(rule, person, {{}, explanation.estimator, min_rows});
  }

 private:
  void check_moved(const Rule& rule, const std::vector<double>& person) const {
    double mass = 0, raw = 0, probability = 0;
    std::size_t donors = 0;
    for (std::size_t row = 0; row < model_.rows.rows(); ++row) {
      if (!in_rule(rule, row)) continue;
      std::vector<double> moved = forest_.point(person);
      for (const Condition& condition : rule.conditions) moved[condition.index] = forest_.row(row)[condition.index];
      const naive::Reading reading = naive::read(forest_.votes(moved), target_, map_);
      mass += forest_.weight(row);
      raw += forest_.weight(row) * reading.raw;
      probability += forest_.weight(row) * reading.probability;
      ++donors;
    }
    require(donors == rule.support, "the support of a rule is the number of its donors");
    require(near(rule.probability.raw, raw / mass), "the raw probability of a rule is its donors' mean");
    require(near(rule.probability.calibrated, probability / mass), "the probability of a rule is its donors' mean");
  }

  void check_conditional(const Rule& rule, const std::vector<double>& person, naive::Question question) const {
    question.region = forest_.region(Region::at(model_.grid.codes(person)));
    for (const Condition& condition : rule.conditions) {
      question.region.sides[condition.index] = forest_.side(condition.index, condition.codes);
      question.region.range[condition.index] = true;
    }
    const std::vector<std::uint8_t> hits = target_.mark(model_.outcome.values);
    require(near(rule.probability.raw, forest_.probability(question, hits)), "the probability of a rule is its cells'");
  }

  [[nodiscard]] bool in_rule(const Rule& rule, std::size_t row) const {
    for (const Condition& condition : rule.conditions)
      if (!forest_.side(condition.index, condition.codes).contains(forest_.row(row)[condition.index])) return false;
    return true;
  }

  [[nodiscard]] bool near(double stated, double expected) const {
    return std::abs(stated - expected) <= (target_.numeric() ? 1e-5 : 1e-9);
  }

  const Model& model_;
  const Target& target_;
  CalibrationMap map_;
  naive::Forest forest_;
};

void solve(Problem problem, ByteFeed& feed) {
  const Explainer model = Explainer::fit(problem.table, problem.outcome, problem.weights, problem.fit, kAlone);
  static const ScratchFolder folder;
  const std::string path = folder.path() + "/model.cfr";
  model.save(path, true);
  const Model saved = load_model(path);
  const Target target = target_of(feed, model.outcome());
  const Oracle oracle(saved, target);
  const std::vector<std::size_t> chosen{feed.below(problem.table.rows()), feed.below(problem.table.rows())};
  const Table people = problem.table.select(chosen);
  const std::size_t min_rows = std::max<std::size_t>(1, problem.ask.min_rows);
  model.explain(
      people, {}, target, problem.ask,
      [&](Explanation&& explanation) {
        check_explanation(model, people, explanation, problem.ask.constraints);
        if (!problem.extreme) oracle.check(explanation, people.row(explanation.row), min_rows);
      },
      kAlone);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteFeed feed(data, size);
  tolerate([&] { solve(problem_of(feed), feed); });
  return 0;
}
