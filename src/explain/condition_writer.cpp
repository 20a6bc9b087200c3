#include "explain/condition_writer.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"

namespace cfrules {

Cell cell_of(const Feature& feature, double value) {
  Cell cell{value, {}};
  const bool named = feature.kind == Kind::category || feature.kind == Kind::boolean;
  if (!std::isnan(value) && named) cell.name = text_of(feature, value);
  return cell;
}

namespace {

constexpr std::size_t kManyDigits = 9;  // more than a single-precision number prints with

bool long_cut(double cut) {
  return std::isfinite(cut) && digits_of(cut) > kManyDigits && !halfway_between_singles(cut);
}

// No training value changes sides, nor does the person's own.
void shorten(Condition& condition, const Grid& grid, const CodeValues& seen, Code own) {
  const Interval side = condition.codes;
  if (long_cut(condition.low)) {
    const double least = seen.least(condition.index, side.low);
    double end = std::isnan(least) ? grid.values(condition.index, {side.low, side.low}).high : least;
    if (own == side.low) end = std::min(end, condition.from.value);
    if (const auto shorter = short_number_up(condition.low, end, true)) {
      condition.low = *shorter;
      condition.low_closed = true;
    }
  }
  if (long_cut(condition.high)) {
    const double greatest = seen.greatest(condition.index, side.high);
    const double below = grid.values(condition.index, {side.high, side.high}).low;
    double end = std::isnan(greatest) ? std::nextafter(below, condition.high) : greatest;
    if (own == side.high) end = std::max(end, condition.from.value);
    if (const auto shorter = short_number_up(-condition.high, -end, false)) condition.high = 0 - *shorter;
  }
}

}  // namespace

Condition condition_of(const Schema& schema, const Grid& grid, std::size_t feature, Interval side, double from,
                       const CodeValues& seen) {
  const Feature& about = schema[feature];
  Condition condition;
  condition.index = feature;
  condition.feature = about.name;
  condition.kind = about.kind;
  condition.from = cell_of(about, from);
  condition.codes = side;
  if (about.kind == Kind::category) {
    for (const std::uint32_t category : grid.categories(feature, side))
      condition.values.push_back(about.categories[category]);
    return condition;
  }
  const Grid::ValueRange range = grid.values(feature, side);
  if (about.kind == Kind::boolean) {
    for (std::size_t value = 0; value < 2; ++value)
      if (range.low < static_cast<double>(value) && static_cast<double>(value) <= range.high)
        condition.values.push_back(text_of(about, static_cast<double>(value)));
    return condition;
  }
  condition.low = range.low;
  condition.high = range.high;
  condition.high_closed = std::isfinite(range.high);
  if (about.kind == Kind::integer) {  // (23.5, 48.5] is 24 to 48
    if (std::isfinite(range.low)) condition.low = std::floor(range.low) + 1;
    condition.low_closed = std::isfinite(range.low);
    if (std::isfinite(range.high)) condition.high = std::floor(range.high);
  } else {
    shorten(condition, grid, seen, grid.code(feature, from));
  }
  return condition;
}

}  // namespace cfrules
