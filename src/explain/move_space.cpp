#include "explain/move_space.h"

#include <algorithm>

namespace cfrules {

MoveSpace::MoveSpace(const Grid& grid, const CodeValues& values, const IsolationForest& inliers,
                     const CodeMatrix& codes, std::span<const double> weights, std::size_t most_bins)
    : grid_(grid), values_(values), inliers_(inliers), codes_(codes), weights_(weights), most_bins_(most_bins) {
  if (weights.empty()) total_mass_ = static_cast<double>(codes.rows);
  for (const double weight : weights) total_mass_ += weight;
}

// One and two features are searched exactly, code by code; beyond, grids are kept to a few thousand cells.
std::size_t MoveSpace::max_bins(std::size_t features) const {
  constexpr std::size_t kBins[] = {kUnlimited, kUnlimited, kUnlimited, 20, 10, 7, 5};
  return std::min(most_bins_, features < std::size(kBins) ? kBins[features] : 4);
}

const MoveSet& MoveSpace::moves(const std::vector<std::size_t>& features) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<MoveSet>& set = sets_[features];
  if (!set) set = build(features);
  return *set;
}

MoveAxes MoveSpace::axes(const std::vector<std::size_t>& features, std::size_t set_size) const {
  const std::lock_guard lock(mutex_);
  MoveAxes axes;
  for (const std::size_t feature : features) axes.push_back(&axis(feature, max_bins(set_size)));
  return axes;
}

const MoveAxis& MoveSpace::axis(std::size_t feature, std::size_t bins) const {
  const std::size_t needed = std::min<std::size_t>(bins, grid_.last_code(feature));
  std::unique_ptr<MoveAxis>& axis = axes_[{feature, needed}];
  if (!axis) axis = std::make_unique<MoveAxis>(feature, grid_, values_, inliers_, needed);
  return *axis;
}

std::unique_ptr<MoveSet> MoveSpace::build(const std::vector<std::size_t>& features) const {
  auto set = std::make_unique<MoveSet>();
  set->features = features;
  for (const std::size_t feature : features) {
    set->axes.push_back(&axis(feature, max_bins(features.size())));
    set->full = set->full && set->axes.back()->full();
  }
  std::vector<double> mass(cells_of(set->axes), 0.0);
  std::vector<std::uint32_t> rows(mass.size(), 0);
  for (std::size_t row = 0; row < codes_.rows; ++row) {
    std::size_t cell = 0;
    bool missing = false;
    for (const MoveAxis* each : set->axes) {
      const Code code = codes_.at(row, each->feature());
      missing = missing || code == kMissing;
      cell = cell * each->size() + each->bin_of(code);
    }
    if (missing) continue;
    mass[cell] += weights_.empty() ? 1.0 : weights_[row];
    ++rows[cell];
  }
  const std::vector<std::size_t> shape = shape_of(set->axes);
  for (std::size_t cell = 0; cell < mass.size(); ++cell) {
    if (rows[cell] == 0) continue;
    set->cells.push_back(static_cast<std::uint32_t>(cell));
    set->mass.push_back(mass[cell]);
    set->rows.push_back(rows[cell]);
    set->places.push_back(static_cast<std::uint32_t>(BoxSums::place_of(shape, cell)));
  }
  return set;
}

}  // namespace cfrules
