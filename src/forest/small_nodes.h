// The nodes of trees once more, in half the bytes: whoever walks through much of a large forest waits for memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"

namespace cfrules {

// Speaks as Node does.
struct SmallNode {
  static constexpr std::uint8_t kLeaf = 0xFF;

  std::uint16_t left = 0;  // index of the left child; of a leaf its number
  std::uint8_t feature = kLeaf;
  std::uint8_t cut = 0;

  [[nodiscard]] bool is_leaf() const { return feature == kLeaf; }
  [[nodiscard]] std::size_t leaf_id() const { return left; }
  [[nodiscard]] std::size_t split_feature() const { return feature; }
  [[nodiscard]] bool goes_left(Code code) const { return code <= cut; }
};

// Per tree, node by node. Empty if some tree has too many nodes, features or codes for it, or sends missing values
// right.
[[nodiscard]] std::vector<std::vector<SmallNode>> small_nodes(std::span<const Tree> trees);

}  // namespace cfrules
