#include "forest/code_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace cfrules {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> sorted_positions(const Grid& grid, const Table& rows, std::size_t feature) {
  std::vector<double> positions;
  positions.reserve(rows.rows());
  for (const double value : rows.column(feature))
    if (!std::isnan(value)) positions.push_back(grid.position(feature, value));
  std::sort(positions.begin(), positions.end());
  return positions;
}

double inner_position(const std::vector<double>& cuts, Code code) {
  if (cuts.empty()) return 0;
  if (code == 1) return cuts.front();
  if (code > cuts.size()) return std::nextafter(cuts.back(), kInfinity);
  const double low = cuts[code - 2];
  const double high = cuts[code - 1];
  const double middle = low / 2 + high / 2;
  return middle > low && middle < high ? middle : high;
}

}  // namespace

CodeValues::CodeValues(const Grid& grid, const Table& rows, const Run& run) : codes_(grid.features()) {
  parallel_for(grid.features(), run, [&](std::size_t feature) {
    const std::vector<double> positions = sorted_positions(grid, rows, feature);
    const std::vector<double>& cuts = grid.axis(feature).cuts;
    codes_[feature].push_back({kNone, kNone, kNone, rows.rows() - positions.size()});
    auto begin = positions.begin();
    for (Code code = 1; code <= grid.last_code(feature); ++code) {
      const double high = code <= cuts.size() ? cuts[code - 1] : kInfinity;
      const auto end = std::upper_bound(begin, positions.end(), high);
      if (begin == end)
        codes_[feature].push_back({kNone, inner_position(cuts, code), kNone, 0});
      else
        codes_[feature].push_back(
            {*begin, *(begin + (end - begin - 1) / 2), *(end - 1), static_cast<std::size_t>(end - begin)});
      begin = end;
    }
  });
}

double CodeValues::least_within(std::size_t feature, Interval side) const {
  for (std::size_t code = std::max<Code>(side.low, 1); code <= side.high; ++code)
    if (codes_[feature][code].count > 0) return codes_[feature][code].least;
  return kNone;
}

double CodeValues::greatest_within(std::size_t feature, Interval side) const {
  for (std::size_t code = side.high; code >= std::max<Code>(side.low, 1); --code)
    if (codes_[feature][code].count > 0) return codes_[feature][code].greatest;
  return kNone;
}

}  // namespace cfrules
