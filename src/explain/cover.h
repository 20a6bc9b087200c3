// Few rules for many people: boxes on one or two features that together serve a stated share of those who need
// recourse.
//
// In: people, what they may change, thresholds. Out: rules in the order chosen, each with the group it is for in words.
// A box serves a person if, over the donors of the box, the person's mean probability of the target reaches
// min_probability, at least half of the donors' places are inliers, and constraints forbid none of its bins. Greedy:
// the box that serves most people not served yet comes next.
//
// The reading is always the moved one, whatever estimator the settings name: "does this rule work for this very person"
// is a question about moving them; the conditional estimators answer for people who are in the box already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "cfrules/run.h"
#include "explain/context.h"
#include "explain/cover_boxes.h"
#include "explain/feature_sets.h"
#include "explain/group_words.h"
#include "explain/people_set.h"

namespace cfrules {

struct CoverDemand {
  double share = 0.9;  // of the people, to be served
  std::size_t rules = 10;
  std::size_t max_features = 2;  // of a rule: 1 or 2
};

class Cover {
 public:
  // Asks every box about every person; run says with how many threads. All referred data must outlive this.
  Cover(const Context& context, const Reach& reach, const Settings& settings, std::span<const CodedPerson> people,
        const CoverDemand& demand, const Run& run);

  [[nodiscard]] std::vector<RegionalRule> choose();

 private:
  void forget(const PeopleSet& served);
  [[nodiscard]] std::size_t best_box() const;
  [[nodiscard]] PeopleSet whom(std::size_t box, Service least) const;
  [[nodiscard]] RegionalRule write(std::size_t box, const PeopleSet& unserved, const GroupWords& words) const;
  // The mean over the served people of what all donors of the box say, code by code.
  void state_probability(const FeatureIndexes& features, std::span<const Interval> box, const PeopleSet& served,
                         Rule& rule) const;

  const Context& context_;
  const Reach& reach_;
  std::span<const CodedPerson> people_;
  CoverDemand demand_;
  Run run_;
  CoverBoxes boxes_;
  std::vector<std::vector<Service>> services_;  // per person, then per box
  std::vector<std::uint32_t> worth_;            // per box: what it does for the people not served yet, in all
};

}  // namespace cfrules
