// Few rules for many people: boxes on one or two features that together serve a stated share of those who need
// recourse.
//
// In: people, what they may change, thresholds. Out: rules in the order chosen, each with the group it is for in words.
// Greedy: the box that is worth most to the people not served yet comes next. What a chosen box does for whom is then
// read code by code, as a rule of the person's own is, and only those whose own mean reaches min_probability count as
// served.
//
// The reading is always the moved one, whatever estimator the settings name: "does this rule work for this very person"
// is a question about moving them; the conditional estimators answer for people who are in the box already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

  // Once. The rows of a rule are places in the list of people.
  [[nodiscard]] std::vector<RegionalRule> choose();

 private:
  // A box and whom it serves, exactly.
  struct Choice {
    std::size_t box = 0;
    PeopleSet served;
    PeopleSet newly_served;
    Rule rule;  // its probability is the mean over the served
  };
  // One person's means over the donors of a box.
  struct Means {
    double raw = 0;
    double probability = 0;
  };

  [[nodiscard]] std::optional<Choice> next(const PeopleSet& unserved);
  [[nodiscard]] std::optional<std::size_t> best_box() const;
  [[nodiscard]] Choice read(std::size_t box, const PeopleSet& unserved) const;
  [[nodiscard]] std::vector<Means> means(std::size_t box, Rule& rule) const;
  void forget(std::size_t person);
  [[nodiscard]] RegionalRule write(Choice choice, const PeopleSet& unserved, const GroupWords& words) const;

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  std::span<const CodedPerson> people_;
  CoverDemand demand_;
  Run run_;
  CoverBoxes boxes_;
  std::vector<std::vector<Service>> services_;  // per person, then per box
  std::vector<std::uint32_t> worth_;            // per box: to all the people not served yet
};

}  // namespace cfrules
