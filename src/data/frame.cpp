#include "cfrules/frame.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "data/csv_outcome.h"
#include "data/frame_column.h"

namespace cfrules {
namespace {

const std::string kFeatures = "X";
const std::string kOutcome = "y";

std::vector<std::string> names_of(const std::vector<FrameColumn>& columns) {
  std::vector<std::string> names;
  for (const FrameColumn& column : columns) names.push_back(column.name);
  return names;
}

FramePlan plan_for(const std::string& name, const FrameOptions& options) {
  FramePlan plan;
  plan.missing = options.missing;
  const auto hint = std::find_if(options.hints.begin(), options.hints.end(),
                                 [&](const ColumnHint& candidate) { return candidate.name == name; });
  if (hint == options.hints.end()) return plan;
  plan.kind = hint->kind;
  plan.categories = hint->categories;
  plan.missing.insert(plan.missing.end(), hint->missing.begin(), hint->missing.end());
  return plan;
}

void check_hints(const std::vector<FrameColumn>& features, const FrameOptions& options) {
  const std::vector<std::string> names = names_of(features);
  for (const ColumnHint& hint : options.hints)
    if (std::find(names.begin(), names.end(), hint.name) == names.end())
      throw InputError(kFeatures + ": the column of the schema " + quote(hint.name) +
                       " is not there; the columns are " + quote_list(names));
}

void check_lengths(const std::vector<FrameColumn>& features, std::size_t rows, std::size_t weights) {
  for (const FrameColumn& column : features)
    if (column.values.size() != rows)
      throw InputError(kFeatures + " has " + std::to_string(column.values.size()) + " rows but y has " +
                       std::to_string(rows) + "; they must be equal");
  if (weights > 0 && weights != rows)
    throw InputError("sample_weight has " + std::to_string(weights) + " values for " + std::to_string(rows) + " rows");
}

void check_weights(const std::vector<double>& weights) {
  for (std::size_t row = 0; row < weights.size(); ++row)
    if (!(weights[row] >= 0) || std::isinf(weights[row]))
      throw InputError("sample_weight, row " + std::to_string(row) + ": a weight must be a number of at least 0, not " +
                       quote(shortest_decimal(weights[row])));
  if (!weights.empty() && *std::max_element(weights.begin(), weights.end()) == 0)
    throw InputError("sample_weight: all weights are 0");
}

Outcome read_outcome(FrameColumn outcome, OutcomeRequest::As as, const FrameOptions& options) {
  if (!options.classes.empty()) {
    Outcome known{outcome.name, options.classes, {}};
    known.values = outcomes_from_frame(std::move(outcome), known);
    return known;
  }
  FramePlan plan;
  plan.missing = options.missing;
  if (as == OutcomeRequest::As::number) plan.kind = Kind::number;
  const bool numbers = outcome.holds == FrameColumn::Holds::numbers || outcome.holds == FrameColumn::Holds::integers;
  if (numbers) plan.kind = Kind::number;
  return make_outcome(read_frame_column(std::move(outcome), plan, kOutcome), as, kOutcome);
}

template <class Value>
void keep(std::vector<Value>& values, const std::vector<std::size_t>& rows) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = values[rows[i]];
  values.resize(rows.size());
}

// Rows without an outcome teach nothing: they go, and are counted.
void drop_rows_without_outcome(LabelledTable& data) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.outcome.rows(); ++row)
    if (!std::isnan(data.outcome.values[row])) rows.push_back(row);
  data.dropped = data.outcome.rows() - rows.size();
  if (data.dropped == 0) return;
  data.table = data.table.select(rows);
  keep(data.outcome.values, rows);
  keep(data.weights, rows);
}

}  // namespace

LabelledTable training_from_frame(std::vector<FrameColumn> features, FrameColumn outcome, OutcomeRequest::As as,
                                  std::vector<double> weights, const FrameOptions& options, const Run& run) {
  if (features.empty()) throw InputError(kFeatures + ": no column is left to learn from");
  if (outcome.values.empty()) throw InputError(kFeatures + ": the table has no rows");
  check_lengths(features, outcome.values.size(), weights.size());
  check_hints(features, options);
  check_weights(weights);
  LabelledTable data;
  data.outcome = read_outcome(std::move(outcome), as, options);
  data.weights = std::move(weights);
  std::vector<Column> columns;
  for (FrameColumn& feature : features) {
    check_stop(run);
    const FramePlan plan = plan_for(feature.name, options);
    columns.push_back(read_frame_column(std::move(feature), plan, kFeatures));
  }
  data.table = table_of(std::move(columns));
  drop_rows_without_outcome(data);
  return data;
}

Table people_from_frame(std::vector<FrameColumn> columns, const Schema& schema, const FrameOptions& options,
                        const Run& run) {
  const std::vector<std::string> names = names_of(columns);
  const auto at = [&](const Feature& feature) { return std::find(names.begin(), names.end(), feature.name); };
  std::vector<std::string> absent;
  for (const Feature& feature : schema)
    if (at(feature) == names.end()) absent.push_back(feature.name);
  if (!absent.empty())
    throw InputError(kFeatures + ": the model needs the " + (absent.size() == 1 ? "column " : "columns ") +
                     quote_list(absent) + ", not found; the columns are " + quote_list(names));
  std::vector<Column> read;
  for (const Feature& feature : schema) {
    check_stop(run);
    FramePlan plan{feature.kind, feature.categories, options.missing, options.unseen_as_missing, false};
    FrameColumn& column = columns[static_cast<std::size_t>(at(feature) - names.begin())];
    read.push_back(read_frame_column(std::move(column), plan, kFeatures));
    read.back().feature = feature;
  }
  return table_of(std::move(read));
}

std::vector<double> outcomes_from_frame(FrameColumn outcome, const Outcome& known) {
  FramePlan plan;
  plan.kind = known.numeric() ? Kind::number : Kind::category;
  plan.categories = known.classes;
  plan.classes = !known.numeric();
  return read_frame_column(std::move(outcome), plan, kOutcome).values;
}

}  // namespace cfrules
