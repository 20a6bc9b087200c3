#include "data/csv_outcome.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

constexpr std::size_t kMostNumericClasses = 20;

std::vector<double> distinct_values(const std::vector<double>& values) {
  std::vector<double> distinct;
  std::copy_if(values.begin(), values.end(), std::back_inserter(distinct), [](double v) { return !std::isnan(v); });
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

// A file written from floating-point labels holds 0.0 and 1.0: classes all the same.
bool looks_like_classes(const std::vector<double>& distinct) {
  return distinct.size() <= kMostNumericClasses &&
         std::all_of(distinct.begin(), distinct.end(), [](double value) { return value == std::trunc(value); });
}

void check_varies(const Column& column, const std::vector<double>& distinct, const std::string& source) {
  const std::string who = source + ": the outcome column " + quote(column.feature.name);
  const auto missing =
      std::count_if(column.values.begin(), column.values.end(), [](double v) { return std::isnan(v); });
  if (distinct.empty()) throw InputError(who + " is missing in all " + std::to_string(missing) + " rows");
  if (distinct.size() == 1)
    throw InputError(who + " holds only " + quote(text_of(column.feature, distinct.front())) + " in " +
                     std::to_string(column.values.size() - static_cast<std::size_t>(missing)) +
                     " rows; at least two different values are needed");
}

}  // namespace

void plan_outcome(ColumnPlan& plan, OutcomeRequest::As as) {
  if (as == OutcomeRequest::As::number) {
    plan.kind = Kind::number;
    plan.categories.clear();
  } else if (as == OutcomeRequest::As::classes) {
    plan.mixed_allowed = true;
    if (plan.kind == Kind::number || plan.kind == Kind::integer) plan.kind.reset();
  }
}

Outcome make_outcome(Column column, OutcomeRequest::As as, const std::string& source) {
  const std::vector<double> distinct = distinct_values(column.values);
  check_varies(column, distinct, source);
  Outcome outcome{column.feature.name, std::move(column.feature.categories), std::move(column.values)};
  const bool numbers = column.feature.kind == Kind::number || column.feature.kind == Kind::integer;
  if (!numbers || as == OutcomeRequest::As::number) return outcome;
  if (as == OutcomeRequest::As::infer && !looks_like_classes(distinct)) return outcome;
  for (const double value : distinct) outcome.classes.push_back(shortest_decimal(value));
  for (double& value : outcome.values) {
    if (std::isnan(value)) continue;
    value = static_cast<double>(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin());
  }
  return outcome;
}

}  // namespace cfrules
