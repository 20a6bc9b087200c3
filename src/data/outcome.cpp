#include "cfrules/outcome.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

std::string range_seen(const Outcome& outcome) {
  const auto [least, most] = std::minmax_element(outcome.values.begin(), outcome.values.end());
  if (least == outcome.values.end()) return {};
  return "; " + quote(outcome.name) + " goes from " + shortest_decimal(*least) + " to " + shortest_decimal(*most);
}

std::string interval_text(double low, double high) {
  return (std::isinf(low) ? "" : shortest_decimal(low)) + ":" + (std::isinf(high) ? "" : shortest_decimal(high));
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t comma = text.find(',');
    names.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

double interval_side(std::string_view side, double open, std::string_view text, const Outcome& outcome) {
  side = trimmed(side);
  double value = open;
  if (side.empty() || parse_decimal(side, value)) return value;
  throw InputError("the target " + quote(text) + " has " + quote(side) +
                   " where a number is needed; give LOW:HIGH, either side may be empty" + range_seen(outcome));
}

Target parse_interval(std::string_view text, const Outcome& outcome) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || trimmed(text) == ":")
    throw InputError("the target " + quote(text) + " is not an interval; " + quote(outcome.name) +
                     " is a number, so give LOW:HIGH, one side may be empty" + range_seen(outcome));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return Target::of_interval(interval_side(text.substr(0, colon), -kInfinity, text, outcome),
                             interval_side(text.substr(colon + 1), kInfinity, text, outcome), outcome);
}

}  // namespace

Target Target::parse(std::string_view text, const Outcome& outcome) {
  if (outcome.numeric()) return parse_interval(text, outcome);
  const auto is_class = [&](std::string_view name) {
    return std::find(outcome.classes.begin(), outcome.classes.end(), name) != outcome.classes.end();
  };
  // A class may hold commas or spaces of its own.
  if (is_class(text)) return of_classes({std::string(text)}, outcome);
  if (is_class(trimmed(text))) return of_classes({std::string(trimmed(text))}, outcome);
  return of_classes(split_at_commas(text), outcome);
}

Target Target::of_classes(std::vector<std::string> names, const Outcome& outcome) {
  if (outcome.numeric())
    throw InputError("the target names classes but " + quote(outcome.name) + " is a number; give an interval" +
                     range_seen(outcome));
  const std::string classes = "; the classes of " + quote(outcome.name) + " are " + quote_list(outcome.classes);
  if (names.empty()) throw InputError("the target names no class" + classes);
  Target target;
  target.classes_ = outcome.classes;
  target.wanted_.assign(outcome.classes.size(), 0);
  for (const std::string& name : names) {
    const auto at = std::find(outcome.classes.begin(), outcome.classes.end(), name);
    if (at == outcome.classes.end()) throw InputError("the target " + quote(name) + " is not a class" + classes);
    target.wanted_[static_cast<std::size_t>(at - outcome.classes.begin())] = 1;
  }
  return target;
}

Target Target::of_interval(double low, double high, const Outcome& outcome) {
  if (!outcome.numeric())
    throw InputError("the target is an interval but " + quote(outcome.name) + " has the classes " +
                     quote_list(outcome.classes));
  if (std::isnan(low) || std::isnan(high))
    throw InputError("a side of the target is not a number" + range_seen(outcome));
  const std::string interval = "the target " + interval_text(low, high);
  if (low > high)
    throw InputError(interval + " is reversed: its low side is above its high side" + range_seen(outcome));
  Target target;
  target.low_ = low;
  target.high_ = high;
  const auto inside = [&](double value) { return target.contains(value); };
  if (outcome.rows() > 0 && std::none_of(outcome.values.begin(), outcome.values.end(), inside))
    throw InputError(interval + " holds no row of the data" + range_seen(outcome));
  return target;
}

bool Target::contains(double value) const {
  if (numeric()) return low_ <= value && value <= high_;
  return value >= 0 && value < static_cast<double>(wanted_.size()) && wanted_[static_cast<std::size_t>(value)] != 0;
}

std::vector<std::uint8_t> Target::mark(std::span<const double> values) const {
  std::vector<std::uint8_t> marks(values.size());
  std::transform(values.begin(), values.end(), marks.begin(), [&](double value) { return contains(value) ? 1 : 0; });
  return marks;
}

std::vector<std::string> Target::names() const {
  if (numeric()) return {interval_text(low_, high_)};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < classes_.size(); ++i)
    if (wanted_[i]) names.push_back(classes_[i]);
  return names;
}

}  // namespace cfrules
