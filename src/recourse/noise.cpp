#include "recourse/noise.h"

#include <array>
#include <cmath>
#include <numbers>

#include "base/decimal.h"
#include "cfrules/error.h"

namespace cfrules {

namespace {

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

void check(const RecourseOptions& options, std::size_t features) {
  if (options.noise.size() > 1 && options.noise.size() != features)
    throw InputError("noise has " + std::to_string(options.noise.size()) + " standard deviations; give one number or " +
                     std::to_string(features) + ", one per feature");
  for (const double deviation : options.noise)
    if (deviation < 0 || std::isinf(deviation))
      throw InputError("noise is " + shortest_decimal(deviation) + "; a standard deviation is finite and at least 0");
  if (std::isnan(options.max_invalid)) return;
  if (options.noise.empty())
    throw InputError("a limit of " + shortest_decimal(options.max_invalid) +
                     " on points that leave their rule needs noise; give its standard deviation");
  if (options.max_invalid < 0 || options.max_invalid > 1)
    throw InputError("the limit on points that leave their rule is " + shortest_decimal(options.max_invalid) +
                     "; it lies between 0 and 1");
}

}  // namespace

Noise::Noise(const RecourseOptions& options, const Schema& schema, const Grid& grid, const CodeValues& values)
    : asked_(!options.noise.empty()), max_invalid_(options.max_invalid), deviations_(schema.size(), 0.0) {
  check(options, schema.size());
  for (std::size_t feature = 0; asked_ && feature < schema.size(); ++feature) {
    if (schema[feature].kind == Kind::category || schema[feature].kind == Kind::boolean) continue;
    const bool share = options.noise.size() == 1;
    const Interval all = grid.all_values(feature);
    const double range = values.greatest_within(feature, all) - values.least_within(feature, all);
    const double deviation = share ? options.noise.front() * range : options.noise[feature];
    deviations_[feature] = std::isnan(deviation) ? 0.0 : deviation;
  }
}

double Noise::stays_in_box(std::span<const Condition> conditions, std::span<const double> values) const {
  if (!asked_) return kUnknown;
  double stays = 1;
  for (std::size_t place = 0; place < conditions.size(); ++place) {
    const Condition& condition = conditions[place];
    const double deviation = deviations_[condition.index];
    if (deviation == 0) continue;
    stays *= normal_below((condition.high - values[place]) / deviation) -
             normal_below((condition.low - values[place]) / deviation);
  }
  return stays;
}

double missed_by(int mishap, std::size_t place) {
  constexpr int kAll = 2 * kMishaps + 1;
  constexpr int kStride = 4;  // its powers up to the fourth keep the points of any two features far apart
  // Quantiles of the normal law at the middles of kAll equal parts, from the median up.
  constexpr std::array kQuantiles = {0.0,      0.109200, 0.219723, 0.333005, 0.450744, 0.575109,
                                     0.709103, 0.857254, 1.027154, 1.233495, 1.512390, 2.019086};
  for (; place > 0; --place) mishap = mishap * kStride % kAll;
  if (mishap > kMishaps) mishap -= kAll;
  if (mishap < -kMishaps) mishap += kAll;
  return mishap < 0 ? -kQuantiles[static_cast<std::size_t>(-mishap)] : kQuantiles[static_cast<std::size_t>(mishap)];
}

bool Noise::accepts(double stays_in_box) const { return !limited() || 1 - stays_in_box <= max_invalid_; }

}  // namespace cfrules
