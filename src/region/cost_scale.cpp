#include "region/cost_scale.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace cfrules {

CostScale::CostScale(const Table& rows, const Run& run) : borders_(rows.features()) {
  parallel_for(rows.features(), run, [&](std::size_t feature) {
    const Kind kind = rows.schema()[feature].kind;
    if (kind == Kind::category || kind == Kind::boolean) return;
    std::vector<double> values;
    for (const double value : rows.column(feature))
      if (!std::isnan(value)) values.push_back(value);
    if (values.empty()) return;
    auto sorted_to =
        values.begin();  // nine places in order are enough; a whole sort is the cost of loading a large model
    for (std::size_t bin = 1; bin < kBins; ++bin) {
      const auto border = values.begin() + static_cast<std::ptrdiff_t>((bin * values.size() + kBins - 1) / kBins - 1);
      if (border >= sorted_to) std::nth_element(sorted_to, border, values.end());
      sorted_to = std::max(sorted_to, border);
      borders_[feature].push_back(*border);
    }
  });
}

double CostScale::change(std::size_t feature, double from, double to) const {
  if (std::isnan(from) && std::isnan(to)) return 0;
  if (std::isnan(from) || std::isnan(to)) return 1;
  if (from == to) return 0;
  const std::vector<double>& borders = borders_[feature];
  if (borders.empty()) return 1;
  const auto bin = [&](double value) {
    return std::lower_bound(borders.begin(), borders.end(), value) - borders.begin();
  };
  return static_cast<double>(std::abs(bin(from) - bin(to))) / static_cast<double>(kBins);
}

}  // namespace cfrules
