// Grids of moves shared by all people: axes, and where the training rows (the donors) lie on them. Built when first
// asked for, then kept; safe to ask from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "forest/code_values.h"
#include "forest/isolation_forest.h"
#include "region/move_grid.h"

namespace cfrules {

// The moves on one set of features.
struct MoveSet {
  std::vector<std::size_t> features;
  MoveAxes axes;
  bool full = true;                   // a bin per code on every axis
  std::vector<std::uint32_t> cells;   // that hold donors, ascending
  std::vector<double> mass;           // of each of them: sum of row weights
  std::vector<std::uint32_t> rows;    // of each of them: how many
  std::vector<std::uint32_t> places;  // of each of them: where it stands in BoxSums
};

class MoveSpace {
 public:
  // All referred data must outlive this. weights: empty for all 1. most_bins: of any axis, where a bin per code would
  // take too long.
  MoveSpace(const Grid& grid, const CodeValues& values, const IsolationForest& inliers, const CodeMatrix& codes,
            std::span<const double> weights, std::size_t most_bins = kUnlimited);

  [[nodiscard]] const MoveSet& moves(const std::vector<std::size_t>& features) const;
  // The axes these features have in sets of this size.
  [[nodiscard]] MoveAxes axes(const std::vector<std::size_t>& features, std::size_t set_size) const;
  [[nodiscard]] double total_mass() const { return total_mass_; }

  // Bins an axis may have in a grid of this many features.
  [[nodiscard]] std::size_t max_bins(std::size_t features) const;

 private:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] const MoveAxis& axis(std::size_t feature, std::size_t bins) const;
  [[nodiscard]] std::unique_ptr<MoveSet> build(const std::vector<std::size_t>& features) const;

  const Grid& grid_;
  const CodeValues& values_;
  const IsolationForest& inliers_;
  const CodeMatrix& codes_;
  std::span<const double> weights_;
  std::size_t most_bins_;
  double total_mass_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<MoveAxis>> axes_;
  mutable std::map<std::vector<std::size_t>, std::unique_ptr<MoveSet>> sets_;
};

}  // namespace cfrules
