// Constraints on a grid of moves. In: what people may do, a set of features. Out: the cells where one of them may not
// go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explain/move_space.h"
#include "region/reach.h"

namespace cfrules {

// A flag per cell, or nothing where the constraints do not touch these features. A cell is forbidden if some code of
// its bins is, or if some place in it breaks an implication, for any of the people.
[[nodiscard]] std::vector<std::uint8_t> forbidden_cells(const Reach& reach, const MoveSet& set,
                                                        std::span<const CodedPerson* const> people);

}  // namespace cfrules
