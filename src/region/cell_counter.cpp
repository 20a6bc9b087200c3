#include "region/cell_counter.h"

#include <algorithm>
#include <cstring>

namespace cfrules {

namespace {

std::uint64_t hash_of(std::span<const std::uint16_t> numbers) {
  std::uint64_t hash = 0x9E3779B97F4A7C15u;
  for (std::size_t at = 0; at < numbers.size(); at += 4) {
    std::uint64_t part = 0;
    std::memcpy(&part, numbers.data() + at, std::min<std::size_t>(4, numbers.size() - at) * sizeof(std::uint16_t));
    hash = (hash ^ part) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

void CellCounter::remember() {
  constexpr std::size_t kPlaces = 1024;
  known_.resize(kPlaces);
  keys_.clear();
  ++round_;
}

BitCounts CellCounter::count_box(const Cells& cells, std::size_t level) {
  box_.clear();
  for (std::size_t feature = 0; 2 * feature < key_.size(); ++feature)
    if (key_[2 * feature] != 0 || key_[2 * feature + 1] != 0)
      box_.push_back({feature, {key_[2 * feature], static_cast<Code>(kTop - key_[2 * feature + 1])}});
  const bool inside = counted_level_ <= level;
  counted_level_ = level;
  return inside ? blocks_.count_inside(box_, cells.members, cells.marks, scratch_)
                : blocks_.count(box_, cells.members, cells.marks, scratch_);
}

CountedCell CellCounter::count(const Cells& cells, std::size_t level) {
  const std::span<const std::uint16_t> tight = cells.bounds.level(level);
  key_.assign(tight.begin(), tight.end());
  for (const std::size_t feature : cells.open) key_[2 * feature] = key_[2 * feature + 1] = 0;
  if (round_ == 0) return {level, count_box(cells, level)};
  const std::uint64_t hash = hash_of(key_);
  Known& known = known_[hash % known_.size()];
  if (known.round == round_ && known.hash == hash &&
      std::equal(key_.begin(), key_.end(), keys_.begin() + static_cast<std::ptrdiff_t>(known.key)))
    return {level, known.rows};
  known = {hash, round_, keys_.size(), count_box(cells, level)};
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  return {level, known.rows};
}

// Up in growing steps until there are enough rows, then down one by one, which costs little: few blocks are left.
CountedCell CellCounter::deepest(const LevelBounds& bounds, std::span<const std::size_t> open, const RowMarks& members,
                                 const RowMarks& marks, std::size_t min_rows) {
  const Cells cells{bounds, open, members, marks};
  counted_level_ = kTop;
  std::size_t end = bounds.levels();  // from here on there are too few
  CountedCell cell = count(cells, std::min(last_level_, end - 1));
  for (std::size_t step = 1; cell.level > 0 && cell.rows.all < min_rows; step *= 2) {
    end = cell.level;
    cell = count(cells, end - std::min(end, step));
  }
  if (cell.rows.all >= min_rows) {
    for (std::size_t level = cell.level + 1; level < end; ++level) {
      if (bounds.same_as_above(level)) {
        cell.level = level;
        continue;
      }
      const CountedCell deeper = count(cells, level);
      if (deeper.rows.all < min_rows) break;
      cell = deeper;
    }
  }
  last_level_ = cell.level;
  return cell;
}

}  // namespace cfrules
