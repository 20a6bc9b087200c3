#include "forest/grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/bisect.h"
#include "base/parallel.h"

namespace cfrules {

double Grid::position(std::size_t feature, double value) const {
  const std::vector<std::uint32_t>& places = axes_[feature].position;
  if (places.empty() || std::isnan(value)) return value;
  assert(value >= 0 && value < static_cast<double>(places.size()));
  return places[static_cast<std::size_t>(value)];
}

Code Grid::code_of_position(std::size_t feature, double position) const {
  if (std::isnan(position)) return kMissing;
  return static_cast<Code>(1 + count_below(axes_[feature].cuts, position));
}

std::vector<Code> Grid::codes(std::span<const double> row) const {
  assert(row.size() == features());
  std::vector<Code> result(row.size());
  for (std::size_t feature = 0; feature < row.size(); ++feature) result[feature] = code(feature, row[feature]);
  return result;
}

CodeMatrix Grid::codes(const Table& table, const Run& run) const {
  assert(table.features() == features());
  constexpr std::size_t kBlock = 1024;  // rows whose codes stay in the first cache while all columns are written
  CodeMatrix matrix{table.rows(), features(), std::vector<Code>(table.rows() * features())};
  parallel_for((matrix.rows + kBlock - 1) / kBlock, {run.threads, run.stop, {}}, [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(matrix.rows, begin + kBlock);
    for (std::size_t feature = 0; feature < features(); ++feature) {
      const std::span<const double> column = table.column(feature);
      for (std::size_t row = begin; row < end; ++row)
        matrix.codes[row * features() + feature] = code(feature, column[row]);
    }
  });
  return matrix;
}

Grid::ValueRange Grid::values(std::size_t feature, Interval side) const {
  assert(side.low >= 1 && side.low <= side.high);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double>& cuts = axes_[feature].cuts;
  return {side.low == 1 ? -kInfinity : cuts[side.low - 2u],
          side.high >= last_code(feature) ? kInfinity : cuts[side.high - 1u]};
}

std::vector<std::uint32_t> Grid::categories(std::size_t feature, Interval side) const {
  const std::vector<std::uint32_t>& places = axes_[feature].position;
  std::vector<std::uint32_t> ordered(places.size());
  for (std::uint32_t category = 0; category < places.size(); ++category) ordered[places[category]] = category;
  std::erase_if(ordered,
                [&](std::uint32_t category) { return !side.contains(code_of_position(feature, places[category])); });
  return ordered;
}

}  // namespace cfrules
