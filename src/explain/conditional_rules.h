// Rules by the conditional estimators (the paper's): the heaviest box on a set of features whose probability, read from
// the forest's cells, is at least the threshold.
//
// In: a base region (a person's fixed values, or a group's ranges) and the features that may change. Out: boxes, heaviest
// first. Mass is the sum of the row weights inside, under "the features free, the rest as it is". Mass only falls as a
// box shrinks, so boxes are opened heaviest first, each at most once, and the first one that is pure enough is the
// answer: exact. Past the work limit the best box that greedy growth found stands, and is not called optimal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/conditional_box_search.h"
#include "explain/context.h"
#include "explain/feature_sets.h"

namespace cfrules {

class ConditionalRules {
 public:
  // person: values for conditions and constraints, or empty for a group. stop is asked often; it may throw.
  ConditionalRules(const Context& context, const Reach& reach, const Settings& settings, Region base, std::vector<double> person,
                   std::function<void()> stop = {});

  // Up to so many disjoint rules that reach min_probability. None: empty.
  [[nodiscard]] std::vector<Rule> solve(const FeatureIndexes& features, std::size_t rules) const;
  // The purest small box: what can be said where nothing reaches the threshold. None: empty.
  [[nodiscard]] std::vector<Rule> best_effort(const FeatureIndexes& features) const;

  [[nodiscard]] double cdp(const FeatureIndexes& features) const;

 private:
  [[nodiscard]] Region with_free(const FeatureIndexes& features) const;
  [[nodiscard]] ConditionalBoxSearch search(const FeatureIndexes& features) const;
  [[nodiscard]] Rule write_rule(const FeatureIndexes& features, std::span<const Interval> box, double mass, std::size_t support,
                                double probability, bool optimal) const;

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  Region base_;
  std::vector<double> person_;
  std::function<void()> stop_;
};

}  // namespace cfrules
