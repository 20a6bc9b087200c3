// Trees written down by hand, over a grid with given cuts, for tests that are worked on paper.
#pragma once

#include <cstddef>
#include <vector>

#include "cfrules/table.h"
#include "forest/grid.h"
#include "forest/tree.h"

namespace cfrules::test {

// A node of a tree on paper: values up to the threshold go left.
struct Sketch {
  std::size_t feature = 0;
  double threshold = 0;
  bool missing_right = false;
  std::vector<Sketch> children;  // none: a leaf
  std::vector<double> says;      // leaf
};

[[nodiscard]] Sketch leaf(std::vector<double> says = {0.0});
[[nodiscard]] Sketch split(std::size_t feature, double threshold, Sketch left, Sketch right);

// Number features named x0, x1, ...; rows as given.
[[nodiscard]] Table table_of(const std::vector<std::vector<double>>& rows);
// Every threshold of the sketches is a cut.
[[nodiscard]] Grid grid_of(std::size_t features, const std::vector<Sketch>& sketches);
// All rows estimate.
[[nodiscard]] Forest forest_of(const std::vector<Sketch>& sketches, const Grid& grid, const CodeMatrix& codes);

}  // namespace cfrules::test
