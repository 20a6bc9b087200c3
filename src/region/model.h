// What a model file holds: the frozen result of a fit. Everything else is derived from it when it is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cfrules/explainer.h"
#include "cfrules/outcome.h"
#include "cfrules/table.h"
#include "forest/grid.h"
#include "forest/isolation_forest.h"
#include "forest/tree.h"
#include "region/audit.h"
#include "region/calibration.h"

namespace cfrules {

// How it was made; shown by inspect, and the defaults of later questions.
struct ModelSettings {
  Labels labels = Labels::observed;
  bool paper = false;
  bool imported = false;
  std::size_t trees = 0;
  std::size_t depth = 0;
  std::size_t min_leaf = 0;
  std::size_t features_per_split = 0;
  std::size_t cuts = 0;
  bool bootstrap = true;
  double subsample = 1.0;
  std::vector<double> class_weights;
  EstimateOn estimate = EstimateOn::all;
  std::uint64_t seed = 0;
  double out_of_bag_score = 0;  // NaN: unknown
  std::string version;          // of the library that made it
};

struct Model {
  Table rows;
  Outcome outcome;
  std::vector<double> weights;  // empty: all 1
  Grid grid;
  CodeMatrix codes;
  Forest forest;
  IsolationForest inliers;
  CalibrationSample calibration;  // no cases: the raw reading stands
  Audit audit;
  ModelSettings settings;
};

}  // namespace cfrules
