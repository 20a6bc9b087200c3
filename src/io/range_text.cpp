#include "io/range_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/decimal.h"
#include "cfrules/write.h"
#include "io/number_text.h"

namespace cfrules {
namespace {

struct Decimal {
  double value;
  std::size_t letters;
};

Decimal shortest_single(float single) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, single).ptr;
  Decimal decimal{single, static_cast<std::size_t>(end - buffer)};
  std::from_chars(buffer, end, decimal.value);
  return decimal;
}

struct Single {
  double value;
  bool above;  // the neighbour above the cut: it lies on the other side
};

// Nothing unless the cut is halfway between two singles.
std::optional<Single> single_at(double cut) {
  using Limits = std::numeric_limits<float>;
  if (!halfway_between_singles(cut)) return std::nullopt;
  auto below = static_cast<float>(cut);
  if (static_cast<double>(below) > cut) below = std::nextafter(below, -Limits::infinity());
  const Decimal under = shortest_single(below);
  const Decimal over = shortest_single(std::nextafter(below, Limits::infinity()));
  return over.letters < under.letters ? Single{over.value, true} : Single{under.value, false};
}

std::string names_text(const std::vector<std::string>& values) {
  if (values.empty()) return "no value";
  if (values.size() == 1) return values.front();
  std::string text = "one of {";
  for (std::size_t i = 0; i < values.size(); ++i) text.append(i > 0 ? ", " : "").append(values[i]);
  return text + "}";
}

// Among whole numbers "above 23.5" is "at least 24": every side becomes closed.
Condition closed_integers(Condition side) {
  if (std::isfinite(side.low)) side.low = side.low_closed ? std::ceil(side.low) : std::floor(side.low) + 1;
  if (std::isfinite(side.high)) side.high = side.high_closed ? std::floor(side.high) : std::ceil(side.high) - 1;
  side.low_closed = side.high_closed = true;
  return side;
}

bool bounded(const Condition& side) { return std::isfinite(side.low) && std::isfinite(side.high); }

bool single_value(const Condition& side) { return side.low == side.high && side.low_closed && side.high_closed; }

std::string number_range(const Condition& side) {
  if (bounded(side) && single_value(side)) return "exactly " + grouped(side.low);
  if (bounded(side)) {
    return (side.low_closed ? "[" : "(") + grouped(side.low) + ", " + grouped(side.high) +
           (side.high_closed ? "]" : ")");
  }
  if (std::isfinite(side.low)) return (side.low_closed ? "at least " : "above ") + grouped(side.low);
  if (std::isfinite(side.high)) return (side.high_closed ? "at most " : "below ") + grouped(side.high);
  return "any value";
}

bool is_bracket(const std::string& range) { return range.starts_with('[') || range.starts_with('('); }

}  // namespace

bool has_names(Kind kind) { return kind == Kind::category || kind == Kind::boolean; }

Condition as_printed(Condition condition) {
  if (const auto low = single_at(condition.low)) {
    condition.low = low->value;
    condition.low_closed = low->above;
  }
  if (const auto high = single_at(condition.high)) {
    condition.high = high->value;
    condition.high_closed = !high->above;
  }
  return condition;
}

std::string range_text(const Condition& condition) {
  if (has_names(condition.kind)) return names_text(condition.values);
  return number_range(condition.kind == Kind::integer ? closed_integers(condition) : as_printed(condition));
}

std::string into_range(const Condition& condition) {
  const std::string range = range_text(condition);
  return (!has_names(condition.kind) && is_bracket(range) ? "into " : "to ") + range;
}

std::string stated_condition(const Condition& condition) {
  const std::string range = range_text(condition);
  if (has_names(condition.kind)) return condition.feature + " is " + range;
  return condition.feature + (is_bracket(range) ? " in " : " ") + range;
}

std::string group_text(const SummaryGroup& group, const std::string& feature) {
  return group.who ? stated_condition(*group.who) : feature + " is missing";
}

}  // namespace cfrules
