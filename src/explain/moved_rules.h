// Rules by the moved reading: what becomes of this person (or of these people) who moves into the box.
//
// In: coded people, a set of features. Out: the largest boxes whose donors' places are all pure (probability at least
// the floor), plausible (inliers with some margin) and allowed, with mean probability at least the threshold. One and
// two features: exact. More: on coarse bins, then shrunk until every donor's own place is pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/context.h"
#include "explain/donor_points.h"
#include "explain/feature_sets.h"
#include "explain/move_reader.h"
#include "kernels/largest_box.h"
#include "region/move_grid.h"

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

// Of moving from a row to the nearest training values of a rule, weighted as the constraints say.
[[nodiscard]] double cost_of_box(const Context& context, const Reach& reach, std::span<const Condition> box,
                                 std::span<const double> from);

class MovedRules {
 public:
  // A rule for all of these people at once: readings are averaged. All must outlive this. scratch null: its own.
  MovedRules(const Context& context, const Reach& reach, const Settings& settings,
             std::vector<const CodedPerson*> people, MoveScratch* scratch = nullptr);

  // The settings' purity. Readings of a set are kept for this floor and higher ones.
  [[nodiscard]] Purity purity() const { return purity_; }
  // Up to so many disjoint rules, best mass first. The first is of interest only if its mass is above `beat`.
  [[nodiscard]] FoundRules solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules,
                                 double beat = 0) {
    return solve(features, demand, rules, purity_, beat);
  }
  // With a floor no lower than the settings'.
  [[nodiscard]] FoundRules solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules, Purity purity,
                                 double beat);
  // The best rule by the first of these demands that leaves one, with any floor.
  [[nodiscard]] FoundRules solve_by_first(std::span<const Plausibility> demands, const FeatureIndexes& features,
                                          Purity purity);
  // False: no rule on these features is as ordinary as this. Quick, where reading them is not.
  [[nodiscard]] bool may_be_ordinary(const FeatureIndexes& features, Plausibility demand);
  // These, all of one size, are the ones that will be asked about next.
  void expect(const std::vector<FeatureIndexes>& sets) { reader_.expect(sets); }
  // No rule on these features has more mass than this: of all donors with a pure place, in one box or not.
  [[nodiscard]] double light_bound(const FeatureIndexes& features, Plausibility demand, Purity purity);
  // The same for one box: the mean is left out of account, the floor is not. 0 if it is not above `beat`.
  [[nodiscard]] double mass_bound(const FeatureIndexes& features, Plausibility demand, Purity purity, double beat = 0);
  // The highest probability at any allowed donor cell; 0 if there is none.
  [[nodiscard]] double peak(const FeatureIndexes& features);
  // Whether that is above this. Quick where the floor tells.
  [[nodiscard]] bool peaks_above(const FeatureIndexes& features, double probability);

 private:
  // The heaviest box of good places. Weaker demands leave more of them, so as many are the same.
  struct Bound {
    std::size_t good;
    double floor;
    double least;  // only heavier ones were looked for
    BoxAnswer answer;
  };
  // The donor cells of a set that reach a floor; all others are blocked whatever else is asked.
  struct Reading {
    std::vector<std::uint8_t> forbidden;  // by the constraints, for every cell; empty: none is
    std::vector<std::uint32_t> pure;      // places in the set's list of donor cells, ascending
    std::vector<LeafSums> sums;           // of the pure, for one person
    std::vector<double> raw;              // of the pure; empty until asked for
    std::vector<double> probability;
    std::vector<double> path;    // mean path length of the pure; empty until asked for
    std::optional<double> peak;  // where none is pure: the highest probability all the same
    std::optional<Bound> bound;  // what mass_bound found last
  };

  // Where a box is looked for. None good: the features cannot reach the purity anywhere.
  struct Arena {
    const MoveSet& set;
    Reading& reading;
    std::vector<std::uint32_t> good;  // pure and plausible, places in reading.pure
    double least_path = 0;
  };
  // The same for every cell of the grid.
  struct Field {
    std::vector<double> mass;
    std::vector<double> gain;  // empty: gains do not matter
    std::vector<std::uint8_t> blocked;
  };

  Reading& read(const FeatureIndexes& features);
  [[nodiscard]] Reading read(const MoveSet& set, double floor);
  void read_one(const MoveSet& set, double floor, Reading& reading);
  void read_group(const MoveSet& set, double floor, Reading& reading);
  [[nodiscard]] double peak_below_floor(const MoveSet& set, std::span<const std::uint8_t> forbidden);
  void read_probabilities(Reading& reading) const;
  void read_paths(const MoveSet& set, Reading& reading);
  [[nodiscard]] bool starts_ordinary();
  [[nodiscard]] bool has_ordinary_mass(const FeatureIndexes& features);
  // Of all donors; sums of weights in another order may be a little larger.
  [[nodiscard]] double share_bound(double mass) const { return mass * (1 + 1e-9) / context_.moves.total_mass(); }
  [[nodiscard]] Arena arena(const MoveSet& set, Reading& reading, Plausibility demand, Purity purity);
  void fill_field(const Arena& arena, Purity purity);
  // Null: no answer is known for these places that tells whether one is heavier than `least`.
  [[nodiscard]] static const Bound* known_bound(const Arena& arena, Purity purity, double least);
  [[nodiscard]] FoundRules solve(Arena arena, Plausibility demand, std::size_t rules, Purity purity, double beat);
  [[nodiscard]] std::optional<Rule> rule_in(const Arena& arena, std::span<const IndexRange> bins, Purity purity,
                                            bool optimal);
  [[nodiscard]] Rule write_rule(const FeatureIndexes& features, std::span<const Interval> box, bool optimal) const;

  const Context& context_;
  const Reach& reach_;
  const Settings& settings_;
  std::vector<const CodedPerson*> people_;
  Purity purity_;
  MoveScratch own_scratch_;
  MoveReader reader_;
  std::map<FeatureIndexes, Reading> readings_;
  std::optional<bool> starts_ordinary_;
  std::map<FeatureIndexes, bool> has_ordinary_mass_;  // as far as it was asked
  Field field_;
};

}  // namespace cfrules
