#include "api/plausibility.h"

namespace cfrules {

IsolationForest grow_isolation_forest(const Model& model, const FitOptions& options, const Run& run) {
  std::vector<std::vector<double>> positions(model.rows.features());
  for (std::size_t feature = 0; feature < positions.size(); ++feature)
    for (const double value : model.rows.column(feature))
      positions[feature].push_back(model.grid.position(feature, value));
  return IsolationForest::grow(positions, {.trees = options.isolation_trees, .sample = 256, .seed = options.seed}, run);
}

}  // namespace cfrules
