#include "api/plausibility.h"

#include <span>
#include <vector>

namespace cfrules {

// The position of a number is the number itself, so only the columns of categories are made anew.
IsolationForest grow_isolation_forest(const Model& model, const FitOptions& options, const Run& run) {
  std::vector<std::vector<double>> places(model.rows.features());
  std::vector<std::span<const double>> positions;
  for (std::size_t feature = 0; feature < places.size(); ++feature) {
    const std::span<const double> column = model.rows.column(feature);
    if (model.grid.axis(feature).position.empty()) {
      positions.push_back(column);
      continue;
    }
    for (const double value : column) places[feature].push_back(model.grid.position(feature, value));
    positions.emplace_back(places[feature]);
  }
  return IsolationForest::grow(positions, {.trees = options.isolation_trees, .sample = 256, .seed = options.seed}, run);
}

}  // namespace cfrules
