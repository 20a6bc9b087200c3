// From a person to an explanation: which features to change, which rule, and what to say when there is none.
#pragma once

#include <functional>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/conditional_rules.h"
#include "explain/context.h"
#include "explain/feature_sets.h"
#include "explain/moved_rules.h"

namespace cfrules {

// A question about one person, or about a group as one (several people, a region instead of fixed values).
struct Subject {
  std::vector<const CodedPerson*> people;
  Region region;  // the person's point, or the group's ranges
};

class LocalSearch {
 public:
  // stop is asked now and then; it may throw to end the search.
  LocalSearch(const Context& context, const Reach& reach, const Settings& settings, Subject subject,
              std::function<void()> stop = {});

  // All of an Explanation but row, recourses and the constraint's note.
  [[nodiscard]] Explanation explain();

 private:
  class ByMassBound;
  struct Choice {
    FeatureIndexes features;
    FoundRules found;
  };

  void search_sparsest(Explanation& answer);
  void search_divergent(Explanation& answer);
  [[nodiscard]] FoundRules solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules,
                                 double beat = 0);
  [[nodiscard]] FoundRules solve_with_best_plausibility(const FeatureIndexes& features);
  [[nodiscard]] FoundRules best_effort(const FeatureIndexes& features);
  [[nodiscard]] bool better(const Choice& a, const Choice& b) const;
  [[nodiscard]] std::vector<FeatureSet> divergent_sets(std::vector<FeatureIndexes>& features);
  void finish(Explanation& answer, const FeatureIndexes& features, FoundRules found, Status status) const;
  void below_threshold(Explanation& answer);
  void check_stop() const {
    if (stop_) stop_();
  }
  [[nodiscard]] std::vector<std::string> names(const FeatureIndexes& features) const;

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  Subject subject_;
  std::function<void()> stop_;
  CandidateUnits units_;
  MovedRules moved_;
  ConditionalRules conditional_;
};

}  // namespace cfrules
