#include "forest/training_checks.h"

#include <cmath>
#include <string>

#include "base/decimal.h"
#include "base/limits.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

void check_length(const std::string& what, std::size_t seen, std::size_t rows) {
  if (seen == rows) return;
  throw InputError(what + " has " + std::to_string(seen) + " entries, but the training rows are " +
                   std::to_string(rows));
}

void check_weights(const std::string& what, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (weights[i] >= 0 && weights[i] <= limits::kWeight) continue;
    throw InputError(what + " " + std::to_string(i) + " is " + shortest_decimal(weights[i]) +
                     "; a weight is a number from 0 to 1e15");
  }
  if (!weights.empty() && !(sum > 0)) throw InputError("every " + what + " is 0; at least one must be above 0");
}

void check_shape(const TrainingSet& data) {
  if (data.codes.rows == 0) throw InputError("there are no training rows; at least one is needed");
  if (data.codes.columns.empty()) throw InputError("there are no features to train on; at least one is needed");
  for (std::size_t feature = 0; feature < data.codes.columns.size(); ++feature)
    check_length("feature " + std::to_string(feature), data.codes.columns[feature].size(), data.codes.rows);
  check_length("the outcome", data.outcome.size(), data.codes.rows);
  if (!data.weights.empty()) check_length("the column of weights", data.weights.size(), data.codes.rows);
  if (!data.groups.empty()) check_length("the column of groups", data.groups.size(), data.codes.rows);
}

void check_outcome(const TrainingSet& data) {
  require_within(limits::kClasses, data.classes, "the outcome");
  for (std::size_t row = 0; row < data.outcome.size(); ++row) {
    const double value = data.outcome[row];
    const bool is_class = value >= 0 && value < static_cast<double>(data.classes) && value == std::floor(value);
    if (data.classes == 0 ? std::abs(value) <= limits::kOutcome : is_class) continue;
    throw InputError("the outcome of row " + std::to_string(row) + " is " + shortest_decimal(value) + "; " +
                     (data.classes == 0 ? "it must be a number between -1e100 and 1e100"
                                        : "it must be a class from 0 to " + std::to_string(data.classes - 1)));
  }
}

void check_options(const TrainingSet& data, const TrainOptions& options) {
  require_within(limits::kTrees, options.trees, "the forest");
  if (options.trees == 0) throw InputError("the number of trees is 0; at least 1 is needed");
  if (options.min_leaf == 0) throw InputError("the smallest leaf is 0 rows; at least 1 is needed");
  if (!(options.subsample > 0 && options.subsample <= 1))
    throw InputError("the subsample is " + shortest_decimal(options.subsample) +
                     "; it is a share above 0 and at most 1");
  if (options.class_weights.empty()) return;
  if (options.class_weights.size() != data.classes)
    throw InputError("there are " + std::to_string(options.class_weights.size()) + " class weights for " +
                     std::to_string(data.classes) + " classes; give one for each");
  check_weights("class weight", options.class_weights);
}

}  // namespace

void check_training(const TrainingSet& data, const TrainOptions& options) {
  check_shape(data);
  check_outcome(data);
  check_weights("row weight", data.weights);
  check_options(data, options);
}

}  // namespace cfrules
