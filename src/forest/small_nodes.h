// Trees in nodes of half the bytes.
#pragma once

#include <span>

#include "forest/tree.h"

namespace cfrules {

// Per tree, node by node. Empty if some tree has too many nodes, features or codes for it, or sends missing values
// right.
[[nodiscard]] SmallTrees small_nodes(std::span<const Tree> trees);

}  // namespace cfrules
