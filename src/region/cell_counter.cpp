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

BitCounts CellCounter::count_box(const RowMarks& members, const RowMarks& marks) {
  box_.clear();
  for (std::size_t feature = 0; 2 * feature < key_.size(); ++feature)
    if (key_[2 * feature] != 0 || key_[2 * feature + 1] != 0)
      box_.push_back({feature, {key_[2 * feature], static_cast<Code>(kTop - key_[2 * feature + 1])}});
  return blocks_.count(box_, members, marks, scratch_);
}

BitCounts CellCounter::count(std::span<const std::uint16_t> tight, std::span<const std::size_t> open,
                             const RowMarks& members, const RowMarks& marks) {
  key_.assign(tight.begin(), tight.end());
  for (const std::size_t feature : open) key_[2 * feature] = key_[2 * feature + 1] = 0;
  if (round_ == 0) return count_box(members, marks);
  const std::uint64_t hash = hash_of(key_);
  Known& known = known_[hash % known_.size()];
  if (known.round == round_ && known.hash == hash &&
      std::equal(key_.begin(), key_.end(), keys_.begin() + static_cast<std::ptrdiff_t>(known.key)))
    return known.rows;
  known = {hash, round_, keys_.size(), count_box(members, marks)};
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  return known.rows;
}

CountedCell CellCounter::deepest(const LevelBounds& bounds, std::span<const std::size_t> open, const RowMarks& members,
                                 const RowMarks& marks, std::size_t min_rows) {
  const auto at = [&](std::size_t level) {
    return CountedCell{level, count(bounds.level(level), open, members, marks)};
  };
  const std::size_t deepest = bounds.levels() - 1;
  CountedCell cell = at(std::min(last_level_, deepest));
  if (cell.rows.all < min_rows) {
    while (cell.level > 0 && cell.rows.all < min_rows) {
      std::size_t level = cell.level;
      while (level > 1 && bounds.same_as_above(level)) --level;
      cell = at(level - 1);
    }
  } else {
    for (std::size_t level = cell.level + 1; level <= deepest; ++level) {
      if (bounds.same_as_above(level)) {
        cell.level = level;
        continue;
      }
      const CountedCell deeper = at(level);
      if (deeper.rows.all < min_rows) break;
      cell = deeper;
    }
  }
  last_level_ = cell.level;
  return cell;
}

}  // namespace cfrules
