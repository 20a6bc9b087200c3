#include "data/recombined_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "data/row_distance.h"

namespace cfrules {

namespace {

constexpr std::size_t kNeighbours = 5;
constexpr std::size_t kMostSwapped = 3;
constexpr std::size_t kPool = 5000;  // neighbours are looked for among so many rows

using Neighbours = std::array<std::uint32_t, kNeighbours + 1>;  // the row itself first

Neighbours nearest(const Table& rows, const RowDistance& distance_of, std::size_t row,
                   std::span<const std::uint32_t> pool) {
  std::array<std::pair<double, std::uint32_t>, kNeighbours> best;
  best.fill({std::numeric_limits<double>::infinity(), static_cast<std::uint32_t>(row)});
  for (const std::uint32_t other : pool) {
    if (other == row) continue;
    const double give_up = best.back().first;
    double distance = 0;
    for (std::size_t feature = 0; feature < rows.features() && distance < give_up; ++feature)
      distance += distance_of.squared(feature, rows.value(row, feature), rows.value(other, feature));
    if (!(distance < best.back().first)) continue;
    std::size_t place = kNeighbours - 1;
    for (; place > 0 && distance < best[place - 1].first; --place) best[place] = best[place - 1];
    best[place] = {distance, other};
  }
  Neighbours neighbours{static_cast<std::uint32_t>(row)};
  std::transform(best.begin(), best.end(), neighbours.begin() + 1, [](const auto& one) { return one.second; });
  return neighbours;
}

// So many different numbers below n, in random order.
std::vector<std::uint32_t> draw(std::size_t n, std::size_t count, RandomStream random) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  if (count >= n) return all;
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(n - i)]);
  all.resize(count);
  return all;
}

std::vector<double> make_row(const Table& rows, const Neighbours& sources, const Recombination& how, std::size_t id) {
  RandomStream random(how.seed, Purpose::generated_rows, id + 2);
  std::vector<double> made(rows.features());
  for (std::size_t feature = 0; feature < made.size(); ++feature)
    made[feature] = rows.value(sources[random.below(sources.size())], feature);
  if (how.swapped.empty()) return made;
  const std::size_t donor = random.below(rows.rows());
  std::vector<std::size_t> swapped(how.swapped.begin(), how.swapped.end());
  const std::size_t count = std::min<std::size_t>(swapped.size(), 1 + random.below(kMostSwapped));
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(swapped[i], swapped[i + random.below(swapped.size() - i)]);
    made[swapped[i]] = rows.value(donor, swapped[i]);
  }
  return made;
}

}  // namespace

RecombinedRows recombine(const Table& rows, const Recombination& how, const Run& run) {
  const Run quiet{run.threads, run.stop, {}};
  const std::vector<std::uint32_t> pool = draw(rows.rows(), kPool, RandomStream(how.seed, Purpose::generated_rows, 0));
  const std::vector<std::uint32_t> bases =
      draw(rows.rows(), how.count, RandomStream(how.seed, Purpose::generated_rows, 1));
  const RowDistance distance(rows);
  std::vector<Neighbours> neighbours(bases.size());
  parallel_for(bases.size(), quiet, [&](std::size_t i) { neighbours[i] = nearest(rows, distance, bases[i], pool); });
  std::vector<std::vector<double>> columns(rows.features(), std::vector<double>(how.count));
  RecombinedRows made;
  made.base.resize(how.count);
  parallel_for(how.count, quiet, [&](std::size_t id) {
    const std::size_t base = id % bases.size();
    made.base[id] = bases[base];
    const std::vector<double> row = make_row(rows, neighbours[base], how, id);
    for (std::size_t feature = 0; feature < row.size(); ++feature) columns[feature][id] = row[feature];
  });
  made.rows = Table(rows.schema(), std::move(columns));
  return made;
}

}  // namespace cfrules
