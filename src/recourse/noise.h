// People reach a recommended value only roughly: the chance that they still end up in the rule.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cfrules/explainer.h"
#include "cfrules/explanation.h"
#include "forest/code_values.h"
#include "forest/grid.h"

namespace cfrules {

class Noise {
 public:
  // One number is a share of each feature's training range; else one standard deviation per feature, in its units.
  // Throws InputError: another count, a negative number, a limit on invalid points without noise.
  Noise(const RecourseOptions& options, const Schema& schema, const Grid& grid, const CodeValues& values);

  [[nodiscard]] bool asked() const { return asked_; }
  [[nodiscard]] bool limited() const { return asked_ && max_invalid_ == max_invalid_; }
  // Standard deviation; 0: reached exactly, as categories and truth values always are.
  [[nodiscard]] double deviation(std::size_t feature) const { return deviations_[feature]; }

  // Product over the conditions of Phi((high - x) / s) - Phi((low - x) / s), x their new value; NaN if none was asked.
  [[nodiscard]] double stays_in_box(std::span<const Condition> conditions, std::span<const double> values) const;
  // True unless the chance to leave the box exceeds the limit, if there is one.
  [[nodiscard]] bool accepts(double stays_in_box) const;

 private:
  bool asked_ = false;
  double max_invalid_ = kUnknown;
  std::vector<double> deviations_;  // one per feature
};

// Mishaps that stand for a normal law: one for each of equal parts of it in every feature, spread evenly over any two
// features (a lattice). Numbered from -kMishaps to kMishaps; 0 hits the mark everywhere.
inline constexpr int kMishaps = 11;
// By how many standard deviations the mishap misses the place-th of the values changed.
[[nodiscard]] double missed_by(int mishap, std::size_t place);

}  // namespace cfrules
