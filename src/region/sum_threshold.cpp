#include "region/sum_threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cfrules {

namespace {

// Probability rises with the raw reading; rounding cannot turn the order of two readings that are this far apart.
constexpr double kClear = 1e-4;

// A z below which the normal curve holds less than this share; by halving, since it is asked once per question.
double normal_quantile(double share) {
  double low = -40;
  double high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < share ? low : high) = middle;
  }
  return low;
}

}  // namespace

SumThreshold::SumThreshold(const TargetForest& forest, double wanted)
    : forest_(forest), wanted_(wanted), always_(wanted <= 0), numeric_(forest.numeric()) {
  const double raw = std::min(1.0, forest.map().least_raw(wanted));
  if (numeric_) {
    // The chance of the interval is at most the chance of either half-line.
    widths_ = raw > 2 * kClear ? forest.map().kappa() * normal_quantile(raw - kClear)
                               : -std::numeric_limits<double>::infinity();
    surely_below_ = std::numeric_limits<Fixed>::min();
    surely_above_ = std::numeric_limits<Fixed>::max();
    if (widths_ > 0) {  // then the mean lies in the interval
      const auto [least, most] = forest.first_sums_in_target();
      surely_below_ = least;
      surely_above_ = most;
    }
    return;
  }
  const auto trees = static_cast<double>(forest.forest().trees.size());
  surely_below_ = to_fixed((raw - kClear) * trees);
  surely_above_ = to_fixed((raw + kClear) * trees);
}

bool SumThreshold::may_reach_interval(LeafSums sums) const {
  if (std::isinf(widths_)) return true;
  const TargetForest::Moments moments = forest_.moments(sums);
  const double room = forest_.room_in_target(moments.mean);
  const double rounding = 1e-14 * moments.mean * moments.mean;  // what it may add to the variance or take
  if (widths_ > 0)
    return room >= 0 && room * room >= widths_ * widths_ * std::max(0.0, moments.variance - rounding);
  return room >= 0 || room * room <= widths_ * widths_ * (moments.variance + rounding);
}

}  // namespace cfrules
