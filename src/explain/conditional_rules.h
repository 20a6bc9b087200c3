// Rules by the conditional estimators (the paper's): the heaviest box on a set of features whose probability, read from
// the forest's cells, is at least the threshold.
//
// In: a base region (a person's fixed values, or a group's ranges) and the features that may change. Out: boxes,
// heaviest first. Mass is the sum of the row weights inside, under "the features free, the rest as it is". Mass only
// falls as a box shrinks, so boxes are opened heaviest first, each at most once, and the first one that is pure enough
// is the answer: exact. Past the work limit the best box that greedy growth found stands, and is not called optimal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/conditional_box_search.h"
#include "explain/context.h"
#include "explain/feature_sets.h"
#include "region/move_grid.h"

namespace cfrules {

class ConditionalRules {
 public:
  // people: one person, or a group: what constraints say must hold for each of them. They must outlive this. stop is asked
  // at every box; it may throw.
  ConditionalRules(const Context& context, const Reach& reach, const Settings& settings, Region base,
                   std::vector<const CodedPerson*> people, std::function<void()> stop = {});

  // Up to so many disjoint rules that reach min_probability. None: empty.
  [[nodiscard]] std::vector<Rule> solve(const FeatureIndexes& features, std::size_t rules);
  // The purest small box: what can be said where nothing reaches the threshold. None: empty.
  [[nodiscard]] std::vector<Rule> best_effort(const FeatureIndexes& features);

  // Is there a training row in the rule whose values on its features make ordinary people of these?
  [[nodiscard]] bool plausible(const Rule& rule) const;

  [[nodiscard]] double cdp(const FeatureIndexes& features) const;
  // The same of many sets, as far as it takes to see which do not reach `least`; goes on from what they have heard.
  void hear_cdps(std::span<const FeatureIndexes> sets, double least, std::span<MeanShare> means) const;

 private:
  [[nodiscard]] double from(std::size_t feature) const;  // the person's value; unknown for a group
  [[nodiscard]] BoxLimits limits(const FeatureIndexes& features) const;
  [[nodiscard]] Region with_free(const FeatureIndexes& features) const;
  // What was learnt of a set is kept until another one is asked for.
  ConditionalBoxSearch& search(const FeatureIndexes& features);
  [[nodiscard]] Rule write_rule(const FeatureIndexes& features, const ConditionalBox& box, bool optimal);

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  Region base_;
  std::vector<const CodedPerson*> people_;
  std::function<void()> stop_;
  mutable CellScratch scratch_;  // for cdp(): one thread asks about one person
  FeatureIndexes searched_;
  std::optional<ConditionalBoxSearch> search_;
};

}  // namespace cfrules
