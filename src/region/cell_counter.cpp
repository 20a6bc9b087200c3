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

// Of the box in question, or what it has that the held one has not. Nothing predicts which features have a side.
std::span<const CodeSide> CellCounter::read_sides(bool held) {
  sides_.resize(key_.size() / 2 + 1);
  held_.resize(key_.size());
  std::size_t count = 0;
  for (std::size_t at = 0; at < key_.size(); at += 2) {
    const std::uint16_t low = held && key_[at] == held_[at] ? 0 : key_[at];
    const std::uint16_t high = held && key_[at + 1] == held_[at + 1] ? 0 : key_[at + 1];
    sides_[count] = {at / 2, {low, static_cast<Code>(kTop - high)}};
    count += (low | high) != 0 ? 1 : 0;
  }
  return std::span(sides_).first(count);
}

BitCounts CellCounter::count_box(std::size_t level, const CellQuestion& question) {
  const bool inside = held_level_ <= level;
  const std::span<const CodeSide> sides = read_sides(inside);
  if (inside && sides.empty()) {
    held_level_ = level;
    return held_rows_;
  }
  const BitCounts rows = inside ? blocks_.narrow(sides, question.marks, scratch_)
                                : blocks_.count(sides, question.members, question.marks, scratch_);
  if (inside && rows.all < question.min_rows) return rows;
  if (inside) scratch_.accept_narrower();
  std::swap(held_, key_);
  held_level_ = level;
  return held_rows_ = rows;
}

// Of the box in question.
CountedCell CellCounter::count(std::size_t level, const CellQuestion& question) {
  if (round_ == 0) return {level, count_box(level, question)};
  const std::uint64_t hash = hash_of(key_);
  Known& known = known_[hash % known_.size()];
  if (known.round == round_ && known.hash == hash &&
      std::equal(key_.begin(), key_.end(), keys_.begin() + static_cast<std::ptrdiff_t>(known.key)))
    return {level, known.rows};
  const std::size_t begin = keys_.size();
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  known = {hash, round_, begin, count_box(level, question)};
  return {level, known.rows};
}

}  // namespace cfrules
