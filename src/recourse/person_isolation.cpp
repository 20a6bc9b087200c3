#include "recourse/person_isolation.h"

#include <cmath>

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

}  // namespace

PersonIsolation::PersonIsolation(const IsolationForest& forest, std::span<const double> positions,
                                 std::span<const std::size_t> changed, std::span<const Grid::ValueRange> ranges)
    : forest_(&forest),
      row_(positions.begin(), positions.end()),
      changed_(changed.begin(), changed.end()),
      ranges_(code_ranges(forest.cuts(), changed, ranges)),
      trees_({forest.trees(), forest.paths(), {}}, forest.cuts().codes(positions), changed, ranges_) {}

double PersonIsolation::score(std::span<const double> positions) const {
  std::vector<Code> codes(positions.size());
  for (std::size_t slot = 0; slot < positions.size(); ++slot) {
    codes[slot] = forest_->cuts().code_of_position(changed_[slot], positions[slot]);
    if (!ranges_[slot].contains(codes[slot])) return score_anywhere(positions);
  }
  return forest_->score_of_paths(trees_.sums(codes).first);
}

double PersonIsolation::score_anywhere(std::span<const double> positions) const {
  std::vector<double> row = row_;
  for (std::size_t slot = 0; slot < positions.size(); ++slot) row[changed_[slot]] = positions[slot];
  return forest_->score(row);
}

}  // namespace cfrules
