// Small random problems for the tests: a table, an outcome, a forest and everything the engine derives from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "cfrules/constraints.h"
#include "cfrules/explanation.h"
#include "cfrules/outcome.h"
#include "cfrules/table.h"
#include "explain/context.h"
#include "forest/trainer.h"
#include "region/reach.h"
#include "region/region.h"

namespace cfrules::test {

// The ways to read a forest at a region, all but the moved one.
inline constexpr Estimator kEstimators[] = {Estimator::paper, Estimator::leaf_union, Estimator::inside};

struct WorldOptions {
  std::size_t rows = 60;
  std::size_t features = 4;
  std::size_t classes = 2;     // 0: a numeric outcome
  std::size_t max_codes = 12;  // per feature, missing included
  bool missing = true;         // some cells are
  bool fine = false;           // every feature a number, hardly any value twice
  bool weighted = false;
  bool calibrated = true;
  TrainOptions forest;
};

[[nodiscard]] WorldOptions random_options(RandomStream& random);
// Full-grown trees of some hundred leaves.
[[nodiscard]] WorldOptions large_trees(RandomStream& random);

// What a user would bring.
struct Draft {
  Table table;
  Outcome outcome;
  std::vector<double> weights;  // empty: all 1
};

// Numbers, integers, truth values and categories; the outcome leans on the first features.
[[nodiscard]] Draft random_draft(const WorldOptions& options, RandomStream& random);
// One or several classes, or an interval; some row is in it.
[[nodiscard]] Target random_target(const Outcome& outcome, RandomStream& random);

class World {
 public:
  World(Draft draft, Target wanted, const WorldOptions& options);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] CodedPerson person(std::vector<double> values_of_person) const;
  // Mostly a training row, with some values from other rows and now and then a missing one.
  [[nodiscard]] CodedPerson random_person(RandomStream& random) const;
  // Features fixed at the person's values, free, or in a range around some row's code.
  [[nodiscard]] Region random_region(const CodedPerson& person, RandomStream& random) const;
  [[nodiscard]] std::vector<std::size_t> random_features(std::size_t count, RandomStream& random) const;

  Table table;
  Outcome outcome;
  std::vector<double> weights;
  Grid grid;
  CodeMatrix codes;
  GrownForest grown;
  CodeValues values;
  IsolationForest inliers;
  CostScale costs;
  CalibrationSample sample;
  TargetForest forest;
  Conditional conditional;
  MoveSpace moves;
  Context context;
};

// A world with its own random numbers, all of it from one seed.
[[nodiscard]] World random_world(const WorldOptions& options, RandomStream& random);

[[nodiscard]] RandomStream test_stream(std::uint64_t seed, std::uint64_t id);

// Directions, ranges, steps, names and an implication, as people might state them. May contradict itself or hold no
// training value; Reach then refuses it.
[[nodiscard]] Constraints random_constraints(const World& world, RandomStream& random);

// Constraints in every second case, unless refused.
[[nodiscard]] Reach random_reach(const World& world, RandomStream& random);

}  // namespace cfrules::test
