// From codes back to what people read.
#pragma once

#include "cfrules/explanation.h"
#include "forest/code_values.h"
#include "forest/grid.h"

namespace cfrules {

[[nodiscard]] Cell cell_of(const Feature& feature, double value);

// The values whose codes lie in side (side.low >= 1). from: the person's value, NaN where there is none.
// With the values seen, a cut of many digits becomes the shortest number on the rule's own side of it with the same
// code: whoever follows the words is inside, and every value seen stays on its side.
[[nodiscard]] Condition condition_of(const Schema& schema, const Grid& grid, std::size_t feature, Interval side,
                                     double from, const CodeValues& seen);

}  // namespace cfrules
