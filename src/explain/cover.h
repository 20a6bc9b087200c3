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
#include "explain/feature_sets.h"
#include "explain/group_words.h"
#include "explain/people_set.h"
#include "region/move_axis.h"

namespace cfrules {

struct CoverDemand {
  double share = 0.9;  // of the people, to be served
  std::size_t rules = 10;
  std::size_t max_features = 2;  // of a rule: 1 or 2
};

// Bins of one box, and the donors in it. A box on one feature has the second range {0, 0}.
struct CoverBox {
  std::size_t set = 0;  // of features
  std::size_t first_low = 0, first_high = 0;
  std::size_t second_low = 0, second_high = 0;
  double mass = 0;  // sum of row weights
};

class Cover {
 public:
  static constexpr std::size_t kFeatures = 8;  // leading candidates that boxes are made of
  static constexpr std::size_t kBins = 8;      // of an axis, of equal frequency

  // Asks every box about every person; run says with how many threads. All referred data must outlive this.
  Cover(const Context& context, const Reach& reach, const Settings& settings, std::span<const CodedPerson> people,
        const CoverDemand& demand, const Run& run);

  [[nodiscard]] std::vector<RegionalRule> choose() const;

 private:
  // Donors of one set of features on its axes.
  struct Donors {
    FeatureIndexes features;
    MoveAxes axes;
    std::vector<double> mass;                   // per cell
    std::vector<std::vector<Code>> code_pairs;  // distinct codes of donors; only where implications must be asked
    std::size_t first_box = 0, last_box = 0;    // [first, last) of boxes_

    [[nodiscard]] std::size_t rows() const { return axes[0]->size(); }
    [[nodiscard]] std::size_t columns() const { return axes.size() > 1 ? axes[1]->size() : 1; }
    [[nodiscard]] std::size_t cell_of(std::span<const Code> codes) const;
    // Every side leaves something out: "bring age to any value" is no advice.
    [[nodiscard]] bool narrow(const CoverBox& box) const;
  };

  [[nodiscard]] const MoveAxis* axis(std::size_t feature) const;
  void add_donors(const FeatureIndexes& features);
  void add_boxes(Donors& donors);
  [[nodiscard]] std::vector<std::uint8_t> forbidden_cells(const Donors& donors, const CodedPerson& person) const;
  // flags: one per box of boxes_.
  void mark_served(const Donors& donors, const CodedPerson& person, std::span<std::uint8_t> flags) const;
  [[nodiscard]] std::size_t best_box(const PeopleSet& unserved) const;
  [[nodiscard]] RegionalRule write(const CoverBox& box, const PeopleSet& served, const PeopleSet& unserved,
                                   const GroupWords& words) const;
  // The mean over the served people of what all donors of the box say, code by code.
  void state_probability(const FeatureIndexes& features, std::span<const Interval> box, const PeopleSet& served,
                         Rule& rule) const;

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  std::span<const CodedPerson> people_;
  CoverDemand demand_;
  Run run_;
  std::vector<MoveAxis> axes_;
  std::vector<Donors> donors_;
  std::vector<CoverBox> boxes_;
  std::vector<PeopleSet> served_by_;  // per box
};

}  // namespace cfrules
