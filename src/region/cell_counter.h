// The back-off: the deepest level of a tree's cell that still holds enough rows, and what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

  // From now on questions have the same members and marks, so that boxes asked about before are answered from memory.
  void remember();

 private:
  struct Known {
    std::uint64_t hash = 0;
    std::size_t round = 0;  // of remember(); others are forgotten
    std::size_t key = 0;    // where its bounds begin in keys_
    BitCounts rows;
  };

  // What is counted; deeper cells lie inside shallower ones.
  struct Cells {
    const LevelBounds& bounds;
    std::span<const std::size_t> open;
    const RowMarks& members;
    const RowMarks& marks;
  };
  [[nodiscard]] CountedCell count(const Cells& cells, std::size_t level);
  [[nodiscard]] BitCounts count_box(const Cells& cells, std::size_t level);

  const RowBlocks& blocks_;
  std::size_t last_level_ = kTop;
  std::size_t round_ = 0;     // 0: nothing is remembered
  std::vector<Known> known_;  // by hash; a newcomer takes the place of who was there
  std::vector<std::uint16_t> keys_;
  std::vector<std::uint16_t> key_;  // the box in question: its bounds, open ones as none
  std::vector<CodeSide> box_;
  BlockScratch scratch_;
  std::size_t counted_level_ = kTop;  // of the cells in question: what the scratch holds; kTop: nothing of theirs
};

}  // namespace cfrules
