// The grid that conditional boxes live on: for each feature of a set, bins of neighbouring codes that nothing in reach
// tells apart, and the weighted rows on it.
//
// In: the walk's cuts, the constraints, the row weights with the set's features free. Out: bins, and the mass of a box
// of bins. Masses are in fixed point, so that sums are exact in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "explain/context.h"
#include "explain/feature_sets.h"
#include "kernels/largest_box.h"
#include "region/conditional.h"

namespace cfrules {

using BinBox = std::vector<IndexRange>;  // one range of bins per feature of the set

// What constraints forbid: per feature of the set a flag per code, and combinations of codes (empty: none).
struct BoxLimits {
  std::vector<std::vector<std::uint8_t>> allowed;
  std::function<bool(std::span<const Code> cell)> forbidden;
  std::function<void()> stop;  // asked at every box; may throw to end the search (empty: never)
};

class BoxLines {
 public:
  BoxLines(const Context& context, const Region& free, const FeatureIndexes& features, const CellRule& rule,
           BoxLimits limits);

  [[nodiscard]] std::size_t lines() const { return lines_.size(); }
  [[nodiscard]] std::size_t bins(std::size_t line) const { return lines_[line].bins.size(); }
  [[nodiscard]] BinBox whole() const;
  [[nodiscard]] Interval codes(std::size_t line, IndexRange bins) const {
    return {lines_[line].bins[bins.first].low, lines_[line].bins[bins.last].high};
  }
  [[nodiscard]] std::vector<Interval> codes(std::span<const IndexRange> box) const;
  [[nodiscard]] bool allows(std::span<const IndexRange> box) const;

  // What a tree can tell of a box's end in this bin: the number of its cuts below; and how many such ranks there are.
  [[nodiscard]] std::uint32_t rank(std::size_t line, std::size_t tree, std::size_t bin) const {
    return lines_[line].rank[tree][bin];
  }
  [[nodiscard]] std::uint32_t ranks(std::size_t line, std::size_t tree) const { return lines_[line].ranks[tree]; }

  using Mass = std::int64_t;
  [[nodiscard]] Mass mass(std::span<const IndexRange> box) const;
  // Of the part of the box in one bin of a line.
  [[nodiscard]] Mass mass_in_bin(std::span<const IndexRange> box, std::size_t line, std::size_t bin) const;
  [[nodiscard]] double exact_mass(std::span<const IndexRange> box) const;  // summed by row
  [[nodiscard]] std::size_t support(std::span<const IndexRange> box) const;

  // Single bins that hold weighted rows of the target, the heaviest such rows first.
  [[nodiscard]] std::vector<BinBox> seeds() const;

 private:
  struct Line {  // one feature of the set
    std::size_t feature = 0;
    std::vector<Interval> bins;
    std::vector<std::uint32_t> refused;            // bins below this one that constraints forbid; one more than bins
    std::vector<std::vector<std::uint32_t>> rank;  // per tree and bin
    std::vector<std::uint32_t> ranks;              // per tree
    std::vector<std::vector<std::uint32_t>> rows;  // per bin: places of weighted rows
  };
  struct PlacedRow {
    std::uint32_t row = 0;
    double weight = 0;
    Mass mass = 0;
  };

  void find_bins(const Region& free, const FeatureIndexes& features, bool by_code, bool rank_by_bin);
  void add_ranks(Line& line, std::span<const std::vector<std::vector<std::uint8_t>>> cuts, bool rank_by_bin) const;
  void place_rows(const Region& free, const CellRule& rule);
  void sum_masses();
  [[nodiscard]] bool holds_forbidden_cell(std::span<const IndexRange> box) const;
  [[nodiscard]] bool contains(std::span<const IndexRange> box, std::size_t place) const;

  const Context& context_;
  BoxLimits limits_;
  std::vector<Line> lines_;
  std::vector<PlacedRow> rows_;        // with weight, and values on all features of the set; by row
  std::vector<std::uint32_t> places_;  // of each of them its bin on each line
  std::vector<Mass> mass_below_;       // one or two lines: prefix sums over the bins, one more place per line
};

}  // namespace cfrules
