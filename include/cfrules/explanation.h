// Results as plain data in value space: no pointers inside, complete for a reader. Text, JSON, Python and the page are
// all written from these. A number that is not known is NaN here and null in JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cfrules/code.h"
#include "cfrules/table.h"

namespace cfrules {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

enum class Status { found, below_threshold, no_recourse, already_in_target };
enum class Search { sparsest, divergent };
enum class Estimator { moved, paper, leaf_union, inside };
enum class RecourseMethod { surest, nearest, cheapest, annealing };

[[nodiscard]] std::string_view name_of(Status status);
[[nodiscard]] std::string_view name_of(Search search);
[[nodiscard]] std::string_view name_of(Estimator estimator);  // leaf_union is called "union"
[[nodiscard]] std::string_view name_of(RecourseMethod method);

// One cell of a table as it is shown: a name for categories and booleans, else a number; missing is NaN without a name.
struct Cell {
  double value = kUnknown;  // as in Table
  std::string name;
};

// One side of a rule: bring this feature into a range, or into a set of categories.
struct Condition {
  std::size_t index = 0;  // of the feature
  std::string feature;
  Kind kind = Kind::number;
  Cell from;  // the person's value; unknown in rules for groups
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_closed = false;
  bool high_closed = false;
  std::vector<std::string> values;  // category, boolean: the allowed names
  Interval codes;                   // the same side in the engine's codes
};

struct Probability {
  double raw = kUnknown;
  double calibrated = kUnknown;
  double low = kUnknown;  // interval of the stated probability
  double high = kUnknown;
  std::size_t held_out = 0;  // cases the interval rests on; 0: unknown
  bool verified = false;     // the cases are points of this very rule, and the model itself was asked about them

  [[nodiscard]] double stated() const { return calibrated == calibrated ? calibrated : raw; }
};

struct ChangedValue {
  std::size_t index = 0;
  std::string feature;
  Cell cell;
};

struct Recourse {
  std::vector<ChangedValue> values;  // the features of the rule, with their new values
  RecourseMethod method = RecourseMethod::surest;
  double probability = kUnknown;  // calibrated, at this very point
  double inlier_score = kUnknown;
  double cost = kUnknown;
  double stays_in_box = kUnknown;  // chance to stay inside under the asked noise
};

struct Rule {
  std::vector<Condition> conditions;
  Probability probability;
  double mass = 0;          // share of (similar) people who are there already
  std::size_t support = 0;  // training rows behind the probability
  double cost = kUnknown;   // of the nearest point of the rule
  bool optimal = false;     // no larger box exists: proven
  std::vector<Recourse> recourses;
};

// A set of features with its counterfactual decision probability: what the divergent search returns beside the rules.
struct FeatureSet {
  std::vector<std::string> features;
  double cdp = kUnknown;
};

struct Explanation {
  std::size_t row = 0;
  Status status = Status::no_recourse;
  std::vector<std::string> target;
  Search search = Search::sparsest;
  Estimator estimator = Estimator::moved;
  bool plausible = false;            // every rule's points are inliers
  std::vector<std::string> changed;  // features of the first rule
  double cdp = kUnknown;             // chance that redrawing the changed features reaches the target
  double base_rate = kUnknown;
  std::vector<FeatureSet> sets;
  std::vector<Rule> rules;
  std::string note;  // one sentence where something has to be said: which constraint binds, what was relaxed
};

// Why the decision is what it is.
struct SufficientSet {
  std::vector<std::string> features;
  double probability = kUnknown;      // of keeping the decision when only these are known
  std::vector<Condition> rule;        // widened box, if asked for
  double rule_probability = kUnknown;
  double rule_share = kUnknown;       // of the training rows inside
};

struct SufficientExplanation {
  std::size_t row = 0;
  std::string decision;
  bool found = false;  // some set reaches the threshold; else sets holds the best one
  std::vector<SufficientSet> sets;
  std::vector<double> frequency;  // per feature: share of the sets that contain it
};

// One rule for a group.
struct RegionalRule {
  std::vector<Condition> who;  // the group in words; empty: everybody who needs recourse
  Rule rule;
  std::size_t people = 0;   // of the group
  std::size_t served = 0;   // people this rule serves that no earlier rule serves
  std::size_t reached = 0;  // people of the group who reach the threshold one by one
  std::size_t plausible = 0;      // of the served: at least half of the rule's places make inliers of them
  std::vector<std::size_t> rows;  // of the table of people: everybody this rule serves, whether or not an earlier one does
};

// How one group of the people fares, for the reader who wants to know whether the rules serve all alike.
struct SummaryGroup {
  std::optional<Condition> who;         // none: people whose value is missing
  std::size_t people = 0;               // of the group, who need recourse
  std::size_t served = 0;               // by any of the rules
  std::vector<std::size_t> served_by;   // by each rule, whether or not others serve them too
  double cost = kUnknown;               // mean over the served: to the nearest rule that serves the person
};

struct Summary {
  std::vector<std::string> target;
  std::size_t people = 0;  // who need recourse
  std::size_t served = 0;
  double cover = kUnknown;          // share asked for
  double min_probability = kUnknown;
  std::vector<RegionalRule> rules;  // in the order chosen
  std::string by;                    // the feature the groups are of; empty: not asked for
  std::vector<SummaryGroup> groups;  // those with people in need
};

}  // namespace cfrules
