// Simulated annealing inside a rule (the paper's algorithm 1): the most ordinary point among recombined donors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "recourse/place_in_rule.h"

namespace cfrules {

struct AnnealingOptions {
  std::size_t steps = 1000;
  std::size_t keep = 1;       // distinct points to return
  double temperature = 0.05;  // in units of the inlier score
  double cooling = 0.995;     // factor per step
};

// Starts at a random donor the person may follow. A proposal redraws each feature of a random non-empty subset of the
// rule's features from a donor of its own; linked features share one. Returns the best points ever stood on, best
// first; empty without a start.
[[nodiscard]] std::vector<RulePoint> anneal(PlaceInRule& place, const AnnealingOptions& options, RandomStream& random);

}  // namespace cfrules
