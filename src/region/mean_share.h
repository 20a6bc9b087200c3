// What the trees say of one region, one after the other: their mean, and whether it can still become large enough.
#pragma once

#include <cstddef>

#include "cfrules/explanation.h"

namespace cfrules {

class MeanShare {
 public:
  explicit MeanShare(std::size_t trees) : left_(trees) {}

  // NaN: the tree has nothing to say.
  void add(double share) {
    --left_;
    if (share != share) return;
    sum_ += share;
    ++heard_;
  }
  [[nodiscard]] std::size_t left() const { return left_; }  // trees
  // Even if the trees left were all for it. Those heard until then have a mean below it, too.
  [[nodiscard]] bool stays_below(double least) const {
    constexpr double kRounding = 1e-6;  // many times what the sum may be off
    const auto left = static_cast<double>(left_);
    return sum_ + left < least * (static_cast<double>(heard_) + left) - kRounding;
  }
  // Of the trees heard; NaN if there are none.
  [[nodiscard]] double value() const { return heard_ == 0 ? kUnknown : sum_ / static_cast<double>(heard_); }

 private:
  double sum_ = 0;
  std::size_t heard_ = 0;
  std::size_t left_;
};

}  // namespace cfrules
