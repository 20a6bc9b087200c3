// Trees as one person sees them: all features but the changed ones keep the person's codes, so that each tree shrinks
// to its splits on the changed features. The same sums at a fraction of the steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "region/target_forest.h"

namespace cfrules {

class ShrunkForest {
 public:
  struct Source {
    std::span<const Tree> trees;
    std::span<const std::vector<Fixed>> first;   // per tree: of its leaves
    std::span<const std::vector<Fixed>> second;  // may be empty
  };
  // codes: of the whole row. ranges: per changed feature where all questions will lie; empty: anywhere.
  ShrunkForest(const Source& source, std::span<const Code> codes, std::span<const std::size_t> changed,
               std::span<const Interval> ranges);

  // codes: one per changed feature, in their order.
  [[nodiscard]] LeafSums sums(std::span<const Code> codes) const;

 private:
  struct SmallNode {
    std::uint32_t left = 0;  // the right child is left + 1; a leaf is its own left child, whatever the code
    std::uint16_t slot = 0;  // of the changed feature; top bit: missing goes right
    Code cut = 0;            // codes up to it go left

    [[nodiscard]] std::uint32_t next(std::span<const Code> codes) const {
      // Where missing goes right it stands above all other codes.
      const std::uint16_t lowered = slot >> 15;
      const bool right = static_cast<Code>(codes[slot & 0x7FFF] - lowered) > static_cast<Code>(cut - lowered);
      return left + (right ? 1u : 0u);
    }
  };
  struct SmallTree {
    std::uint32_t root = 0;
    std::uint32_t depth = 0;
  };
  struct Shrinking;

  std::vector<SmallNode> nodes_;
  std::vector<LeafSums> leaves_;  // per node; leaves only
  std::vector<SmallTree> trees_;  // those that still split, deepest first
  LeafSums constant_;             // of all others
};

}  // namespace cfrules
