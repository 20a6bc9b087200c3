// Rules by the moved reading: what becomes of this person (or of these people) who moves into the box.
//
// In: coded people, a set of features. Out: the largest boxes whose donors' places are all pure (probability at least the
// floor), plausible (inliers with some margin) and allowed, with mean probability at least the threshold. One and two
// features: exact. More: on coarse bins, then shrunk until every donor's own place is pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/context.h"
#include "explain/donor_points.h"
#include "explain/feature_sets.h"
#include "kernels/largest_box.h"
#include "region/move_grid.h"
#include "region/move_leaves.h"

namespace cfrules {

// How ordinary the places of a rule must be: a margin on the isolation score, or no demand at all.
enum class Plausibility { clear, fair, bare, none };
[[nodiscard]] std::optional<double> inlier_margin(Plausibility demand);

struct FoundRules {
  std::vector<Rule> rules;  // best mass first; empty: none
  Plausibility demand = Plausibility::none;

  [[nodiscard]] double mass() const { return rules.empty() ? 0.0 : rules.front().mass; }
};

// Probability wanted on average and at every donor's place.
struct Purity {
  double mean = 0.9;
  double floor = 0.9;
};

// Unweighted cost of moving one feature to the nearest training value inside a side.
[[nodiscard]] double cost_of_side(const Context& context, std::size_t feature, Interval side, double from);

class MovedRules {
 public:
  // A rule for all of these people at once: readings are averaged. The people must outlive this.
  MovedRules(const Context& context, const Reach& reach, const Settings& settings, std::vector<const CodedPerson*> people);

  // Up to so many disjoint rules, best mass first. The first is of interest only if its mass is above `beat`.
  [[nodiscard]] FoundRules solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules, double beat = 0) {
    return solve(features, demand, rules, purity_, beat);
  }
  [[nodiscard]] FoundRules solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules, Purity purity, double beat);
  // No rule on these features has more mass than this: the mean is left out of account, the floor is not.
  [[nodiscard]] double mass_bound(const FeatureIndexes& features, Plausibility demand);
  // The highest probability at any allowed donor cell; 0 if there is none.
  [[nodiscard]] double peak(const FeatureIndexes& features) { return read(features).peak; }

 private:
  // At the donor cells of a set, in their order.
  struct Reading {
    std::vector<double> raw;
    std::vector<double> probability;
    std::vector<double> path;             // mean path length; empty until asked for
    std::vector<std::uint8_t> forbidden;  // by the constraints, for every cell; empty: none is
    double peak = 0;
  };

  // The grid a box is looked for in. No mass: the features cannot reach the purity anywhere.
  struct Arena {
    const MoveSet& set;
    Reading& reading;
    std::vector<std::uint8_t> blocked;  // per cell
    std::vector<double> mass;
    double least_path;
  };

  Reading& read(const FeatureIndexes& features);
  [[nodiscard]] Arena arena(const FeatureIndexes& features, Plausibility demand, Purity purity);
  [[nodiscard]] std::vector<Interval> pure_box(const MoveSet& set, std::span<const IndexRange> bins, const PointDemand& demand) const;
  // One person's leaves for all sets of as many candidates as these, or null where the set is walked on its own.
  [[nodiscard]] const MoveLeaves* leaves(MoveLeaves::World world, const FeatureIndexes& features) const;
  void read_paths(const MoveSet& set, Reading& reading) const;
  [[nodiscard]] SumGrid sums(const MoveSet& set, const CodedPerson& person) const;
  [[nodiscard]] std::vector<Fixed> paths(const MoveSet& set, const CodedPerson& person) const;
  [[nodiscard]] std::vector<std::uint8_t> allowed_bins(const MoveAxis& axis) const;
  [[nodiscard]] std::vector<std::uint8_t> forbidden_cells(const MoveSet& set) const;
  [[nodiscard]] std::vector<std::uint8_t> blocked_cells(const MoveSet& set, const Reading& reading, std::optional<double> margin,
                                                        double floor) const;
  [[nodiscard]] Rule write_rule(const FeatureIndexes& features, std::span<const Interval> box, bool optimal) const;
  void state_probability(const MoveSet& set, const Reading& reading, Rule& rule) const;

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  std::vector<const CodedPerson*> people_;
  Purity purity_;
  std::map<FeatureIndexes, Reading> readings_;
  struct SharedLeaves {
    std::size_t departures = 0;
    std::optional<MoveLeaves> leaves;
  };
  bool share_walks_;
  mutable SharedLeaves forest_leaves_;
  mutable SharedLeaves isolation_leaves_;
};

}  // namespace cfrules
