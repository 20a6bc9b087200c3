// Rows set aside at random from the rest, the same for the same stream.
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "base/random.h"

namespace cfrules {

class RowSplit {
 public:
  RowSplit(std::size_t rows, std::size_t aside, RandomStream random) : order_(rows), aside_(aside) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    random.shuffle(std::span(order_));
  }

  [[nodiscard]] std::span<const std::size_t> aside() const { return std::span(order_).first(aside_); }
  [[nodiscard]] std::span<const std::size_t> rest() const { return std::span(order_).subspan(aside_); }

 private:
  std::vector<std::size_t> order_;
  std::size_t aside_;
};

// Of values, one per row; none if there are none.
[[nodiscard]] inline std::vector<double> taken(std::span<const double> values, std::span<const std::size_t> rows) {
  std::vector<double> some;
  if (values.empty()) return some;
  for (const std::size_t row : rows) some.push_back(values[row]);
  return some;
}

// Those whose value is known.
[[nodiscard]] inline std::vector<std::size_t> known_rows(std::span<const double> values) {
  std::vector<std::size_t> known;
  for (std::size_t row = 0; row < values.size(); ++row)
    if (!std::isnan(values[row])) known.push_back(row);
  return known;
}

}  // namespace cfrules
