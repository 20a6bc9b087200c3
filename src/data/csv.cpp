#include "cfrules/csv.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "data/csv_column.h"
#include "data/csv_outcome.h"
#include "data/csv_reader.h"

namespace cfrules {
namespace {

std::size_t find_column(const CsvReader& reader, const std::string& name) {
  const auto& header = reader.header();
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

void require_column(const CsvReader& reader, const std::string& name, const std::string& what) {
  if (find_column(reader, name) == reader.header().size())
    throw InputError(reader.name() + ": the " + what + " " + quote(name) + " is not there; the columns are " +
                     quote_list(reader.header()));
}

const ColumnHint* find_hint(const CsvOptions& options, const std::string& name) {
  const auto at =
      std::find_if(options.hints.begin(), options.hints.end(), [&](const auto& h) { return h.name == name; });
  return at == options.hints.end() ? nullptr : &*at;
}

bool is_listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

ColumnPlan plan_column(const std::string& name, const CsvOptions& options) {
  ColumnPlan plan;
  plan.name = name;
  plan.missing.add(options.missing);
  if (const ColumnHint* hint = find_hint(options, name)) {
    plan.kind = hint->kind;
    plan.categories = hint->categories;
    plan.missing.add(hint->missing);
  }
  return plan;
}

void check_request(const CsvReader& reader, const OutcomeRequest& outcome, const std::string& weights,
                   const CsvOptions& options) {
  require_column(reader, outcome.column, "outcome column");
  if (!weights.empty()) require_column(reader, weights, "weights column");
  for (const ColumnHint& hint : options.hints) require_column(reader, hint.name, "column of the schema");
  for (const std::string& name : options.ignore) require_column(reader, name, "column to ignore");
  if (is_listed(options.ignore, outcome.column))
    throw InputError("the outcome column " + quote(outcome.column) + " is also to be ignored; it can be only one");
  if (weights == outcome.column)
    throw InputError("the column " + quote(weights) + " is both outcome and weights; it can be only one");
}

// Rows of all columns; the file is read once more for columns that turn out to mix numbers and texts.
void read_rows(CsvReader& reader, std::vector<ColumnBuilder>& columns) {
  std::size_t rows = 0;
  for (; reader.next(); ++rows)
    for (ColumnBuilder& column : columns) column.add(reader);
  if (rows == 0) throw InputError(reader.name() + ": the file has a header but no rows");
  std::vector<ColumnBuilder*> again;
  for (ColumnBuilder& column : columns)
    if (column.end_reading(reader)) again.push_back(&column);
  if (again.empty()) return;
  for (reader.rewind(); reader.next();)
    for (ColumnBuilder* column : again) column->add(reader);
}

std::vector<Column> finish_columns(const CsvReader& reader, std::vector<ColumnBuilder>& builders) {
  std::vector<Column> columns;
  columns.reserve(builders.size());
  for (ColumnBuilder& builder : builders) columns.push_back(builder.finish(reader));
  return columns;
}

Column take_column(std::vector<Column>& columns, const std::string& name) {
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.feature.name == name; });
  Column taken = std::move(*at);
  columns.erase(at);
  return taken;
}

void keep_rows(std::vector<double>& values, const std::vector<std::uint8_t>& keep) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < keep.size(); ++row)
    if (keep[row]) values[kept++] = values[row];
  values.resize(kept);
}

// Rows without an outcome teach nothing: they go, and are counted.
std::size_t drop_rows_without_outcome(LabelledTable& data, std::vector<Column>& columns) {
  const std::size_t rows = data.outcome.rows();
  std::vector<std::uint8_t> keep(rows);
  std::transform(data.outcome.values.begin(), data.outcome.values.end(), keep.begin(),
                 [](double value) { return std::isnan(value) ? 0 : 1; });
  const auto dropped = static_cast<std::size_t>(std::count(keep.begin(), keep.end(), 0));
  if (dropped == 0) return 0;
  for (Column& column : columns) keep_rows(column.values, keep);
  keep_rows(data.outcome.values, keep);
  if (!data.weights.empty()) keep_rows(data.weights, keep);
  return dropped;
}

std::vector<ColumnBuilder> plan_training(const CsvReader& reader, const OutcomeRequest& outcome,
                                         const std::string& weights, const CsvOptions& options) {
  std::vector<ColumnBuilder> builders;
  builders.reserve(reader.header().size());
  const std::size_t most_rows = reader.most_records();
  for (std::size_t i = 0; i < reader.header().size(); ++i) {
    const std::string& name = reader.header()[i];
    if (is_listed(options.ignore, name) && name != weights) continue;
    ColumnPlan plan = plan_column(name, options);
    if (name == outcome.column) plan_outcome(plan, outcome.as);
    if (name == weights) {
      plan.kind = Kind::number;
      plan.weights = true;
    }
    builders.emplace_back(std::move(plan), i, most_rows);
  }
  return builders;
}

// Features of the schema and, if the file has it, the outcome.
std::vector<ColumnBuilder> plan_people(const CsvReader& reader, const Schema& schema, const Outcome& known,
                                       const PeopleOptions& options) {
  std::vector<ColumnBuilder> builders;
  builders.reserve(schema.size() + 1);
  const std::size_t most_rows = reader.most_records();
  for (const Feature& feature : schema) {
    ColumnPlan plan = plan_column(feature.name, options.csv);
    plan.kind = feature.kind;
    plan.categories = feature.categories;
    plan.unseen_as_missing = options.unseen_as_missing;
    builders.emplace_back(std::move(plan), find_column(reader, feature.name), most_rows);
  }
  const std::size_t outcome = find_column(reader, known.name);
  if (outcome == reader.header().size()) return builders;
  ColumnPlan plan = plan_column(known.name, options.csv);
  plan.kind = known.numeric() ? Kind::number : Kind::category;
  plan.categories = known.classes;
  plan.classes = !known.numeric();
  builders.emplace_back(std::move(plan), outcome, most_rows);
  return builders;
}

void check_features_present(const CsvReader& reader, const Schema& schema) {
  std::vector<std::string> absent;
  for (const Feature& feature : schema)
    if (find_column(reader, feature.name) == reader.header().size()) absent.push_back(feature.name);
  if (absent.empty()) return;
  throw InputError(reader.name() + ": the model needs the " + (absent.size() == 1 ? "column " : "columns ") +
                   quote_list(absent) + ", not found; the columns are " + quote_list(reader.header()));
}

// A file holds more than the model needs: not an error, but worth a word.
std::vector<std::string> unused_columns(const CsvReader& reader, const Schema& schema, const Outcome& known,
                                        const CsvOptions& options) {
  std::unordered_set<std::string_view> used(options.ignore.begin(), options.ignore.end());
  used.insert(known.name);
  for (const Feature& feature : schema) used.insert(feature.name);
  std::vector<std::string> unused;
  for (const std::string& name : reader.header())
    if (!used.contains(name)) unused.push_back(name);
  return unused;
}

// The table's own sentences do not know the file.
Table named_table(std::vector<Column> columns, const CsvReader& reader) {
  try {
    return table_of(std::move(columns));
  } catch (const InputError& error) {
    throw InputError(reader.name() + ": " + error.what());
  }
}

}  // namespace

LabelledTable read_training_csv(const std::string& path, const OutcomeRequest& outcome,
                                const std::string& weights_column, const CsvOptions& options) {
  FileBytes bytes = FileBytes::read(path);
  CsvReader reader(bytes.text(), display_name(path), options.delimiter);
  check_request(reader, outcome, weights_column, options);
  std::vector<ColumnBuilder> builders = plan_training(reader, outcome, weights_column, options);
  read_rows(reader, builders);
  std::vector<Column> columns = finish_columns(reader, builders);
  bytes.release();

  LabelledTable data;
  data.outcome = make_outcome(take_column(columns, outcome.column), outcome.as, reader.name());
  if (!weights_column.empty()) data.weights = take_column(columns, weights_column).values;
  if (columns.empty()) throw InputError(reader.name() + ": no column is left to learn from");
  data.dropped = drop_rows_without_outcome(data, columns);
  if (!data.weights.empty() && *std::max_element(data.weights.begin(), data.weights.end()) == 0)
    throw InputError(reader.name() + ": all weights in column " + quote(weights_column) + " are 0");
  data.table = named_table(std::move(columns), reader);
  return data;
}

LabelledTable read_people_csv(const std::string& path, const Schema& schema, const Outcome& known,
                              const PeopleOptions& options) {
  FileBytes bytes = FileBytes::read(path);
  CsvReader reader(bytes.text(), display_name(path), options.csv.delimiter);
  check_features_present(reader, schema);
  std::vector<ColumnBuilder> builders = plan_people(reader, schema, known, options);
  read_rows(reader, builders);
  std::vector<Column> columns = finish_columns(reader, builders);
  bytes.release();

  LabelledTable data;
  data.outcome = {known.name, known.classes, {}};
  if (columns.size() > schema.size()) {
    data.outcome.values = std::move(columns.back().values);
    columns.pop_back();
  }
  data.unused = unused_columns(reader, schema, known, options.csv);
  data.table = named_table(std::move(columns), reader);
  return data;
}

}  // namespace cfrules
