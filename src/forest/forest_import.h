// Takes over a forest grown elsewhere. In: node arrays per tree, the table whose rows stand behind its leaves. Out: the
// same trees frozen over codes of a grid made of their own thresholds, exactly: x <= threshold  <=>  code <= cut.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/outcome.h"
#include "cfrules/run.h"
#include "cfrules/table.h"
#include "forest/grid.h"
#include "forest/tree.h"

namespace cfrules {

// Node 0 is the root; left and right are both negative at a leaf, where feature and threshold are not read. Left when
// position <= threshold; for a category the position is its place in the order given to import_forest.
struct ImportedTree {
  std::vector<std::int64_t> feature;
  std::vector<double> threshold;
  std::vector<std::int64_t> left, right;
  std::vector<bool> missing_left;          // empty: missing goes left everywhere
  std::vector<std::vector<double>> value;  // per node, read at leaves; empty: taken from the rows in each leaf
};

struct ImportedForest {
  Grid grid;
  Forest forest;  // every tree's rows are all rows of the table
};

// category_order: a grid whose axes hold the places of categories; its cuts are not used. weights: empty if all are 1.
// Without values a leaf says what its rows say, and if it has none, what its nearest ancestor's rows say. Importance is
// the impurity its splits remove on these rows. Throws InputError naming tree and node.
[[nodiscard]] ImportedForest import_forest(const std::vector<ImportedTree>& trees, const Table& table,
                                           const Outcome& outcome, std::span<const double> weights,
                                           const Grid& category_order, const Run& run = {});

}  // namespace cfrules
