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
    std::vector<std::vector<std::uint32_t>> tree_cut;  // per tree: how many of its cuts lie below each bin's low code
  };

  void find_bins();
  void sum_masses();
  [[nodiscard]] double mass(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] bool free_of_obstacles(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] bool holds_forbidden_cell(const std::vector<IndexRange>& bins) const;
  [[nodiscard]] std::optional<ConditionalBox> grow(std::vector<IndexRange> cell, double min_probability);
  [[nodiscard]] std::vector<std::vector<IndexRange>> seeds() const;
  [[nodiscard]] double tree_share(std::size_t tree, const std::vector<IndexRange>& bins);

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
  std::vector<std::map<std::vector<std::uint32_t>, double>> remembered_;  // per tree, by what it can tell apart
};

}  // namespace cfrules
