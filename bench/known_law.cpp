// Stated against true, where the truth is known: the built-in credit table, whose law gives every moved person's
// chance.
//
//     build/known_law [rows] [applicants] [seed] [audited people]
//
// Observed outcomes drawn from the law; applicants the law's draw rejected; every donor of every rule is put before the
// law.
#include <cstdio>
#include <cstdlib>

#include "cfrules/credit.h"
#include "cfrules/explainer.h"

using namespace cfrules;

namespace {

struct Tally {
  std::size_t people = 0, rules = 0, below_half = 0, with_interval = 0, inside = 0, changed = 0;
  double stated = 0, truth = 0, error = 0;
};

bool inside(const Rule& rule, const Table& rows, std::size_t row) {
  for (const Condition& side : rule.conditions) {
    const double value = rows.value(row, side.index);
    if (value != value) return false;
    if (!side.values.empty()) {
      bool named = false;
      for (const std::string& name : side.values)
        named = named || rows.schema()[side.index].categories[static_cast<std::size_t>(value)] == name;
      if (!named) return false;
    } else if (value < side.low || value > side.high || (value == side.low && !side.low_closed) ||
               (value == side.high && !side.high_closed)) {
      return false;
    }
  }
  return true;
}

double truth_of(const Rule& rule, const Table& rows, std::vector<double> person) {
  double sum = 0, donors = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (!inside(rule, rows, row)) continue;
    for (const Condition& side : rule.conditions) person[side.index] = rows.value(row, side.index);
    sum += credit_approval_probability(rows.schema(), person);
    ++donors;
  }
  return sum / donors;
}

Tally tally(const Explainer& model, const CreditData& applicants, double threshold) {
  Tally tally;
  ExplainOptions options;
  options.min_probability = threshold;
  options.rules = 1;
  const auto count = [&](Explanation&& answer) {
    if (answer.status == Status::already_in_target) return;
    ++tally.people;
    if (answer.status != Status::found) return;
    const Rule& rule = answer.rules.front();
    const double truth = truth_of(rule, model.rows(), applicants.table.row(answer.row));
    ++tally.rules;
    tally.changed += rule.conditions.size();
    tally.stated += rule.probability.stated();
    tally.truth += truth;
    tally.below_half += truth < 0.5 ? 1 : 0;
    if (rule.probability.held_out == 0) return;
    ++tally.with_interval;
    tally.inside += rule.probability.low <= truth && truth <= rule.probability.high ? 1 : 0;
  };
  model.explain(applicants.table, applicants.outcome.values, Target::parse("approved", model.outcome()), options,
                count);
  return tally;
}

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int at, std::size_t fallback) {
    return at < count ? std::strtoul(arguments[at], nullptr, 10) : fallback;
  };
  const std::size_t rows = number(1, 3600), people = number(2, 1000), seed = number(3, 0);
  CreditData data = credit_table(rows, seed);
  FitOptions options;
  options.seed = seed;
  options.audit = number(4, 100);
  const Explainer model = Explainer::fit(std::move(data.table), std::move(data.outcome), {}, options);
  const CreditData applicants = credit_table(people, seed + 1000);
  std::printf(
      "| threshold | people | coverage | stated | true | below one half | features | truth inside the interval "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const double threshold : {0.7, 0.8, 0.9}) {
    const Tally got = tally(model, applicants, threshold);
    const auto n = static_cast<double>(got.rules);
    std::printf("| %.1f | %zu | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f |\n", threshold, got.people,
                n / static_cast<double>(got.people), got.stated / n, got.truth / n,
                static_cast<double>(got.below_half) / n, static_cast<double>(got.changed) / n,
                got.with_interval > 0 ? static_cast<double>(got.inside) / static_cast<double>(got.with_interval) : 0.0);
  }
}
