// Why the decision is what it is: the fewest features that, once known, keep it with the wanted probability.
//
// In: a person, and which training rows have the person's decision. Out: the sets, best first, and on request each as a
// rule. The probability is the paper's SDP: features of the set fixed at the person's values, all others free.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cfrules/explainer.h"
#include "explain/feature_sets.h"
#include "explain/sufficient_box.h"
#include "region/move_grid.h"

namespace cfrules {

class SufficientSearch {
 public:
  // stop is asked now and then; it may throw. All referred data must outlive this.
  SufficientSearch(const Schema& schema, const CodeValues& values, const CandidateUnits& units,
                   const SufficientOptions& options, std::function<void()> stop)
      : schema_(schema), values_(values), units_(units), options_(options), stop_(std::move(stop)) {}

  // All of a SufficientExplanation but row and decision.
  [[nodiscard]] SufficientExplanation explain(const CodedPerson& person, const KeptDecision& decision) const;

 private:
  struct ScoredSet {
    FeatureIndexes features;
    double probability = -1;
  };
  struct Found {
    std::vector<ScoredSet> sets;  // that reach pi, smallest first
    ScoredSet best;               // of the others
  };

  [[nodiscard]] Found search(const CodedPerson& person, const KeptDecision& decision) const;
  void add_rule(const CodedPerson& person, const KeptDecision& decision, const ScoredSet& scored,
                SufficientSet& set) const;

  const Schema& schema_;
  const CodeValues& values_;
  const CandidateUnits& units_;
  const SufficientOptions& options_;
  std::function<void()> stop_;
};

}  // namespace cfrules
