#include "region/cell_counter.h"

namespace cfrules {

void CellCounter::find_box(const LevelBounds& bounds, std::size_t level, std::span<const std::size_t> open) {
  box_.clear();
  std::size_t next_open = 0;
  for (std::size_t feature = 0; feature < bounds.features; ++feature) {
    if (next_open < open.size() && open[next_open] == feature) {
      ++next_open;
      continue;
    }
    const Interval side = bounds.side(level, feature);
    if (side.low > 0 || side.high < kTop) box_.push_back({feature, side});
  }
}

CountedCell CellCounter::deepest(const LevelBounds& bounds, std::span<const std::size_t> open, const RowMarks& members,
                                 const RowMarks& marks, std::size_t min_rows) {
  const auto count = [&](std::size_t level) {
    find_box(bounds, level, open);
    return CountedCell{level, blocks_.count(box_, members, marks, scratch_)};
  };
  const std::size_t deepest = bounds.levels() - 1;
  CountedCell cell = count(std::min(last_level_, deepest));
  if (cell.rows.all < min_rows) {
    while (cell.level > 0 && cell.rows.all < min_rows) {
      std::size_t level = cell.level;
      while (level > 1 && bounds.same_as_above(level)) --level;
      cell = count(level - 1);
    }
  } else {
    for (std::size_t level = cell.level + 1; level <= deepest; ++level) {
      if (bounds.same_as_above(level)) {
        cell.level = level;
        continue;
      }
      const CountedCell deeper = count(level);
      if (deeper.rows.all < min_rows) break;
      cell = deeper;
    }
  }
  last_level_ = cell.level;
  return cell;
}

}  // namespace cfrules
