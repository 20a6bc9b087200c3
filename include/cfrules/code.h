// The engine's integer world: a value is a small integer, a side of a region is a pair of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cfrules {

// code(v) = 1 + number of cuts < v; 0 is missing, below every value. So v <= cut k  <=>  code(v) <= k + 1.
using Code = std::uint16_t;

inline constexpr Code kMissing = 0;

// Closed interval of codes.
struct Interval {
  Code low = 0;
  Code high = 0;

  [[nodiscard]] bool contains(Code code) const { return low <= code && code <= high; }
  bool operator==(const Interval&) const = default;
};

}  // namespace cfrules
