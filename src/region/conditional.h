// Conditional reading of a region: of the people like this one who are in the region, how many have the wanted outcome?
//
// In: a forest with its estimation rows, a region. Out: for every tree the rows of its cell, and from them probability,
// row weights and mass. Sums run in the order of the trees.
//
// The cell of a tree is the box of all bounds the walk collected; cells of deeper levels are nested, and the one used is
// the deepest that still holds min_rows rows. `paper` counts the rows of the cell, `leaf_union` those of all leaves
// reached, `inside` the cell's rows that also lie in the region's ranges. (Estimator::moved is not a conditional one.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "forest/tree.h"
#include "region/region.h"

namespace cfrules {

struct CellRule {
  Estimator estimator = Estimator::paper;
  std::size_t min_rows = 5;
};

class Conditional {
 public:
  // weights: one per row, or empty: all 1. All referred data must outlive this.
  Conditional(const Forest& forest, const CodeMatrix& codes, std::span<const double> weights)
      : forest_(forest), codes_(codes), weights_(weights) {}

  // Share of hits (one flag per row), mean over the trees that have estimation rows.
  [[nodiscard]] double probability(const Region& region, std::span<const std::uint8_t> hits, const CellRule& rule) const;
  // Per row, summing to 1.
  [[nodiscard]] std::vector<double> row_weights(const Region& region, const CellRule& rule) const;
  // Rows of one tree's cell, in the tree's order; empty only if the tree has no estimation rows.
  [[nodiscard]] std::vector<std::uint32_t> cell(const Tree& tree, const Region& region, const CellRule& rule) const;

  [[nodiscard]] const Forest& forest() const { return forest_; }
  [[nodiscard]] const CodeMatrix& codes() const { return codes_; }
  [[nodiscard]] double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

 private:
  const Forest& forest_;
  const CodeMatrix& codes_;
  std::span<const double> weights_;
};

}  // namespace cfrules
