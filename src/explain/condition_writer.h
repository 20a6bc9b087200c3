// From codes back to what people read.
#pragma once

#include "cfrules/explanation.h"
#include "forest/grid.h"

namespace cfrules {

[[nodiscard]] Cell cell_of(const Feature& feature, double value);

// The values whose codes lie in side (side.low >= 1). from: the person's value, NaN where there is none.
[[nodiscard]] Condition condition_of(const Schema& schema, const Grid& grid, std::size_t feature, Interval side, double from);

}  // namespace cfrules
