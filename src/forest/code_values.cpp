#include "forest/code_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace cfrules {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Positions that are known, code by code; begins: where each code's begin, and the end.
struct PositionsByCode {
  std::vector<double> positions;
  std::vector<std::size_t> begins;

  PositionsByCode(const Grid& grid, const Table& rows, std::size_t feature) : begins(grid.last_code(feature) + 2u, 0) {
    std::vector<Code> codes;
    for (const double value : rows.column(feature)) {
      codes.push_back(grid.code(feature, value));
      if (codes.back() != kMissing) ++begins[codes.back() + 1u];
    }
    for (std::size_t code = 1; code < begins.size(); ++code) begins[code] += begins[code - 1];
    positions.resize(begins.back());
    std::vector<std::size_t> next = begins;
    for (std::size_t row = 0; row < codes.size(); ++row)
      if (codes[row] != kMissing) positions[next[codes[row]]++] = grid.position(feature, rows.value(row, feature));
  }
};

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
    PositionsByCode known(grid, rows, feature);
    const std::vector<double>& cuts = grid.axis(feature).cuts;
    codes_[feature].push_back({kNone, kNone, kNone, rows.rows() - known.positions.size()});
    for (Code code = 1; code <= grid.last_code(feature); ++code) {
      const auto begin = known.positions.begin() + static_cast<std::ptrdiff_t>(known.begins[code]);
      const auto end = known.positions.begin() + static_cast<std::ptrdiff_t>(known.begins[code + 1u]);
      if (begin == end) {
        codes_[feature].push_back({kNone, inner_position(cuts, code), kNone, 0});
        continue;
      }
      const auto [least, greatest] = std::minmax_element(begin, end);
      const double low = *least, high = *greatest;
      const auto middle = begin + (end - begin - 1) / 2;
      std::nth_element(begin, middle, end);
      codes_[feature].push_back({low, *middle, high, static_cast<std::size_t>(end - begin)});
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
