// The back-off: the deepest level of a tree's cell that still holds enough rows, and what it holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "region/level_bounds.h"
#include "region/row_blocks.h"

namespace cfrules {

struct CountedCell {
  std::size_t level = 0;
  BitCounts rows;
};

// What is counted. Deeper cells lie inside shallower ones.
struct CellQuestion {
  const RowMarks& members;  // the tree's estimation rows; empty: all
  const RowMarks& marks;    // rows of the marked kind
  std::size_t min_rows = 1;
  std::span<const std::size_t> open;  // features (ascending) whose bounds do not count
};

class CellCounter {
 public:
  explicit CellCounter(const RowBlocks& blocks) : blocks_(blocks) {}

  // Level 0 if no level holds min_rows rows. levels: LevelBounds, or a CellWalk that makes them when asked for them.
  // Looks first where the last answer was: neighbouring questions have near answers.
  template <class Levels>
  [[nodiscard]] CountedCell deepest(Levels& levels, const CellQuestion& question) {
    held_level_ = kNowhere;
    std::size_t start = hint_;
    if (!levels.reach(start)) start = levels.levels() - 1;
    if (blocks_.large()) start = likely_level(levels, start, question);
    // Up in growing steps until there are enough rows, then down one by one, which costs little: few blocks are left.
    const auto count_level = [&](std::size_t level) {
      read(levels, level, question);
      return count(level, question);
    };
    CountedCell cell = count_level(start);
    std::size_t end = kNowhere;  // from here on there are too few
    for (std::size_t step = 1; cell.level > 0 && cell.rows.all < question.min_rows; step *= 2) {
      end = cell.level;
      const std::size_t above = end - std::min(end, step);
      cell = count_level(above);
    }
    for (std::size_t level = cell.level + 1; level < end && cell.rows.all >= question.min_rows; ++level) {
      if (!levels.reach(level)) break;
      const CountedCell deeper = count_level(level);
      if (deeper.rows.all < question.min_rows) break;
      cell = deeper;
    }
    hint_ = cell.level;
    return cell;
  }

  // The level looked at first, if there was an answer before.
  [[nodiscard]] std::optional<std::size_t> first_level() const {
    return hint_ == kNowhere ? std::nullopt : std::optional(hint_);
  }

  // The rows of the cell last found, in any order. Not after remember().
  void rows(std::vector<std::uint32_t>& rows) const { blocks_.list(scratch_.found, rows); }

  // From now on questions have the same members and marks, so that boxes asked about before are answered from memory.
  void remember();

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Known {
    std::uint64_t hash = 0;
    std::size_t round = 0;  // of remember(); others are forgotten
    std::size_t key = 0;    // where its bounds begin in keys_
    BitCounts rows;
  };

  // Makes a level's box the one in question.
  template <class Levels>
  void read(Levels& levels, std::size_t level, const CellQuestion& question) {
    levels.copy(level, key_);
    for (const std::size_t feature : question.open) key_[2 * feature] = key_[2 * feature + 1] = 0;
  }
  // The deepest that seems to hold enough rows, looked for from `level` on.
  template <class Levels>
  [[nodiscard]] std::size_t likely_level(Levels& levels, std::size_t level, const CellQuestion& question) {
    const auto is_likely = [&](std::size_t at) {
      read(levels, at, question);
      return blocks_.expected(read_sides(false)) >= static_cast<double>(question.min_rows);
    };
    if (is_likely(level)) {
      while (levels.reach(level + 1) && is_likely(level + 1)) ++level;
    } else {
      while (level > 0 && !is_likely(--level)) {
      }
    }
    return level;
  }

  [[nodiscard]] CountedCell count(std::size_t level, const CellQuestion& question);
  [[nodiscard]] BitCounts count_box(std::size_t level, const CellQuestion& question);
  [[nodiscard]] std::span<const CodeSide> read_sides(bool held);

  const RowBlocks& blocks_;
  std::size_t hint_ = kNowhere;  // the level last found
  std::size_t round_ = 0;     // 0: nothing is remembered
  std::vector<Known> known_;  // by hash; a newcomer takes the place of who was there
  std::vector<std::uint16_t> keys_;
  std::vector<std::uint16_t> key_;     // the box in question: its bounds, open ones as none
  std::vector<std::uint16_t> held_;    // the box whose rows the scratch holds, in the same form
  std::size_t held_level_ = kNowhere;  // its level; kNowhere: nothing of this question's
  BitCounts held_rows_;
  std::vector<CodeSide> sides_;
  BlockScratch scratch_;
};

}  // namespace cfrules
