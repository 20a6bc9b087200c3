// One person and one rule: which points of the rule this person may take, and what each of them is worth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cfrules/explainer.h"
#include "cfrules/explanation.h"
#include "forest/isolation_forest.h"
#include "recourse/noise.h"
#include "recourse/person_isolation.h"
#include "region/cost_scale.h"
#include "region/reach.h"
#include "region/row_blocks.h"

namespace cfrules {

// The target's probability at codes of the changed features, and how it is made for one person's codes and the features
// changed: what the other features say can then be read once.
using CellProbability = std::function<double(std::span<const Code>)>;
using PersonProbability = std::function<CellProbability(std::span<const Code>, std::span<const std::size_t>)>;

// What all people share. Everything referred to is borrowed.
struct SamplerData {
  const Table& rows;
  const RowBlocks& blocks;
  const Grid& grid;
  const IsolationForest& inliers;
  const Reach& reach;
  const CostScale& costs;
  PersonProbability probability;
  RecourseOptions options;
  double min_probability = 0;
  Noise noise;
  Noise usual_noise;  // what people miss a value by when nobody says otherwise
};

struct RulePoint {
  static constexpr std::size_t kNoDonor = std::numeric_limits<std::size_t>::max();

  std::vector<double> values;    // one per condition, as in Table
  std::size_t donor = kNoDonor;  // the training row the values come from
  double cost = 0;
  double inlier_score = 0;
  double probability = 0;
  double sureness = 0;
};

class PlaceInRule {
 public:
  // data, row and rule must outlive this.
  PlaceInRule(const SamplerData& data, std::span<const double> row, const Rule& rule);

  [[nodiscard]] const SamplerData& data() const { return data_; }
  [[nodiscard]] const std::vector<Condition>& conditions() const { return rule_.conditions; }
  [[nodiscard]] double present(std::size_t place) const { return row_[conditions()[place].index]; }

  // Training rows whose codes lie in every condition; looked for when first asked.
  [[nodiscard]] const std::vector<std::uint32_t>& donors();
  [[nodiscard]] double value_of(std::uint32_t donor, std::size_t place) const {
    return data_.rows.value(donor, conditions()[place].index);
  }
  // A donor's value as this person may take it: on the feature's step, if it has one. NaN if there is no such value.
  [[nodiscard]] double taken(double value, std::size_t place) const;
  [[nodiscard]] double taken_from(std::uint32_t donor, std::size_t place) const {
    return taken(value_of(donor, place), place);
  }
  [[nodiscard]] RulePoint point_of(std::uint32_t donor) const;

  [[nodiscard]] bool allows(std::span<const double> values);
  // In the rule by codes and by printed bounds.
  [[nodiscard]] bool holds(std::size_t place, double value) const;
  // What is asked of points in the rule: no constraint broken, steady enough under the asked noise.
  [[nodiscard]] bool keeps_constraints(std::span<const double> values);

  [[nodiscard]] double cost(std::span<const double> values) const;
  // l1 or l2, each feature in units of its training range.
  [[nodiscard]] double distance(std::span<const double> values) const;
  [[nodiscard]] double inlier_score(std::span<const double> values);
  // The same in two steps, for values in the rule: where each stands among the splits, and the score there.
  [[nodiscard]] Code isolation_cell(std::size_t place, double value) const {
    return isolation_.cell(place, data_.grid.position(conditions()[place].index, value));
  }
  [[nodiscard]] double inlier_score_at(std::span<const Code> cells) const { return isolation_.score_at(cells); }
  [[nodiscard]] double stays_in_box(std::span<const double> values) const;
  // The same under the usual noise: how deep inside the rule a point lies.
  [[nodiscard]] double depth(std::span<const double> values) const;
  // Mean probability where the usual noise takes this point. What is not changed is not missed.
  [[nodiscard]] double steadiness(std::span<const double> values);
  // False where fewer than a fiftieth of the donors lie at or beyond one of the numbers changed.
  [[nodiscard]] bool in_company(std::span<const double> values);
  // Remembers what it has asked: donors share their codes.
  [[nodiscard]] double probability(std::span<const double> values);

 private:
  [[nodiscard]] std::span<const double> moved_row(std::span<const double> values);
  [[nodiscard]] ValueSide company(std::size_t place);

  const SamplerData& data_;
  std::span<const double> row_;
  const Rule& rule_;
  std::vector<Grid::ValueRange> ranges_;  // per condition: positions that have its codes
  PersonIsolation isolation_;
  std::vector<double> positions_;  // of the point whose score was last asked for
  std::vector<double> moved_row_;  // the person, moved to the point last looked at
  std::optional<std::vector<std::uint32_t>> donors_;
  std::optional<std::vector<ValueSide>> company_;
  CellProbability cell_probability_;  // empty until first asked
  std::map<std::vector<Code>, double> known_probabilities_;
};

[[nodiscard]] ValueSide side_of(const Condition& condition);
[[nodiscard]] bool has_names(const Feature& feature);  // categories and truth values

}  // namespace cfrules
