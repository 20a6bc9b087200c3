// How far two people are apart, feature by feature: numbers in standard deviations, names apart by 1; missing is as far
// from a value as two names.
#pragma once

#include <cstddef>
#include <vector>

#include "cfrules/table.h"

namespace cfrules {

class RowDistance {
 public:
  explicit RowDistance(const Table& rows);  // for their spread

  [[nodiscard]] double squared(std::size_t feature, double one, double other) const;

 private:
  std::vector<double> scale_;  // 1 over the standard deviation; NaN: names
};

}  // namespace cfrules
