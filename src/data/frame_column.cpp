#include "data/frame_column.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "data/csv_number.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

using Holds = FrameColumn::Holds;

bool is_truth_word(std::string_view text) {
  return equal_ignoring_case(text, "false") || equal_ignoring_case(text, "true");
}

class ColumnReading {
 public:
  ColumnReading(FrameColumn column, const FramePlan& plan, const std::string& source)
      : column_(std::move(column)), plan_(plan), source_(source) {}

  Column read() {
    mark_missing();
    const Kind kind = plan_.kind.value_or(plan_.categories.empty() ? inferred() : Kind::category);
    if (kind == Kind::number || kind == Kind::integer) return read_numbers(kind);
    if (!plan_.categories.empty()) return read_known(kind);
    return kind == Kind::boolean ? read_boolean() : read_categories();
  }

 private:
  [[nodiscard]] std::string place(std::size_t row) const {
    return source_ + ", row " + std::to_string(row) + ", column " + quote(column_.name) + ": ";
  }

  [[nodiscard]] std::string text_at(std::size_t row) const {
    const double value = column_.values[row];
    if (column_.holds == Holds::booleans) return value == 0 ? "False" : "True";
    if (column_.holds != Holds::texts) return shortest_decimal(value);
    return column_.names[static_cast<std::size_t>(value)];
  }

  [[nodiscard]] bool is_marker(const std::string& text) const {
    if (text.empty()) return true;
    const auto same = [&](const std::string& marker) { return equal_ignoring_case(marker, text); };
    const bool listed = std::find(plan_.categories.begin(), plan_.categories.end(), text) != plan_.categories.end();
    return !listed && std::any_of(plan_.missing.begin(), plan_.missing.end(), same);
  }

  void mark_missing() {
    if (column_.holds == Holds::booleans) return;
    if (column_.holds == Holds::texts) return mark_missing_texts();
    for (const std::string& marker : plan_.missing) {
      double number = 0;
      if (parse_decimal(marker, number)) std::replace(column_.values.begin(), column_.values.end(), number, kNaN);
    }
  }

  void mark_missing_texts() {
    std::vector<std::uint8_t> missing(column_.names.size());
    std::transform(column_.names.begin(), column_.names.end(), missing.begin(),
                   [this](const std::string& name) { return is_marker(name) ? 1 : 0; });
    for (double& value : column_.values)
      if (!std::isnan(value) && missing[static_cast<std::size_t>(value)]) value = kNaN;
  }

  [[nodiscard]] bool all_whole() const {
    return std::all_of(column_.values.begin(), column_.values.end(), [](double value) {
      return std::isnan(value) || (value == std::trunc(value) && std::abs(value) <= kLargestInteger);
    });
  }

  [[nodiscard]] Kind inferred() const {
    if (column_.holds == Holds::integers) return Kind::integer;
    if (column_.holds == Holds::booleans) return Kind::boolean;
    if (column_.holds == Holds::texts) {
      const std::vector<std::string> names = used_names();
      return !names.empty() && std::all_of(names.begin(), names.end(), is_truth_word) ? Kind::boolean : Kind::category;
    }
    const auto known = static_cast<std::size_t>(
        std::count_if(column_.values.begin(), column_.values.end(), [](double v) { return !std::isnan(v); }));
    const bool partly_missing = known > 0 && known < column_.values.size();
    return partly_missing && all_whole() ? Kind::integer : Kind::number;
  }

  [[nodiscard]] double number_at(std::size_t row) const {
    const double value = column_.values[row];
    if (std::isnan(value) || (column_.holds != Holds::texts && std::isfinite(value))) return value;
    const std::string text = text_at(row);
    double number = 0;
    if (!parse_decimal(trimmed(text), number)) throw InputError(place(row) + why_not_a_number(trimmed(text)));
    return number;
  }

  Column read_numbers(Kind kind) {
    for (std::size_t row = 0; row < column_.values.size(); ++row) {
      const double value = number_at(row);
      const bool whole = std::isnan(value) || (value == std::trunc(value) && std::abs(value) <= kLargestInteger);
      if (kind == Kind::integer && !whole)
        throw InputError(place(row) + quote(text_at(row)) +
                         " is not a whole number of at most 2^53, and the column is an integer");
      column_.values[row] = value;
    }
    return {{column_.name, kind, {}}, std::move(column_.values)};
  }

  // The names that occur, sorted; for numbers and booleans, their texts.
  [[nodiscard]] std::vector<std::string> used_names() const {
    std::vector<std::string> names;
    if (column_.holds == Holds::texts) {
      std::vector<std::uint8_t> used(column_.names.size());
      for (const double value : column_.values)
        if (!std::isnan(value)) used[static_cast<std::size_t>(value)] = 1;
      for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) names.push_back(column_.names[i]);
    } else {
      for (std::size_t row = 0; row < column_.values.size(); ++row)
        if (!std::isnan(column_.values[row])) names.push_back(text_at(row));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  [[nodiscard]] std::optional<double> find_known(const std::string& text, bool any_case) const {
    for (std::size_t i = 0; i < plan_.categories.size(); ++i) {
      const std::string& known = plan_.categories[i];
      if (known == text || (any_case && equal_ignoring_case(known, text))) return static_cast<double>(i);
    }
    double number = 0;
    if (!plan_.classes || !parse_decimal(text, number)) return std::nullopt;
    const std::string shortest = shortest_decimal(number);
    return shortest == text ? std::nullopt : find_known(shortest, any_case);
  }

  [[nodiscard]] double known_at(std::size_t row, Kind kind) const {
    const double value = column_.values[row];
    const std::string text = text_at(row);
    const bool truth = std::all_of(plan_.categories.begin(), plan_.categories.end(), is_truth_word);
    if (const auto found = find_known(text, kind == Kind::boolean || (plan_.classes && truth))) return *found;
    if (kind == Kind::boolean && column_.holds != Holds::texts && (value == 0 || value == 1)) return value;
    if (plan_.unseen_as_missing) return kNaN;
    throw InputError(place(row) + quote(text) + " is not among the known " +
                     (plan_.classes ? "classes " : "categories ") + quote_list(plan_.categories));
  }

  Column read_known(Kind kind) {
    std::vector<double> of_name(column_.names.size(), kNaN);
    std::vector<std::uint8_t> done(column_.names.size());
    for (std::size_t row = 0; row < column_.values.size(); ++row) {
      double& value = column_.values[row];
      if (std::isnan(value)) continue;
      if (column_.holds != Holds::texts) {
        value = known_at(row, kind);
        continue;
      }
      const auto name = static_cast<std::size_t>(value);
      if (!done[name]) of_name[name] = known_at(row, kind);
      done[name] = 1;
      value = of_name[name];
    }
    return {{column_.name, kind, plan_.categories}, std::move(column_.values)};
  }

  Column read_boolean() {
    FramePlan plan = plan_;
    plan.kind = Kind::boolean;
    plan.categories = used_names();
    const bool truth = std::all_of(plan.categories.begin(), plan.categories.end(), is_truth_word);
    if (truth && plan.categories.size() < 2) plan.categories = {"False", "True"};
    if (plan.categories.size() != 2)
      throw InputError(source_ + ": column " + quote(column_.name) + " is a boolean but holds " +
                       quote_list(plan.categories) + "; two words such as 'false' and 'true' are allowed");
    return ColumnReading(std::move(column_), plan, source_).read_known(Kind::boolean);
  }

  Column read_categories() {
    FramePlan plan = plan_;
    plan.kind = Kind::category;
    plan.categories = used_names();
    return ColumnReading(std::move(column_), plan, source_).read_known(Kind::category);
  }

  FrameColumn column_;
  const FramePlan& plan_;
  const std::string& source_;
};

}  // namespace

Column read_frame_column(FrameColumn column, const FramePlan& plan, const std::string& source) {
  return ColumnReading(std::move(column), plan, source).read();
}

}  // namespace cfrules
