// Conditional reading of a region: of the people like this one who are in the region, how many have the wanted outcome?
//
// In: a forest with its estimation rows, a region. Out: for every tree the rows of its cell, and from them probability,
// row weights and mass. Sums run in the order of the trees.
//
// The cell of a tree is the box of all bounds the walk collected; cells of deeper levels are nested, and the one used
// is the deepest that still holds min_rows rows. `paper` counts the rows of the cell, `leaf_union` those of all leaves
// reached, `inside` the cell's rows that also lie in the region's ranges. (Estimator::moved is not a conditional one.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "cfrules/run.h"
#include "forest/tree.h"
#include "region/cell_counter.h"
#include "region/cell_lookup.h"
#include "region/cell_walk.h"
#include "region/mean_share.h"
#include "region/region.h"
#include "region/row_blocks.h"

namespace cfrules {

struct CellRule {
  Estimator estimator = Estimator::paper;
  std::size_t min_rows = 5;
};

// Which rows have the wanted outcome.
struct Hits {
  std::span<const std::uint8_t> flags;  // per row
  RowMarks marks;                       // the same in the order of the blocks
};

// Row weights that are not zero, by row.
struct WeightedRow {
  std::uint32_t row;
  double weight;
};

// Room for reading cells; kept by whoever reads many.
struct CellScratch {
  static constexpr std::size_t kTogether = 8;  // trees

  CellScratch(const RowBlocks& blocks, std::size_t trees) : sides(trees), counter(blocks) {}

  std::array<CellWalkRoom, kTogether> walks;
  std::vector<SidesMemory> sides;  // per tree
  NodeBitsRoom lookup;
  CellCounter counter;
};

class Conditional {
 public:
  // weights: one per row, or empty: all 1. All referred data must outlive this.
  Conditional(const Forest& forest, const CodeMatrix& codes, std::span<const double> weights);
  ~Conditional();
  Conditional(Conditional&&) noexcept;

  // Makes the index of rows that all answers need, unless it is there; a stop ends it. Answers make it themselves.
  void prepare(const Run& run) const;

  // hits: one flag per row; it must outlive the answer.
  [[nodiscard]] Hits mark(std::span<const std::uint8_t> hits) const;

  // Share of hits, mean over the trees that have estimation rows.
  [[nodiscard]] double probability(const Region& region, const Hits& hits, const CellRule& rule,
                                   CellScratch& scratch) const;
  [[nodiscard]] double probability(const Region& region, const Hits& hits, const CellRule& rule) const {
    CellScratch room = scratch();
    return probability(region, hits, rule, room);
  }
  [[nodiscard]] double probability(const Region& region, std::span<const std::uint8_t> hits,
                                   const CellRule& rule) const {
    return probability(region, mark(hits), rule);
  }
  // The same for base with the features of each set free. free: base with all of these features free.
  [[nodiscard]] std::vector<double> probabilities(const Region& base, const Region& free,
                                                  std::span<const std::vector<std::size_t>> sets, const Hits& hits,
                                                  const CellRule& rule) const;
  // The same, where only sets that reach `least` are of interest: each set hears one tree after the other, from where
  // it last stopped, until that is out of reach.
  void hear(const Region& base, const Region& free, std::span<const std::vector<std::size_t>> sets, const Hits& hits,
            const CellRule& rule, double least, std::span<MeanShare> means) const;
  // What one tree says; NaN if it has no estimation rows.
  [[nodiscard]] double share(const Tree& tree, const Region& region, const Hits& hits, const CellRule& rule,
                             CellScratch& scratch) const;
  [[nodiscard]] CellScratch scratch() const { return {blocks(), forest_.trees.size()}; }
  // Summing to 1.
  [[nodiscard]] std::vector<WeightedRow> weighted_rows(const Region& region, const CellRule& rule) const;
  [[nodiscard]] std::vector<double> row_weights(const Region& region, const CellRule& rule) const;  // of all rows
  // Rows of one tree's cell, in the tree's order; empty only if the tree has no estimation rows.
  [[nodiscard]] std::vector<std::uint32_t> cell(const Tree& tree, const Region& region, const CellRule& rule) const;

  [[nodiscard]] const Forest& forest() const { return forest_; }
  [[nodiscard]] const CodeMatrix& codes() const { return codes_; }
  [[nodiscard]] double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }
  [[nodiscard]] const RowBlocks& blocks() const;
  // The tree's estimation rows; empty: all rows.
  [[nodiscard]] const RowMarks& members(const Tree& tree) const;

 private:
  struct Index;  // made when first asked for
  [[nodiscard]] const Index& index(const Run& run = {}) const;
  [[nodiscard]] bool counts_suffice(const CellRule& rule) const;
  [[nodiscard]] CountedCell count(const Tree& tree, const Region& region, const RowMarks& marks, const CellRule& rule,
                                  CellScratch& scratch) const;
  [[nodiscard]] CellQuestion question(std::size_t tree, const RowMarks& marks, const CellRule& rule) const;
  // What share() says where rows have to be looked at one by one.
  [[nodiscard]] double share_by_rows(const Tree& tree, const Region& region, const Hits& hits,
                                     const CellRule& rule) const;
  // nodes(tree): of each tree.
  template <class Nodes>
  [[nodiscard]] double walk_together(const Nodes& nodes, const Region& region, const Hits& hits, const CellRule& rule,
                                     CellScratch& scratch) const;
  bool find_rows(const Tree& tree, const Region& region, const CellRule& rule, CellScratch& scratch,
                 std::vector<std::uint32_t>& rows) const;

  const Forest& forest_;
  const CodeMatrix& codes_;
  std::span<const double> weights_;
  std::unique_ptr<Index> index_;
};

}  // namespace cfrules
