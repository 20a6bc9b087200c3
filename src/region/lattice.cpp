#include "region/lattice.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cfrules {

ValueSide intersect(const ValueSide& one, const ValueSide& other) {
  ValueSide both = one;
  if (other.low > one.low || (other.low == one.low && !other.low_closed)) {
    both.low = other.low;
    both.low_closed = other.low_closed;
  }
  if (other.high < one.high || (other.high == one.high && !other.high_closed)) {
    both.high = other.high;
    both.high_closed = other.high_closed;
  }
  return both;
}

// Fifteen digits are what a person writes: three steps of 0.1 are 0.3, not 0.30000000000000004.
double Lattice::at(double index) const {
  char buffer[40];
  const double exact = origin + index * step;
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, exact, std::chars_format::scientific, 14).ptr;
  double rounded = exact;
  std::from_chars(buffer, end, rounded);
  return rounded;
}

bool Lattice::contains(double value) const {
  const double nearest_value = origin + std::round((value - origin) / step) * step;
  const double rounding = 1e-9 * step + 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
  return std::abs(nearest_value - value) <= rounding;
}

std::optional<double> Lattice::nearest(double target, const ValueSide& side) const {
  const double inside = std::clamp(target, side.low, std::max(side.low, side.high));
  if (!std::isfinite(inside)) return std::nullopt;
  const double index = std::floor((inside - origin) / step);
  std::optional<double> best;
  // Open sides and rounding can push the answer one or two steps away from where division puts it.
  for (double offset = -2; offset <= 3; ++offset) {
    const double value = at(index + offset);
    if (side.contains(value) && (!best || std::abs(value - inside) < std::abs(*best - inside))) best = value;
  }
  return best;
}

}  // namespace cfrules
