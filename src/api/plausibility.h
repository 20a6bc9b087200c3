#pragma once

#include "forest/isolation_forest.h"
#include "region/model.h"

namespace cfrules {

// The isolation forest of the model's rows; it sees the positions the trees see.
[[nodiscard]] IsolationForest grow_isolation_forest(const Model& model, const FitOptions& options, const Run& run);

}  // namespace cfrules
