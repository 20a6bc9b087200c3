// The search of ConditionalRules for one set of features: bins between the cuts that matter, mass by prefix sums, purity by
// walks remembered per tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "explain/context.h"
#include "explain/feature_sets.h"
#include "kernels/largest_box.h"
#include "region/conditional.h"

namespace cfrules {

struct WeightedRow {
  std::uint32_t row;
  double weight;
};

struct ConditionalBox {
  std::vector<IndexRange> bins;
  double mass = 0;
  double probability = 0;
};

class ConditionalBoxSearch {
 public:
  // What constraints forbid: per feature of the set a flag per code, and combinations of codes (empty: none).
  struct Limits {
    std::vector<std::vector<std::uint8_t>> allowed;
    std::function<bool(std::span<const Code> cell)> forbidden;
    std::function<void()> stop;  // asked at every box; may throw to end the search (empty: never)
  };
  ConditionalBoxSearch(const Context& context, Region free, const FeatureIndexes& features, const CellRule& rule, Limits limits);

  struct Answer {
    std::optional<ConditionalBox> box;
    bool optimal = false;
  };
  // The heaviest box that reaches min_probability, outside what was covered.
  [[nodiscard]] Answer heaviest(double min_probability, std::size_t work_limit);
  // The single cell of bins with the highest probability among those holding weighted target rows.
  [[nodiscard]] std::optional<ConditionalBox> purest_cell();
  // Later boxes will not touch this one.
  void cover(const ConditionalBox& box) { covered_.push_back(box.bins); }

  [[nodiscard]] std::vector<Interval> codes(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] std::size_t support(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] double probability(const std::vector<IndexRange>& bins);

 private:
  struct Line {  // one feature of the set
    std::size_t feature;
    std::vector<Interval> bins;                        // neighbouring codes that no cut in reach tells apart
    std::vector<std::uint8_t> allowed;                 // per bin
    std::vector<std::vector<std::uint32_t>> rank;      // per tree and bin: what the tree can tell of a box's end there
    std::vector<std::uint32_t> ranks;                  // per tree: how many ranks there are
  };

  void find_bins();
  void sum_masses();
  [[nodiscard]] double mass(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] bool free_of_obstacles(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] bool holds_forbidden_cell(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] std::optional<ConditionalBox> grow(std::vector<IndexRange> cell, double min_probability);
  [[nodiscard]] std::vector<std::vector<IndexRange>> seeds() const;
  [[nodiscard]] double tree_share(std::size_t tree, const std::vector<IndexRange>& bins);
  [[nodiscard]] double read_tree_share(std::size_t tree, const std::vector<IndexRange>& bins) const;
  [[nodiscard]] bool reaches(const std::vector<IndexRange>& bins, double min_probability);
  bool sweep(std::size_t line, std::vector<IndexRange>& bins, double min_probability, std::size_t& work_left, Answer& answer);
  bool best_first(double min_probability, std::size_t work_limit, Answer& answer);

  const Context& context_;
  Region free_;
  const FeatureIndexes features_;
  CellRule rule_;
  Limits limits_;
  std::vector<Line> lines_;
  std::vector<WeightedRow> weighted_;              // rows with weight under `free`, with values on all features
  std::vector<std::vector<std::uint32_t>> placed_;  // per weighted row its bin on each line
  std::vector<double> mass_below_;  // prefix sums over the bins, one more place per line; empty where that would be too large
  std::vector<std::size_t> strides_;
  std::vector<std::vector<IndexRange>> covered_;
  // What a tree says of a box, remembered by what the tree can tell apart: the ranks of the box's ends among the cuts the
  // walk can meet in it. A table where that is small, else a map.
  struct Memory {
    std::vector<double> table;
    std::map<std::vector<std::uint32_t>, double> map;
  };
  std::vector<Memory> remembered_;
};

}  // namespace cfrules
