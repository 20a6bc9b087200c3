// Trees as one person sees them: all features but the changed ones keep the person's codes, so that each tree shrinks
// to its splits on the changed features. The same sums at a fraction of the steps; and where few leaves are left, all
// trees are looked up at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bisect.h"
#include "kernels/box_lookup.h"
#include "region/target_forest.h"

namespace cfrules {

class ShrunkForest {
 public:
  // codes: of the whole row. ranges: per changed feature where all questions will lie; empty: anywhere.
  ShrunkForest(const LeafNumbers& source, std::span<const Code> codes, std::span<const std::size_t> changed,
               std::span<const Interval> ranges);

  // Codes of a changed feature that no split tells apart are one cell; missing is cell 0. Each cell but the last ends
  // with a cut, the greatest code in it.
  [[nodiscard]] const std::vector<Code>& cuts(std::size_t slot) const { return cuts_[slot]; }
  [[nodiscard]] Code cell(std::size_t slot, Code code) const {
    return static_cast<Code>(count_below(cuts_[slot], code));
  }

  // cells: one per changed feature, in their order.
  [[nodiscard]] LeafSums sums(std::span<const Code> cells) const;

 private:
  struct SmallNode {
    std::uint32_t left = 0;  // the right child is left + 1; a leaf is its own left child, whatever the cell
    std::uint16_t slot = 0;  // of the changed feature; top bit: missing goes right
    Code cut = 0;            // cells up to it go left; codes while the tree is shrinking

    [[nodiscard]] std::uint32_t next(std::span<const Code> cells) const {
      // Where missing goes right it stands above all other cells.
      const std::uint16_t lowered = slot >> 15;
      const bool right = static_cast<Code>(cells[slot & kSlot] - lowered) > static_cast<Code>(cut - lowered);
      return left + (right ? 1u : 0u);
    }
  };
  struct SmallTree {
    std::uint32_t root = 0;
    std::uint32_t depth = 0;
  };
  struct Shrinking;
  struct LeafBoxes;
  static constexpr std::uint16_t kSlot = 0x7FFF;

  [[nodiscard]] bool is_leaf(std::uint32_t node) const { return nodes_[node].left == node; }
  void turn_codes_into_cells(std::size_t slots);
  void lay_table(std::size_t channels);
  [[nodiscard]] LeafSums step_down(std::span<const Code> cells) const;

  std::vector<SmallNode> nodes_;
  std::vector<LeafSums> leaves_;  // per node; leaves only
  std::vector<SmallTree> trees_;  // those that still split, deepest first
  LeafSums constant_;             // of all others, and what all say besides
  std::vector<std::vector<Code>> cuts_;
  std::optional<BoxLookup> table_;  // of the leaves
};

}  // namespace cfrules
