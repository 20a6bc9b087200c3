// Which sets of features are divergent (the paper's): redrawing them reaches the target with a probability (CDP) of pi.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "explain/conditional_rules.h"
#include "explain/context.h"
#include "explain/feature_sets.h"

namespace cfrules {

struct ScoredSet {
  double cdp = -1;
  FeatureIndexes features;
};

class DivergentSets {
 public:
  // stop is asked now and then; it may throw. All referred data must outlive this.
  DivergentSets(const ConditionalRules& rules, const CandidateUnits& units, const Settings& settings,
                std::function<void()> stop)
      : rules_(rules), units_(units), settings_(settings), stop_(std::move(stop)) {}

  // The sets of the smallest size that reach pi, or with all_sets every set none of whose proper subsets reaches it;
  // in the order they were looked at. None reaches it: the one best set. codes: of the person whose paths sets are
  // sampled from.
  [[nodiscard]] std::vector<ScoredSet> find(const Forest& forest, std::span<const Code> codes);

 private:
  [[nodiscard]] std::vector<std::vector<FeatureIndexes>> by_size(const Forest& forest,
                                                                 std::span<const Code> codes) const;
  [[nodiscard]] bool is_minimal(const FeatureIndexes& set) const;
  // From this set on: lets the trees tell which of them do not reach `least`.
  void hear(std::size_t begin, double least);
  void look_at(std::vector<FeatureIndexes> sets, std::size_t trees);
  [[nodiscard]] ScoredSet leading() const;  // by what was heard

  const ConditionalRules& rules_;
  const CandidateUnits& units_;
  const Settings& settings_;
  std::function<void()> stop_;
  std::vector<FeatureIndexes> sets_;  // looked at
  std::vector<MeanShare> cdps_;       // of each of them; below pi only as far as it took to see that
  std::vector<ScoredSet> reached_;
};

}  // namespace cfrules
