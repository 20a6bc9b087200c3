// Steps a value may take: origin + k * step.
#pragma once

#include <limits>
#include <optional>

namespace cfrules {

// A range of values; infinite where open-ended.
struct ValueSide {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_closed = false;
  bool high_closed = false;

  [[nodiscard]] bool contains(double value) const {  // NaN: never
    return (low_closed ? value >= low : value > low) && (high_closed ? value <= high : value < high);
  }
};

// What lies in both.
[[nodiscard]] ValueSide intersect(const ValueSide& one, const ValueSide& other);

struct Lattice {
  double origin = 0;
  double step = 1;  // > 0

  // Up to rounding: 0.3 lies on the lattice of step 0.1.
  [[nodiscard]] bool contains(double value) const;
  // The lattice value inside the side that is nearest to the target (the lower of two); none if the side holds none.
  [[nodiscard]] std::optional<double> nearest(double target, const ValueSide& side) const;

 private:
  [[nodiscard]] double at(double index) const;
};

}  // namespace cfrules
