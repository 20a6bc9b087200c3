#include "cfrules/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/decimal.h"
#include "base/limits.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

void check_names(const Schema& schema) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name.empty()) throw InputError("feature " + std::to_string(i + 1) + " has no name");
    if (!seen.insert(schema[i].name).second)
      throw InputError("two features are called " + quote(schema[i].name) + "; names must be unique");
  }
}

void check_categories(const Feature& feature) {
  const std::string who = "feature " + quote(feature.name);
  const std::size_t count = feature.categories.size();
  require_within(limits::kCategories, count, who);
  if (feature.kind == Kind::boolean && count != 0 && count != 2)
    throw InputError(who + " is a boolean with " + std::to_string(count) +
                     " words; it takes the two for false and true");
  if ((feature.kind == Kind::number || feature.kind == Kind::integer) && count != 0)
    throw InputError(who + " is a number but has categories " + quote_list(feature.categories));
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : feature.categories) {
    if (name.empty()) throw InputError(who + " has a category without a name");
    if (!seen.insert(name).second) throw InputError(who + " has the category " + quote(name) + " twice");
  }
}

bool finite_or_missing(double value) { return std::abs(value) != std::numeric_limits<double>::infinity(); }

// One loop per kind: a model file of a million rows is checked again whenever it is loaded.
const double* first_not_allowed(const Feature& feature, const double* begin, const double* end) {
  const auto count = static_cast<double>(feature.categories.size());
  switch (feature.kind) {
    case Kind::number:
      return std::find_if_not(begin, end, finite_or_missing);
    case Kind::integer:
      return std::find_if_not(
          begin, end, [](double v) { return finite_or_missing(v) && (v == std::trunc(v) || std::isnan(v)); });
    case Kind::boolean:
      return std::find_if_not(begin, end, [](double v) { return v == 0 || v == 1 || std::isnan(v); });
    case Kind::category:
      return std::find_if_not(
          begin, end, [=](double v) { return (v >= 0 && v < count && v == std::trunc(v)) || std::isnan(v); });
  }
  return begin;
}

std::string what_is_allowed(const Feature& feature) {
  switch (feature.kind) {
    case Kind::number:
      return "a finite number";
    case Kind::integer:
      return "a whole number";
    case Kind::boolean:
      return "0 or 1";
    case Kind::category:
      return "a category's index below " + std::to_string(feature.categories.size());
  }
  return {};
}

void check_values(const Feature& feature, std::span<const double> column) {
  const double* const end = column.data() + column.size();
  const double* const wrong = first_not_allowed(feature, column.data(), end);
  if (wrong == end) return;
  throw InputError("feature " + quote(feature.name) + " holds " + shortest_decimal(*wrong) + " in row " +
                   std::to_string(wrong - column.data() + 1) + "; it takes " + what_is_allowed(feature) +
                   ", or NaN where the value is missing");
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::number:
      return "number";
    case Kind::integer:
      return "integer";
    case Kind::boolean:
      return "boolean";
    case Kind::category:
      return "category";
  }
  return {};
}

std::size_t find_feature(const Schema& schema, std::string_view name) {
  const auto at = std::find_if(schema.begin(), schema.end(), [&](const Feature& f) { return f.name == name; });
  return static_cast<std::size_t>(at - schema.begin());
}

Table::Table(Schema schema, std::vector<std::vector<double>> columns)
    : schema_(std::move(schema)), columns_(std::move(columns)) {
  if (schema_.size() != columns_.size())
    throw InputError("the table has " + std::to_string(columns_.size()) + " columns for " +
                     std::to_string(schema_.size()) + " features");
  require_within(limits::kFeatures, features(), "the table");
  require_within(limits::kRows, rows(), "the table");
  check_names(schema_);
  for (std::size_t feature = 0; feature < schema_.size(); ++feature) {
    if (columns_[feature].size() != rows())
      throw InputError("feature " + quote(schema_[feature].name) + " has " + std::to_string(columns_[feature].size()) +
                       " rows where the first has " + std::to_string(rows()));
    check_categories(schema_[feature]);
    check_values(schema_[feature], columns_[feature]);
  }
}

std::vector<double> Table::row(std::size_t row) const {
  std::vector<double> values(features());
  for (std::size_t feature = 0; feature < features(); ++feature) values[feature] = value(row, feature);
  return values;
}

Table Table::select(std::span<const std::size_t> rows) const {
  Table selected;
  selected.schema_ = schema_;
  selected.columns_.reserve(features());
  for (const std::vector<double>& column : columns_) {
    std::vector<double>& values = selected.columns_.emplace_back();
    values.reserve(rows.size());
    for (const std::size_t row : rows) values.push_back(column[row]);
  }
  return selected;
}

std::string text_of(const Feature& feature, double value) {
  if (std::isnan(value)) return {};
  if (feature.kind == Kind::boolean && feature.categories.empty()) return value == 0 ? "false" : "true";
  if (feature.kind == Kind::number || feature.kind == Kind::integer) return shortest_decimal(value);
  return feature.categories.at(static_cast<std::size_t>(value));
}

}  // namespace cfrules
