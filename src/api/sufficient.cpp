// Why decisions are what they are.
#include "explain/sufficient.h"

#include <algorithm>
#include <cmath>

#include "api/impl.h"
#include "api/ordered_output.h"
#include "base/decimal.h"
#include "base/parallel.h"
#include "cfrules/error.h"

namespace cfrules {

namespace {

void check(const SufficientOptions& options) {
  if (!(options.pi >= 0 && options.pi <= 1))
    throw InputError("pi is " + shortest_decimal(options.pi) + "; it must lie between 0 and 1");
  if (options.max_features == 0) throw InputError("max-features is 0; a set needs at least one feature");
  if (options.candidates == 0) throw InputError("candidates is 0; at least one feature must be looked at");
}

double standard_deviation(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// How far a numeric outcome may lie from the prediction and still be the same decision: as far as the forest is wrong
// on rows it has not seen; where none are known, half a standard deviation of the outcome.
double same_decision_within(const Model& model) {
  const CalibrationSample& sample = model.calibration;
  if (sample.cases() == 0) return standard_deviation(model.outcome.values) / 2;
  double squares = 0, weights = 0;
  for (std::size_t i = 0; i < sample.cases(); ++i) {
    const double weight = sample.weights.empty() ? 1.0 : sample.weights[i];
    const double error = sample.said[i * sample.channels] - sample.outcome[i];
    squares += weight * error * error;
    weights += weight;
  }
  return std::sqrt(squares / weights);
}

std::vector<std::uint8_t> rows_with_decision(const Outcome& outcome, double decision, double within) {
  std::vector<std::uint8_t> hits;
  for (const double value : outcome.values)
    hits.push_back(outcome.numeric() ? std::abs(value - decision) <= within : value == decision);
  return hits;
}

}  // namespace

void Explainer::sufficient(const Table& people, const SufficientOptions& options,
                           const std::function<void(SufficientExplanation&&)>& sink, const Run& run) const {
  check(options);
  impl_->check_schema(people);
  const Model& model = impl_->model;
  const double within = model.outcome.numeric() ? same_decision_within(model) : 0;
  const Reach unlimited({}, schema(), model.grid, impl_->values);
  const std::size_t candidates = std::min(options.candidates, model.rows.features());
  const CandidateUnits units(leading_features(model.forest.importance, candidates), unlimited,
                             std::min(options.max_features, candidates));
  const auto stop = [&] { check_stop(run); };
  impl_->conditional.prepare(run);
  const SufficientSearch search(schema(), impl_->values, units, options, stop);
  const auto answer = [&](std::size_t row) {
    const CodedPerson person = impl_->coded(people.row(row));
    const double decision = impl_->predict(person.codes);
    const std::vector<std::uint8_t> hits = rows_with_decision(model.outcome, decision, within);
    SufficientExplanation made =
        search.explain(person, {impl_->conditional, model.grid, hits, std::max<std::size_t>(1, options.min_rows)});
    made.row = row;
    made.decision = model.outcome.numeric() ? shortest_decimal(decision)
                                            : model.outcome.classes[static_cast<std::size_t>(decision)];
    return made;
  };
  in_order<SufficientExplanation>(people.rows(), run, answer, sink);
}

}  // namespace cfrules
