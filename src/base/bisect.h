// Where a value lies in a sorted list.
#pragma once

#include <cstddef>
#include <vector>

namespace cfrules {

// How many numbers of an ascending list are below this one, by bisection without a branch: where a value lies cannot be
// predicted.
template <class Number>
[[nodiscard]] std::size_t count_below(const std::vector<Number>& ascending, Number value) {
  const Number* first = ascending.data();
  for (std::size_t length = ascending.size(); length > 0;) {
    const std::size_t half = (length + 1) / 2;
    first += half * static_cast<std::size_t>(first[half - 1] < value);
    length -= half;
  }
  return static_cast<std::size_t>(first - ascending.data());
}

}  // namespace cfrules
