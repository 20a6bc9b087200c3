// Isolation forest (Liu, Ting, Zhou 2008): how easily a point is cut off from the others. It grows on real positions, but
// is stored as trees over codes of a grid of its own, made of all its thresholds, so that the one traversal reads it too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed.h"
#include "cfrules/run.h"
#include "forest/grid.h"
#include "forest/leaf_numbers.h"
#include "forest/tree.h"

namespace cfrules {

struct IsolationOptions {
  std::size_t trees = 200;
  std::size_t sample = 256;  // rows per tree
  std::uint64_t seed = 0;
};

class IsolationForest {
 public:
  IsolationForest() = default;
  IsolationForest(Grid cuts, std::vector<Tree> trees, std::size_t sample);

  // positions: one column per feature, as Grid::position gives them, NaN where missing (taken as lying one tenth of the
  // column's range below its minimum).
  [[nodiscard]] static IsolationForest grow(std::span<const std::span<const double>> positions,
                                            const IsolationOptions& options, const Run& run);
  [[nodiscard]] static IsolationForest grow(const std::vector<std::vector<double>>& positions,
                                            const IsolationOptions& options, const Run& run);

  // Larger is more ordinary; above 0 is an inlier (scikit-learn's decision_function with its default offset).
  [[nodiscard]] double score(std::span<const double> positions) const;
  [[nodiscard]] double score_of_path(double mean_path) const;
  [[nodiscard]] double score_of_paths(Fixed sum) const;  // over the trees
  [[nodiscard]] Fixed paths_at(std::span<const Code> codes) const;  // their sum; codes: of cuts()
  // The mean path length from which on score_of_path is above margin.
  [[nodiscard]] double least_path(double margin) const;

  [[nodiscard]] const Grid& cuts() const { return cuts_; }                // codes of positions (axes have no categories)
  [[nodiscard]] const std::vector<Tree>& trees() const { return trees_; } // leaf_values: path length, one per leaf; no rows
  [[nodiscard]] LeafNumbers leaf_numbers() const { return paths_.of(trees_); }
  [[nodiscard]] std::size_t sample() const { return sample_; }            // rows each tree really saw

 private:
  Grid cuts_;
  std::vector<Tree> trees_;
  LeafNumberList paths_;
  std::size_t sample_ = 0;
  double normaliser_ = 1;
};

}  // namespace cfrules
