// From a person to an explanation: which features to change, which rule, and what to say when there is none.
#pragma once

#include <functional>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/conditional_rules.h"
#include "explain/context.h"
#include "explain/divergent_sets.h"
#include "explain/feature_sets.h"
#include "explain/moved_rules.h"

namespace cfrules {

// A question about one person, or about a group as one (several people, a region instead of fixed values).
struct Subject {
  std::vector<const CodedPerson*> people;
  Region region;  // the person's point, or the group's ranges
};

// A rule the forest thinks well of; whoever knows better is asked before it is offered.
struct Proposal {
  FeatureIndexes features;
  Plausibility demand = Plausibility::none;
  Purity purity;  // by the forest
  Rule rule;
};

// Which rules are worth asking about: places of these floors, highest first, as ordinary as these demands, strictest
// first, and so many rules of each floor.
struct ProposalRules {
  std::vector<double> floors;
  std::vector<Plausibility> demands;
  std::size_t most = 8;
};

class LocalSearch {
 public:
  // stop is asked now and then; it may throw to end the search. scratch: memory to use, null for its own.
  LocalSearch(const Context& context, const Reach& reach, const Settings& settings, Subject subject,
              std::function<void()> stop = {}, MoveScratch* scratch = nullptr);

  // All of an Explanation but row, recourses and the constraint's note.
  [[nodiscard]] Explanation explain();

  // By the moved reading, on sets of so many features: those of the highest floor first, of these the most ordinary, of
  // these the heaviest. The settings' floor is the lowest of the floors.
  [[nodiscard]] std::vector<Proposal> propose(std::size_t size, const ProposalRules& wanted);
  // The explanation a proposal makes, with further rules on its features beside it.
  [[nodiscard]] Explanation explain(const Proposal& proposal);

 private:
  class ByMassBound;
  struct Choice {
    FeatureIndexes features;
    FoundRules found;
  };

  [[nodiscard]] Explanation blank() const;  // nothing found yet
  void search_sparsest(Explanation& answer);
  void search_divergent(Explanation& answer);
  [[nodiscard]] FoundRules solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules,
                                 double beat = 0);
  [[nodiscard]] FoundRules solve_with_best_plausibility(const FeatureIndexes& features);
  [[nodiscard]] FoundRules best_effort(const FeatureIndexes& features);
  [[nodiscard]] bool better(const Choice& a, const Choice& b) const;
  [[nodiscard]] std::vector<ScoredSet> divergent_sets();
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
