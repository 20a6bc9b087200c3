// Numbers in fixed point: sums of them are exact, so they do not depend on the order of their parts.
#pragma once

#include <cmath>
#include <cstdint>

namespace cfrules {

// 44 binary places: a sum over 2^16 trees still fits, and rounding is below 1e-13.
using Fixed = std::int64_t;
inline constexpr double kFixedOne = 17592186044416.0;
[[nodiscard]] inline Fixed to_fixed(double value) { return static_cast<Fixed>(std::llround(value * kFixedOne)); }
[[nodiscard]] inline double from_fixed(Fixed value) { return static_cast<double>(value) / kFixedOne; }

}  // namespace cfrules
