// Does a place reach a probability? Asked at every cell of every grid of moves, so the answer comes from the sums over
// the trees where they are clear, without a logarithm or an error function, and from the probability itself where they
// are not.
#pragma once

#include "region/target_forest.h"

namespace cfrules {

class SumThreshold {
 public:
  // The forest must outlive this.
  SumThreshold(const TargetForest& forest, double wanted);

  // The same as forest.probability(sums) >= wanted.
  [[nodiscard]] bool reached(LeafSums sums) const {
    if (!may_reach(sums)) return false;
    return always_ || (!numeric_ && sums.first > surely_above_) || forest_.probability(sums) >= wanted_;
  }
  // Quick: no place is denied that reaches it.
  [[nodiscard]] bool may_reach(LeafSums sums) const {
    if (always_) return true;
    if (sums.first < surely_below_) return false;
    return !numeric_ || (sums.first <= surely_above_ && may_reach_interval(sums));
  }

 private:
  [[nodiscard]] bool may_reach_interval(LeafSums sums) const;

  const TargetForest& forest_;
  double wanted_;
  bool always_;
  bool numeric_;
  Fixed surely_below_ = 0;  // sums between the two are looked at closely; numeric: none else has its mean in the interval
  Fixed surely_above_ = 0;
  double widths_ = 0;  // numeric: how many spreads of the trees the mean must lie inside both ends of the interval;
                       // below 0 it may lie so far outside
};

}  // namespace cfrules
