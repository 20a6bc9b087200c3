#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/decimal.h"
#include "base/parallel.h"
#include "forest/category_order.h"
#include "forest/grid.h"

namespace cfrules {
namespace {

struct Distinct {
  double value = 0;
  std::size_t rows = 0;
};

// The distinct values in order, as long as there are at most limit; otherwise nothing, found out after a few rows.
std::vector<Distinct> few_distinct(std::span<const double> column, std::size_t limit) {
  std::vector<Distinct> found;
  for (const double value : column) {
    if (std::isnan(value)) continue;
    const auto at = std::lower_bound(found.begin(), found.end(), value,
                                     [](const Distinct& entry, double wanted) { return entry.value < wanted; });
    if (at != found.end() && at->value == value) {
      ++at->rows;
      continue;
    }
    if (found.size() == limit) return {};
    found.insert(at, {value, 1});
  }
  return found;
}

// Beyond kSortedRows rows, one row of each of kSortedRows equal stretches stands for its stretch: equal-frequency cuts
// need no more. The place within the stretch is scattered, so that data with a period are not seen in one phase only.
std::vector<double> values_to_sort(std::span<const double> column) {
  constexpr std::size_t kSortedRows = 200'000;
  const std::size_t count = std::min(column.size(), kSortedRows);
  std::vector<double> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * column.size() / count;
    const std::size_t width = (i + 1) * column.size() / count - begin;
    const std::size_t scatter = static_cast<std::size_t>(i * 0x9E3779B97F4A7C15u >> 33);
    const double value = column[begin + scatter % width];
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

std::vector<Distinct> sorted_distinct(std::span<const double> column) {
  std::vector<double> values = values_to_sort(column);
  std::sort(values.begin(), values.end());
  std::vector<Distinct> found;
  for (const double value : values) {
    if (found.empty() || found.back().value != value) found.push_back({value, 0});
    ++found.back().rows;
  }
  return found;
}

// The indexes i such that one bin ends with the i-th value and the next begins: at most bins bins of nearly equal
// rows. A value too frequent for its bin takes it alone, and the rows that remain are shared among the bins that do.
std::vector<std::size_t> equal_frequency_ends(const std::vector<std::size_t>& rows, std::size_t bins) {
  std::vector<std::size_t> ends;
  std::size_t rows_left = 0, in_bin = 0;
  for (const std::size_t count : rows) rows_left += count;
  for (std::size_t i = 0; i < rows.size() && bins > 1; ++i) {
    const double share = static_cast<double>(rows_left) / static_cast<double>(bins);
    const double with_half = static_cast<double>(in_bin) + static_cast<double>(rows[i]) / 2;
    if (in_bin > 0 && with_half > share) {
      ends.push_back(i - 1);
      rows_left -= in_bin;
      in_bin = 0;
      --bins;
    }
    in_bin += rows[i];
  }
  return ends;
}

// In [low, high). Whole numbers are parted at a half, so that a cut never looks like a value.
double cut_between(double low, double high, Kind kind) {
  if (kind == Kind::number) return shortest_between(low, high);
  const double cut = std::floor(low / 2 + high / 2) + 0.5;
  return low <= cut && cut < high ? cut : low;  // beyond 2^53 there are no halves
}

std::vector<double> number_cuts(std::span<const double> column, Kind kind, std::size_t bins) {
  std::vector<Distinct> distinct = few_distinct(column, bins);
  std::vector<std::size_t> ends;
  if (distinct.empty()) {
    distinct = sorted_distinct(column);
    std::vector<std::size_t> rows;
    for (const Distinct& entry : distinct) rows.push_back(entry.rows);
    ends = equal_frequency_ends(rows, bins);
  } else {
    for (std::size_t i = 0; i + 1 < distinct.size(); ++i) ends.push_back(i);
  }
  std::vector<double> cuts;
  for (const std::size_t end : ends) cuts.push_back(cut_between(distinct[end].value, distinct[end + 1].value, kind));
  return cuts;
}

Axis category_axis(std::span<const double> column, const Feature& feature, const Outcome& outcome,
                   std::span<const double> weights, std::size_t bins) {
  CategoryOrder order = order_categories(column, feature.categories, outcome, weights);
  Axis axis{{}, std::move(order.position)};
  if (order.seen < 2) return axis;
  std::vector<std::size_t> ends;
  if (axis.position.size() <= bins) {
    for (std::size_t place = 0; place + 1 < axis.position.size(); ++place) ends.push_back(place);
  } else {
    ends = equal_frequency_ends(order.rows, bins);
  }
  for (const std::size_t end : ends) axis.cuts.push_back(static_cast<double>(end) + 0.5);
  return axis;
}

}  // namespace

Grid Grid::learn(const Table& table, const Outcome& outcome, std::span<const double> weights, std::size_t max_codes,
                 const Run& run) {
  assert(max_codes >= 2 && outcome.rows() == table.rows());
  const std::size_t bins = max_codes - 1;  // code 0 is missing
  std::vector<Axis> axes(table.features());
  parallel_for(axes.size(), {run.threads, run.stop, {}}, [&](std::size_t feature) {
    const Feature& described = table.schema()[feature];
    if (described.kind == Kind::category)
      axes[feature] = category_axis(table.column(feature), described, outcome, weights, bins);
    else
      axes[feature] = {number_cuts(table.column(feature), described.kind, bins), {}};
  });
  return Grid(std::move(axes));
}

}  // namespace cfrules
