#include "explain/condition_writer.h"

#include <cmath>

namespace cfrules {

Cell cell_of(const Feature& feature, double value) {
  Cell cell{value, {}};
  if (!std::isnan(value) && !feature.categories.empty()) cell.name = feature.categories[static_cast<std::size_t>(value)];
  return cell;
}

Condition condition_of(const Schema& schema, const Grid& grid, std::size_t feature, Interval side, double from) {
  const Feature& about = schema[feature];
  Condition condition;
  condition.index = feature;
  condition.feature = about.name;
  condition.kind = about.kind;
  condition.from = cell_of(about, from);
  condition.codes = side;
  if (about.kind == Kind::category) {
    for (const std::uint32_t category : grid.categories(feature, side)) condition.values.push_back(about.categories[category]);
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
  }
  return condition;
}

}  // namespace cfrules
