#include "region/target_forest.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "forest/leaves.h"
#include "region/move_pages.h"

namespace cfrules {

namespace {

// Of sums in fixed point, with room for the error of squares.
constexpr double kRounding = 1e-12;

}  // namespace

struct TargetForest::LazyPages {
  std::atomic<std::size_t> walks = 0;
  std::once_flag made;
  std::unique_ptr<const MovePages> pages;
};

TargetForest::~TargetForest() = default;

TargetForest::TargetForest(const Forest& forest, const Outcome& outcome, std::span<const double> weights, const Target& target,
                           CalibrationMap map)
    : forest_(forest),
      target_(target),
      hits_(target.mark(outcome.values)),
      map_(std::move(map)),
      numbers_(target.numeric() ? 2 : 1),
      pages_(std::make_unique<LazyPages>()) {
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
    scale_ = scale_of(*high - *low);
  }
  for (const Tree& tree : forest.trees)
    for (const Node& node : tree.nodes)
      missing_may_go_right_ = missing_may_go_right_ || (!node.is_leaf() && node.missing_right());
  if (!numeric()) common_share_ = most_common_share();
  read_leaves();
  few_leaves_ = has_few_leaves();
}

namespace {

// visit(values of a leaf), leaf after leaf.
template <class Visit>
void visit_values(const Tree& tree, std::size_t outputs, const Visit& visit) {
  for (std::size_t leaf = 0; leaf < tree.leaves(); ++leaf)
    visit(std::span(tree.leaf_values).subspan(leaf * outputs, outputs));
}

}  // namespace

void TargetForest::read_leaves() {
  for (const Tree& tree : forest_.trees) {
    numbers_.begin_tree(tree.leaves());
    visit_values(tree, forest_.outputs, [this](std::span<const double> values) {
      if (!numeric()) return numbers_.add(share(values) - common_share_);
      const double scaled = (values[0] - centre_) / scale_;
      numbers_.add(to_fixed(scaled), to_fixed(scaled * scaled));
    });
  }
  numbers_.end();
}

bool TargetForest::has_few_leaves() const {
  constexpr std::size_t kFewPages = 5;
  std::size_t pages = 0;
  for (const Tree& tree : forest_.trees) pages += words_of_bits(tree.leaves());
  return pages <= kFewPages * forest_.trees.size();
}

Fixed TargetForest::most_common_share() const {
  std::size_t none = 0;
  std::size_t all = 0;
  for (const Tree& tree : forest_.trees)
    visit_values(tree, forest_.outputs, [&](std::span<const double> values) {
      const Fixed share = this->share(values);
      none += share == 0 ? 1 : 0;
      all += share == to_fixed(1.0) ? 1 : 0;
    });
  return all > none ? to_fixed(1.0) : 0;
}

// The range of the outcome; more where leaves say what no row did, so that sums over trees never overflow.
double TargetForest::scale_of(double range) const {
  constexpr double kMostSquares = 262144;  // 2^18: one bit below what fixed point holds
  double farthest = 0;
  for (const Tree& tree : forest_.trees)
    for (const double value : tree.leaf_values) farthest = std::max(farthest, std::abs(value - centre_));
  const double needed = farthest * std::sqrt(static_cast<double>(forest_.trees.size()) / kMostSquares);
  return std::max(range > 0 ? range : 1.0, needed);
}

LeafSums TargetForest::sums(std::span<const Code> codes) const {
  const LeafNumbers leaves = leaf_numbers();
  LeafSums sums{leaves.sum_everywhere(), 0};
  visit_leaves(forest_, codes, [&](std::size_t tree, std::size_t leaf) {
    const Fixed* const numbers = leaves.of(tree, leaf);
    sums.first += numbers[0];
    if (leaves.channels == 2) sums.second += numbers[1];
  });
  return sums;
}

const MovePages* TargetForest::pages_for_walk(bool far) const {
  constexpr std::size_t kWalksBefore = 8;
  if (!far && !few_leaves_) return nullptr;
  if (pages_->walks.fetch_add(1, std::memory_order_relaxed) < kWalksBefore) return nullptr;
  std::call_once(pages_->made, [this] { pages_->pages = MovePages::of(forest_); });
  return pages_->pages.get();
}

double TargetForest::raw(LeafSums sums) const {
  if (!numeric()) return std::clamp(from_fixed(sums.first) / static_cast<double>(forest_.trees.size()), 0.0, 1.0);
  const Moments moments = this->moments(sums);
  return map_.raw_of_moments(moments.mean, moments.mean * moments.mean + moments.variance);
}

TargetForest::Moments TargetForest::moments(LeafSums sums) const {
  const auto trees = static_cast<double>(forest_.trees.size());
  const double first = from_fixed(sums.first) / trees;
  const double second = from_fixed(sums.second) / trees;
  const double variance = second - first * first;
  // Trees that agree have no spread at all.
  return {on_border(centre_ + scale_ * first), variance > kRounding ? variance * scale_ * scale_ : 0.0};
}

double TargetForest::promise(LeafSums sums) const {
  if (!numeric()) return from_fixed(sums.first);
  const Moments moments = this->moments(sums);
  const double room = room_in_target(moments.mean);
  constexpr double kNoSpread = 1e-300;
  return room * std::abs(room) / (moments.variance + kNoSpread);
}

TargetForest::SumRange TargetForest::first_sums_in_target() const {
  constexpr double kRoom = 1e3;  // in roundings: nobody counts on the last few
  constexpr double kMost = 9e18;  // what fixed point can write, nearly
  const auto sum_of = [&](double mean) {
    const double sum = (mean - centre_) / scale_ * static_cast<double>(forest_.trees.size()) * kFixedOne;
    return static_cast<Fixed>(std::llround(std::clamp(sum, -kMost, kMost)));
  };
  return {sum_of(target_.low() - kRoom * rounding_of(target_.low())),
          sum_of(target_.high() + kRoom * rounding_of(target_.high()))};
}

// How far a mean may be off.
double TargetForest::rounding_of(double mean) const { return kRounding * (scale_ + std::abs(mean)); }

// A mean that fixed point moved off the target's border by rounding is on it.
double TargetForest::on_border(double mean) const {
  const double slack = rounding_of(mean);
  for (const double border : {target_.low(), target_.high()})
    if (std::abs(mean - border) <= slack) return border;
  return mean;
}

}  // namespace cfrules
