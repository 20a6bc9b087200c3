// A target's forest as one person sees it.
#pragma once

#include "recourse/place_in_rule.h"
#include "region/target_forest.h"

namespace cfrules {

// What a sampler asks: this forest, shrunk to whoever is asked about; the same probabilities, to the bit. The forest
// must outlive the answer.
[[nodiscard]] PersonProbability shrunk_to_person(const TargetForest& forest);

}  // namespace cfrules
