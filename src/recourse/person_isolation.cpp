#include "recourse/person_isolation.h"

#include <cmath>
#include <limits>

namespace cfrules {

namespace {

std::vector<Interval> code_ranges(const Grid& cuts, std::span<const std::size_t> features,
                                  std::span<const Grid::ValueRange> ranges) {
  std::vector<Interval> codes;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto code = [&](double position) { return cuts.code_of_position(features[i], position); };
    codes.push_back({code(std::nextafter(ranges[i].low, ranges[i].high)), code(ranges[i].high)});
  }
  return codes;
}

// The greatest position with this code; missing is below all.
double end_of_code(const Grid& cuts, std::size_t feature, Code code) {
  return code == kMissing ? -std::numeric_limits<double>::infinity() : cuts.axis(feature).cuts[code - 1u];
}

}  // namespace

PersonIsolation::PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                                 std::span<const std::size_t> changed, std::span<const Grid::ValueRange> ranges)
    : forest_(&forest),
      row_(positions.begin(), positions.end()),
      trees_(forest.leaf_numbers(), forest.cuts().codes(positions), changed,
             code_ranges(forest.cuts(), changed, ranges)),
      cells_(changed.size()) {
  for (std::size_t slot = 0; slot < changed.size(); ++slot) {
    std::vector<double> cuts;
    for (const Code cut : trees_.cuts(slot)) cuts.push_back(end_of_code(forest.cuts(), changed[slot], cut));
    slots_.push_back({changed[slot], ranges[slot], SortedNumbers(cuts)});
  }
}

double PersonIsolation::score(std::span<const double> positions) {
  for (std::size_t slot = 0; slot < positions.size(); ++slot) {
    const Slot& here = slots_[slot];
    if (!(here.range.low < positions[slot] && positions[slot] <= here.range.high)) return score_anywhere(positions);
    cells_[slot] = cell(slot, positions[slot]);
  }
  return score_at(cells_);
}

double PersonIsolation::score_anywhere(std::span<const double> positions) const {
  std::vector<double> row = row_;
  for (std::size_t slot = 0; slot < positions.size(); ++slot) row[slots_[slot].feature] = positions[slot];
  return forest_->score(row);
}

}  // namespace cfrules
