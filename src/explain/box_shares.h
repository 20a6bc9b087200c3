// What each tree says of a box of bins, and from that its probability.
//
// A tree tells boxes apart only by the ranks of their ends among its own cuts, so its answers are remembered by these
// ranks. A single cell of bins follows one path down the tree: its answer is that of the deepest node with enough rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "explain/box_lines.h"

namespace cfrules {

class BoxShares {
 public:
  // All referred data must outlive this.
  BoxShares(const Context& context, Region free, const FeatureIndexes& features, const CellRule& rule,
            const BoxLines& lines);

  // Mean over the trees that have rows, in their order.
  [[nodiscard]] double probability(std::span<const IndexRange> box);
  [[nodiscard]] bool reaches(std::span<const IndexRange> box, double min_probability);
  // True only if it does not reach it; sometimes it takes all trees to see that.
  [[nodiscard]] bool falls_short(std::span<const IndexRange> box, double min_probability);
  // Whether any box with this range on the first of two lines may reach it; yes when the readings are spent.
  [[nodiscard]] bool may_reach(IndexRange first_line, double min_probability);

  // Trees will be asked about boxes so many times; what is remembered is not asked again.
  void allow(std::size_t readings) { readings_left_ = readings; }
  [[nodiscard]] bool spent() const { return readings_left_ == 0; }

 private:
  struct Memory {
    std::vector<double> table;  // where the ranks are few
    std::unordered_map<std::uint64_t, double> map;
    std::vector<double> nodes;    // per node: what its rows say
    std::vector<double> highest;  // two lines: of all boxes, by the ranks on the first
  };

  [[nodiscard]] double share(std::size_t tree, std::span<const IndexRange> box);
  [[nodiscard]] double* remembered(std::size_t tree, std::span<const IndexRange> box);
  [[nodiscard]] double read(std::size_t tree, std::span<const IndexRange> box);
  [[nodiscard]] double read_path(std::size_t tree, std::span<const IndexRange> box);
  [[nodiscard]] double read_node(std::size_t tree, std::size_t node);
  [[nodiscard]] double highest(std::size_t tree, IndexRange first_line);
  template <class Bound>
  [[nodiscard]] bool sum_falls_short(double min_probability, Bound bound);  // bound(tree): at least what the tree says

  const Context& context_;
  Region region_;  // the box in question, the rest as it is
  FeatureIndexes features_;
  CellRule rule_;
  const BoxLines& lines_;
  bool by_path_;
  std::size_t readings_left_ = 0;
  std::vector<Memory> memory_;  // per tree
  std::vector<std::uint32_t> few_boxes_first_;  // trees, by how many boxes they tell apart
  CellScratch scratch_;
};

}  // namespace cfrules
