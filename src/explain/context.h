// Everything a question needs to be answered, by reference: the frozen model, one target, one set of constraints.
#pragma once

#include <span>

#include "cfrules/explainer.h"
#include "explain/move_space.h"
#include "forest/code_values.h"
#include "forest/grid.h"
#include "forest/isolation_forest.h"
#include "region/conditional.h"
#include "region/cost_scale.h"
#include "region/reach.h"
#include "region/target_forest.h"

namespace cfrules {

struct Context {
  const Table& rows;
  const Grid& grid;
  const CodeMatrix& codes;
  std::span<const double> weights;  // empty: all 1
  const CodeValues& values;
  const IsolationForest& inliers;
  const CostScale& costs;
  const Conditional& conditional;
  const TargetForest& forest;
  const MoveSpace& moves;
  Hits hits;  // the forest's, as the conditional reading counts them

  [[nodiscard]] const Schema& schema() const { return rows.schema(); }
};

// Thresholds and choices with nothing left open.
struct Settings {
  Search search = Search::sparsest;
  Estimator estimator = Estimator::moved;
  double pi = 0.9;
  double min_probability = 0.9;
  double floor = 0.9;
  double min_mass = 0.02;
  std::size_t max_features = 4;
  std::size_t rules = 3;
  std::size_t min_rows = 5;
  bool all_sets = false;
  std::size_t path_sets = 0;
  std::size_t work_limit = 200'000;
  std::uint64_t seed = 0;
  std::vector<std::size_t> candidates;  // features, leading first

  // What divergent and sufficient sets are measured with; `moved` asks no conditional question of its own.
  [[nodiscard]] CellRule cell_rule() const {
    return {estimator == Estimator::moved ? Estimator::paper : estimator, min_rows};
  }
};

}  // namespace cfrules
