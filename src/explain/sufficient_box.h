// A sufficient set as a rule: the box around a person, on the features of the set, in which the decision stays what it
// is with the wanted probability.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "explain/feature_sets.h"
#include "forest/grid.h"
#include "region/conditional.h"

namespace cfrules {

// How likely a training row has the decision, given that some features lie in ranges and the others are free.
class KeptDecision {
 public:
  // hits: the rows with the decision. All referred data must outlive this.
  KeptDecision(const Conditional& conditional, const Grid& grid, std::span<const std::uint8_t> hits,
               std::size_t min_rows)
      : conditional_(conditional), grid_(grid), hits_(conditional.mark(hits)), rule_{Estimator::paper, min_rows} {}

  [[nodiscard]] double probability(const FeatureIndexes& features, std::span<const Interval> sides) const;
  // Sum of weights of the training rows inside.
  [[nodiscard]] double mass(const FeatureIndexes& features, std::span<const Interval> sides) const;
  [[nodiscard]] const Grid& grid() const { return grid_; }

 private:
  const Conditional& conditional_;
  const Grid& grid_;
  Hits hits_;
  CellRule rule_;
};

struct SufficientBox {
  std::vector<Interval> sides;
  double probability = 0;
};

// Greedy from the person's codes (none missing), whose probability reaches pi: the side whose next step takes in most
// rows goes first. Steps double while they succeed and halve while they fail. In the end no side can move by one code,
// unless that took too many tries. stop may throw.
[[nodiscard]] SufficientBox widen(const KeptDecision& decision, const FeatureIndexes& features,
                                  std::span<const Code> codes, double pi, const std::function<void()>& stop);

}  // namespace cfrules
