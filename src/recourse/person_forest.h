// A target's forest as one person sees it: all features but the changed ones keep the person's codes, so that each tree
// shrinks to its splits on the changed features. The same probabilities, to the bit, at a fraction of the steps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "recourse/place_in_rule.h"
#include "region/target_forest.h"

namespace cfrules {

class PersonForest {
 public:
  // codes: of the whole row. The forest must outlive this.
  PersonForest(const TargetForest& forest, std::span<const Code> codes, std::span<const std::size_t> changed);

  // codes: one per changed feature, in their order.
  [[nodiscard]] double probability(std::span<const Code> codes) const;

 private:
  struct Shrinking;

  const TargetForest* forest_;
  LeafSums constant_;               // of the trees that no longer split
  std::vector<Node> nodes_;         // of all others; the feature of a split is its place among the changed ones
  std::vector<std::size_t> roots_;  // into nodes_
  std::vector<LeafSums> leaves_;    // by leaf id
};

// What a sampler asks: this forest, shrunk to whoever is asked about. The forest must outlive the answer.
[[nodiscard]] PersonProbability shrunk_to_person(const TargetForest& forest);

}  // namespace cfrules
