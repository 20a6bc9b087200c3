// The bounds that walks put on the cell of one tree, level by level.
//
// A bound is kept as how tight it is: its low end, and kTop minus its high end. Tighter is larger, nothing is zero, and
// what two walks say together is the larger of each number. Level L holds the bounds of splits above depth L.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/code.h"
#include "kernels/bits.h"

namespace cfrules {

inline constexpr Code kTop = 0xFFFF;

// One level after the other, two numbers a feature. Someone else's memory.
struct LevelBounds {
  std::span<std::uint16_t> tight;
  std::size_t features = 0;

  [[nodiscard]] std::size_t levels() const { return tight.size() / (2 * features); }
  [[nodiscard]] std::span<std::uint16_t> level(std::size_t level) const {
    return tight.subspan(level * 2 * features, 2 * features);
  }

  void add(std::size_t level_index, std::size_t feature, Interval codes) const {
    const std::span<std::uint16_t> at = level(level_index).subspan(2 * feature, 2);
    at[0] = std::max(at[0], codes.low);
    at[1] = std::max(at[1], static_cast<std::uint16_t>(kTop - codes.high));
  }
  [[nodiscard]] Interval side(std::size_t level_index, std::size_t feature) const {
    const std::span<std::uint16_t> at = level(level_index).subspan(2 * feature, 2);
    return {at[0], static_cast<Code>(kTop - at[1])};
  }
  void copy(std::size_t level_index, std::vector<std::uint16_t>& to) const {
    const std::span<const std::uint16_t> from = level(level_index);
    to.assign(from.begin(), from.end());
  }
  // Whether there is such a level.
  [[nodiscard]] bool reach(std::size_t level_index) const { return level_index < levels(); }
  // Every level gets the bounds of the levels above it.
  void settle() const {
    for (std::size_t below = 1; below < levels(); ++below) raise_to(level(below), level(below - 1));
  }
  void meet(const LevelBounds& other) const { raise_to(tight, other.tight); }
};

}  // namespace cfrules
