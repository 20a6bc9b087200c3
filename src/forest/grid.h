// Cut points of every feature: exact translation between values and codes, both ways.
//
// In: a table and its outcome (for the order of categories), or given cuts. Out: codes. A category is first given its
// position in an order fixed before training (by mean outcome), so that an interval of codes is a set of categories;
// integers and booleans are numbers here. cuts are in positions; code = 1 + cuts below the position; missing is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/code.h"
#include "cfrules/outcome.h"
#include "cfrules/run.h"
#include "cfrules/table.h"
#include "forest/tree.h"

namespace cfrules {

struct Axis {
  std::vector<double> cuts;             // strictly increasing
  std::vector<std::uint32_t> position;  // category index -> place in the order; empty for other kinds
};

class Grid {
 public:
  Grid() = default;
  explicit Grid(std::vector<Axis> axes) : axes_(std::move(axes)) {}

  // Cuts between neighbouring values while at most max_codes codes are needed (missing included), else by equal
  // frequency. Weights (empty: all 1) count in the order of categories.
  [[nodiscard]] static Grid learn(const Table& table, const Outcome& outcome, std::span<const double> weights,
                                  std::size_t max_codes, const Run& run = {});

  [[nodiscard]] std::size_t features() const { return axes_.size(); }
  [[nodiscard]] const Axis& axis(std::size_t feature) const { return axes_[feature]; }

  // Codes are 0 (missing), 1, ..., last_code.
  [[nodiscard]] Code last_code(std::size_t feature) const { return static_cast<Code>(axes_[feature].cuts.size() + 1); }
  [[nodiscard]] Interval everything(std::size_t feature) const { return {kMissing, last_code(feature)}; }
  [[nodiscard]] Interval all_values(std::size_t feature) const { return {1, last_code(feature)}; }

  // The number the trees see: a category's place in the order, any other value itself. Missing stays NaN.
  [[nodiscard]] double position(std::size_t feature, double value) const;
  [[nodiscard]] Code code_of_position(std::size_t feature, double position) const;
  [[nodiscard]] Code code(std::size_t feature, double value) const { return code_of_position(feature, position(feature, value)); }
  [[nodiscard]] std::vector<Code> codes(std::span<const double> row) const;
  [[nodiscard]] CodeMatrix codes(const Table& table, const Run& run = {}) const;

  // The values with a code in [side.low, side.high], side.low >= 1, are those in (low, high], infinite where open.
  struct ValueRange { double low, high; };
  [[nodiscard]] ValueRange values(std::size_t feature, Interval side) const;
  // Category indexes with a code in side, in the order of the axis.
  [[nodiscard]] std::vector<std::uint32_t> categories(std::size_t feature, Interval side) const;

 private:
  std::vector<Axis> axes_;
};

}  // namespace cfrules
