// A forest seen through one target: what each leaf says of it, which training rows have it, and the map to probability.
//
// Leaf values are kept in fixed point, so that sums over trees are exact in any order: the grid of moves (differences
// and prefix sums) and a point predicted on its own agree to the bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/fixed.h"
#include "cfrules/outcome.h"
#include "forest/leaf_numbers.h"
#include "region/calibration.h"

namespace cfrules {

class MovePages;

// Sums over the trees at one point.
struct LeafSums {
  Fixed first = 0;   // target share; numeric: scaled outcome
  Fixed second = 0;  // numeric: its square
};

class TargetForest {
 public:
  // outcome: of the training rows. The forest must outlive this.
  TargetForest(const Forest& forest, const Outcome& outcome, std::span<const double> weights, const Target& target,
               CalibrationMap map);
  ~TargetForest();

  [[nodiscard]] const Forest& forest() const { return forest_; }
  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] std::span<const std::uint8_t> hits() const { return hits_; }
  [[nodiscard]] double base_rate() const { return base_rate_; }
  [[nodiscard]] const CalibrationMap& map() const { return map_; }
  [[nodiscard]] bool numeric() const { return target_.numeric(); }

  [[nodiscard]] bool missing_may_go_right() const { return missing_may_go_right_; }

  // Per leaf what LeafSums adds up; classes have no second number. What every leaf is taken to say is 0 or 1 for
  // classes, whichever is the share of more leaves: they say nothing besides.
  [[nodiscard]] LeafNumbers leaf_numbers() const {
    LeafNumbers numbers = numbers_.of(forest_.trees);
    numbers.everywhere = common_share_;
    numbers.small_trees = forest_.small_trees;
    return numbers;
  }

  // The leaves as pages, for one more walk. Null where it is quicker to walk: through large trees that leads not far. Pages
  // take as long to make as many walks, so the first are told that there are none, as all are where trees do not fit into
  // them.
  [[nodiscard]] const MovePages* pages_for_walk(bool far) const;

  [[nodiscard]] LeafSums sums(std::span<const Code> codes) const;
  [[nodiscard]] double raw(LeafSums sums) const;
  // Numeric: of the trees' answers, in the outcome's units.
  struct Moments {
    double mean, variance;
  };
  [[nodiscard]] Moments moments(LeafSums sums) const;
  // Numeric: how far a mean lies from the nearer end of the target, below 0 outside.
  [[nodiscard]] double room_in_target(double mean) const {
    return std::min(target_.high() - mean, mean - target_.low());
  }
  // Numeric: a first sum outside has its mean outside the target, however sums are rounded.
  struct SumRange {
    Fixed least, most;
  };
  [[nodiscard]] SumRange first_sums_in_target() const;
  // Rises with the probability, by and large, and costs no error function.
  [[nodiscard]] double promise(LeafSums sums) const;
  [[nodiscard]] double probability(LeafSums sums) const { return map_.probability(raw(sums)); }
  [[nodiscard]] double probability(std::span<const Code> codes) const { return probability(sums(codes)); }

 private:
  [[nodiscard]] Fixed share(std::span<const double> leaf) const { return to_fixed(map_.raw(leaf)); }
  [[nodiscard]] Fixed most_common_share() const;
  void read_leaves();
  [[nodiscard]] bool has_few_leaves() const;
  [[nodiscard]] double rounding_of(double mean) const;
  [[nodiscard]] double on_border(double mean) const;
  [[nodiscard]] double scale_of(double range) const;

  const Forest& forest_;
  Target target_;
  std::vector<std::uint8_t> hits_;
  double base_rate_ = 0;
  CalibrationMap map_;
  double centre_ = 0;  // numeric: outcome = centre + scale * leaf value
  double scale_ = 1;
  bool missing_may_go_right_ = false;
  Fixed common_share_ = 0;  // numeric: 0
  bool few_leaves_ = false;  // its trees fill a few pages each
  LeafNumberList numbers_;
  struct LazyPages;
  std::unique_ptr<LazyPages> pages_;
};

}  // namespace cfrules
