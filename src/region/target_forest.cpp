#include "region/target_forest.h"

#include <algorithm>
#include <cmath>

namespace cfrules {

namespace {

// Of sums in fixed point, with room for the error of squares.
constexpr double kRounding = 1e-12;

}  // namespace

Fixed to_fixed(double value) { return static_cast<Fixed>(std::llround(value * kFixedOne)); }

TargetForest::TargetForest(const Forest& forest, const Outcome& outcome, std::span<const double> weights, const Target& target,
                           CalibrationMap map)
    : forest_(forest),
      target_(target),
      hits_(target.mark(outcome.values)),
      map_(std::move(map)) {
  double all = 0;
  double hit = 0;
  for (std::size_t row = 0; row < hits_.size(); ++row) {
    const double weight = weights.empty() ? 1.0 : weights[row];
    all += weight;
    if (hits_[row] != 0) hit += weight;
  }
  base_rate_ = all > 0 ? hit / all : 0;
  if (numeric() && !outcome.values.empty()) {
    const auto [low, high] = std::minmax_element(outcome.values.begin(), outcome.values.end());
    centre_ = *low;
    scale_ = *high > *low ? *high - *low : 1.0;
  }
  for (const Tree& tree : forest.trees) {
    for (const Node& node : tree.nodes) missing_may_go_right_ = missing_may_go_right_ || (!node.is_leaf() && node.missing_right());
    auto& first = first_.emplace_back();
    auto& second = second_.emplace_back();
    for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf) {
      const std::span<const double> values = std::span(tree.leaf_values).subspan(leaf * forest.outputs, forest.outputs);
      if (numeric()) {
        const double scaled = (values[0] - centre_) / scale_;
        first.push_back(to_fixed(scaled));
        second.push_back(to_fixed(scaled * scaled));
      } else {
        first.push_back(to_fixed(map_.raw(values)));
      }
    }
  }
}

LeafSums TargetForest::sums(std::span<const Code> codes) const {
  LeafSums sums;
  for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree) {
    const std::size_t leaf = forest_.trees[tree].leaf_of(codes);
    sums.first += first_[tree][leaf];
    if (numeric()) sums.second += second_[tree][leaf];
  }
  return sums;
}

double TargetForest::raw(LeafSums sums) const {
  const auto trees = static_cast<double>(forest_.trees.size());
  const double first = from_fixed(sums.first) / trees;
  if (!numeric()) return std::clamp(first, 0.0, 1.0);
  const double second = from_fixed(sums.second) / trees;
  const double mean = on_border(centre_ + scale_ * first);
  double variance = second - first * first;
  variance = variance > kRounding ? variance * scale_ * scale_ : 0.0;  // trees that agree have no spread at all
  return map_.raw_of_moments(mean, mean * mean + variance);
}

// A mean that fixed point moved off the target's border by rounding is on it.
double TargetForest::on_border(double mean) const {
  const double slack = kRounding * (scale_ + std::abs(mean));
  for (const double border : {target_.low(), target_.high()})
    if (std::abs(mean - border) <= slack) return border;
  return mean;
}

Fixed TargetForest::least_sum(double wanted) const {
  const double raw = map_.least_raw(wanted);
  if (raw > 1) return std::numeric_limits<Fixed>::max();
  // Down to the last sum that still maps below: the comparison on sums must agree with the one on probabilities.
  const auto trees = static_cast<double>(forest_.trees.size());
  Fixed least = to_fixed(raw * trees) - 64;
  for (int step = 0; step < 256 && probability(LeafSums{least, 0}) < wanted; ++step) ++least;
  return least;
}

}  // namespace cfrules
