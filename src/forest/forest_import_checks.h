#pragma once

#include <vector>

#include "forest/forest_import.h"

namespace cfrules {

// Throws InputError unless every tree is one: arrays of equal length, children in range, every node reached exactly
// once from node 0, features below the number given, thresholds finite, leaf values in their range and one per
// output, and no tree deeper than walks can go.
void check_imported(const std::vector<ImportedTree>& trees, std::size_t features, const Outcome& outcome);

}  // namespace cfrules
