// The back-off: the deepest level of a tree's cell that still holds enough rows, and what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "region/level_bounds.h"
#include "region/row_blocks.h"

namespace cfrules {

struct CountedCell {
  std::size_t level = 0;
  BitCounts rows;
};

class CellCounter {
 public:
  explicit CellCounter(const RowBlocks& blocks) : blocks_(blocks) {}

  // members: the tree's estimation rows; empty: all. open: features (ascending) whose bounds do not count. Level 0 if
  // no level holds min_rows rows. Looks first where the last answer was: neighbouring questions have near answers.
  [[nodiscard]] CountedCell deepest(const LevelBounds& bounds, std::span<const std::size_t> open,
                                    const RowMarks& members, const RowMarks& marks, std::size_t min_rows);

 private:
  void find_box(const LevelBounds& bounds, std::size_t level, std::span<const std::size_t> open);

  const RowBlocks& blocks_;
  std::size_t last_level_ = kTop;
  std::vector<BoxSide> box_;
  BlockScratch scratch_;
};

}  // namespace cfrules
