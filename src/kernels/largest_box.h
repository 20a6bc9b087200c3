// The largest box of a grid that holds no blocked cell and whose gain is not negative. Arrays in, box out.
//
// In: cells of a grid in row-major order (last axis fastest), each with a mass >= 0, a gain (any sign) and a blocked flag.
// Out: the box with the largest total mass among boxes without blocked cells and (where gains matter) with total gain >= 0.
// One axis is linear; two axes are linear in the cells without gains and cubic with them; further axes multiply by the
// number of intervals on each. Beyond work_limit cells touched, the best box so far comes back with optimal = false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cfrules {

struct BoxProblem {
  std::vector<std::size_t> shape;
  std::span<const double> mass;
  std::span<const double> gain;  // empty: gains do not matter
  std::span<const std::uint8_t> blocked;
  std::size_t work_limit = 0;  // 0: none
  double beat = 0;             // only boxes heavier than this are of interest
};

struct IndexRange {
  std::size_t first = 0;
  std::size_t last = 0;  // inclusive
  bool operator==(const IndexRange&) const = default;
};

struct BoxAnswer {
  bool found = false;
  std::vector<IndexRange> sides;
  double mass = 0;
  bool optimal = true;
};

[[nodiscard]] BoxAnswer largest_box(const BoxProblem& problem);

}  // namespace cfrules
