#pragma once

#include <vector>

#include "forest/forest_import.h"

namespace cfrules {

inline constexpr std::size_t kMostImportedCuts = 65'000;  // per feature: codes are 16 bits wide

// Throws InputError unless every tree is one: arrays of equal length, children in range, every node reached exactly
// once from node 0, features below the number given, thresholds finite, leaf values finite and one per output.
void check_imported(const std::vector<ImportedTree>& trees, std::size_t features, std::size_t outputs);

}  // namespace cfrules
