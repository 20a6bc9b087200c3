// What a change costs (AReS): another category or truth value 1, a number the share of ten equal-frequency bins of the
// training rows it crosses, so that crossing the whole range costs about as much as a category.
#pragma once

#include <cstddef>
#include <vector>

#include "cfrules/run.h"
#include "cfrules/table.h"

namespace cfrules {

class CostScale {
 public:
  explicit CostScale(const Table& rows, const Run& run = {});

  // Unweighted; both values as in Table. From or to missing counts 1.
  [[nodiscard]] double change(std::size_t feature, double from, double to) const;

 private:
  static constexpr std::size_t kBins = 10;

  // Inner borders: a value is in the bin above every border below it. A value held by many rows is several borders, so
  // that leaving it costs as much as the people who share it. Empty: any change costs 1.
  std::vector<std::vector<double>> borders_;
};

}  // namespace cfrules
