// What becomes of one person who moves: the forest's sums and the isolation forest's path lengths at every place of a
// grid of moves on a few features, everything else staying as it is. No row is scanned: each leaf the walk reaches is a
// rectangle of the grid, added to an array of differences; prefix sums then give every place.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/isolation_forest.h"
#include "kernels/box_sums.h"
#include "region/move_axis.h"
#include "region/target_forest.h"

namespace cfrules {

using MoveAxes = std::vector<const MoveAxis*>;

[[nodiscard]] std::vector<std::size_t> shape_of(const MoveAxes& axes);
[[nodiscard]] std::size_t cells_of(const MoveAxes& axes);

// A person in both integer worlds.
struct CodedPerson {
  std::vector<double> values;
  std::vector<Code> codes;            // of the forest's grid
  std::vector<Code> isolation_codes;  // of the isolation forest's
};

// Sums over the trees at every cell; second is empty for classes.
struct SumGrid {
  std::vector<Fixed> first;
  std::vector<Fixed> second;
};

// The two readings as sums of boxes, places and all. memory: is written over.
class MoveLeaves;
void sum_moves(const TargetForest& forest, const MoveAxes& axes, std::span<const Code> codes, MoveLeaves& memory,
               BoxSums& into);
void sum_paths(const IsolationForest& inliers, const MoveAxes& axes, std::span<const Code> isolation_codes,
               MoveLeaves& memory, BoxSums& into);

// The same by one walk as plain as they come: what all quicker ways are compared with.
[[nodiscard]] SumGrid sum_grid(const TargetForest& forest, const MoveAxes& axes, std::span<const Code> codes);

// Sum of path lengths over the isolation trees at every cell.
[[nodiscard]] std::vector<Fixed> path_grid(const IsolationForest& inliers, const MoveAxes& axes,
                                           std::span<const Code> isolation_codes);

}  // namespace cfrules
