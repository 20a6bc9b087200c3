// Grows forests on codes. In: codes by column, one outcome per row, weights. Out: a frozen Forest and what its trees say
// of the rows they did not see. Trees are independent: any thread count gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/run.h"
#include "cfrules/table.h"
#include "forest/grid.h"
#include "forest/tree.h"

namespace cfrules {

enum class EstimationRows { all, oob, honest };

struct TrainOptions {
  std::size_t trees = 300;
  std::size_t depth = 0;               // 0: no limit
  std::size_t min_leaf = 1;            // rows (drawn ones count as often as drawn)
  std::size_t features_per_split = 0;  // 0: square root of the features for classes, a third for numbers (at least 1)
  bool bootstrap = true;               // draw as many rows as there are, with replacement
  double subsample = 1.0;              // without bootstrap: share of the rows drawn for each tree, without replacement
  EstimationRows estimation_rows = EstimationRows::all;
  std::vector<double> class_weights;   // empty: all 1
  std::uint64_t seed = 0;
};

// One byte per cell, column by column: what the trainer scans.
struct ByteColumns {
  std::size_t rows = 0;
  std::vector<std::vector<std::uint8_t>> columns;
};

// No axis of the grid may have a code above 255; Grid::learn with at most 256 codes keeps to that.
[[nodiscard]] ByteColumns byte_codes(const Grid& grid, const Table& table, const Run& run);

struct TrainingSet {
  const ByteColumns& codes;
  std::span<const double> outcome;        // class index, or number
  std::size_t classes = 0;                // 0: a numeric outcome
  std::span<const double> weights;        // empty: all 1
  std::span<const std::uint32_t> groups;  // empty: every row on its own; else rows of a group are drawn together
};

// What the trees that did not see a row say of it, averaged in the order of the trees.
// channels: one per class; for a numeric outcome the mean of the tree outcomes and the mean of their squares.
struct OutOfBag {
  std::size_t channels = 0;
  std::vector<double> means;           // rows x channels; NaN where no tree left the row out
  std::vector<std::uint32_t> trees;    // per row: how many trees left it out
};

struct GrownForest {
  Forest forest;
  OutOfBag out_of_bag;
  double out_of_bag_score = 0;  // accuracy, or R squared, over rows some tree left out; NaN if there are none
};

[[nodiscard]] GrownForest train_forest(const TrainingSet& data, const TrainOptions& options, const Run& run);

}  // namespace cfrules
