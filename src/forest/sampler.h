// Which rows a tree grows on and which it is kept from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "forest/trainer.h"

namespace cfrules {

// What is drawn as one: a row, or all rows of a group.
class SamplingUnits {
 public:
  SamplingUnits(std::size_t rows, std::span<const std::uint32_t> groups);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t of_row(std::size_t row) const { return unit_.empty() ? row : unit_[row]; }

 private:
  std::size_t count_;
  std::vector<std::uint32_t> unit_;  // per row; empty: every row is its own unit
};

struct Draw {
  // Per unit: how often it was drawn. A byte is enough: no unit of n is drawn more than 255 times in n draws, short of
  // a chance of one in 10^500.
  std::vector<std::uint8_t> times;
  std::vector<std::uint8_t> held_out;  // per unit: 1 in the half kept for estimation; empty unless honest
};

// Honest: a random half of the units (rounded down) is held out first; the rest is what can be drawn. Draws are as many
// as the units that can be drawn (bootstrap), or their subsample share, rounded and at least one.
[[nodiscard]] Draw draw_units(const SamplingUnits& units, const TrainOptions& options, RandomStream& random);

}  // namespace cfrules
