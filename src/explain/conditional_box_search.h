// The search of ConditionalRules for one set of features: boxes of bins by falling mass, purity by what the trees say.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "explain/box_lines.h"
#include "explain/box_shares.h"

namespace cfrules {

struct ConditionalBox {
  BinBox bins;
  BoxLines::Mass mass = 0;
};

class ConditionalBoxSearch {
 public:
  ConditionalBoxSearch(const Context& context, Region free, const FeatureIndexes& features, const CellRule& rule,
                       BoxLimits limits);
  ConditionalBoxSearch(const ConditionalBoxSearch&) = delete;
  ConditionalBoxSearch& operator=(const ConditionalBoxSearch&) = delete;

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

  [[nodiscard]] const BoxLines& lines() const { return lines_; }
  [[nodiscard]] double probability(const BinBox& bins) { return shares_.probability(bins); }

 private:
  [[nodiscard]] bool is_open(std::span<const IndexRange> bins) const;
  [[nodiscard]] std::vector<BinBox> seeds() const;
  void grow_seeds(double min_probability, Answer& answer);
  [[nodiscard]] ConditionalBox grow(BinBox bins, double min_probability);
  bool sweep(std::size_t line, BinBox& bins, double min_probability, std::size_t& work_left, Answer& answer);
  bool best_first(double min_probability, std::size_t work_limit, Answer& answer);

  std::function<void()> stop_;
  BoxLines lines_;
  BoxShares shares_;
  std::vector<BinBox> covered_;
};

}  // namespace cfrules
