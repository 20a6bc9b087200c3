// A forest written by another program: node arrays as JSON (docs/import.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cfrules/table.h"
#include "forest/forest_import.h"

namespace cfrules {

struct ForestDocument {
  std::vector<ImportedTree> trees;  // features are places in the table's schema
  std::vector<std::pair<std::string, std::vector<std::string>>> category_orders;  // per feature that has one
  bool sum = false;          // leaf values add up (boosting) rather than being averaged
  std::vector<double> base;  // added to the sum; empty: 0
};

// Throws InputError naming the source and the way to the mistake; the trees themselves are checked by import_forest.
[[nodiscard]] ForestDocument parse_forest(std::string_view json, std::string_view source, const Schema& schema);

}  // namespace cfrules
