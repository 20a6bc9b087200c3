#include "data/row_distance.h"

#include <cmath>
#include <limits>

namespace cfrules {

namespace {

double one_over_spread(std::span<const double> column) {
  double count = 0, mean = 0, spread = 0;
  for (const double value : column) {
    if (std::isnan(value)) continue;
    ++count;
    const double step = value - mean;
    mean += step / count;
    spread += step * (value - mean);
  }
  return spread > 0 ? std::sqrt(count / spread) : 0.0;
}

}  // namespace

RowDistance::RowDistance(const Table& rows) {
  for (std::size_t feature = 0; feature < rows.features(); ++feature)
    scale_.push_back(rows.schema()[feature].kind == Kind::category ? std::numeric_limits<double>::quiet_NaN()
                                                                   : one_over_spread(rows.column(feature)));
}

double RowDistance::squared(std::size_t feature, double one, double other) const {
  if (std::isnan(one) || std::isnan(other)) return std::isnan(one) != std::isnan(other) ? 1.0 : 0.0;
  if (std::isnan(scale_[feature])) return one != other ? 1.0 : 0.0;
  const double steps = (one - other) * scale_[feature];
  return steps * steps;
}

}  // namespace cfrules
