// What the judge is asked about one explanation: the recourse, noisy copies of it, and points drawn from the rules'
// donors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "cfrules/explanation.h"
#include "cfrules/table.h"
#include "quality/measures.h"
#include "region/cost_scale.h"
#include "region/row_blocks.h"

namespace cfrules {

struct Trial {
  bool already = false;  // the outcome was wanted already: nothing to judge
  PersonTrial person;
  // Complete rows: the recourse, its noisy copies variance by variance, then the draws rule by rule.
  std::vector<std::vector<double>> points;
};

class TrialMaker {
 public:
  // The training rows; weights empty: all 1. All referred data must outlive this.
  TrialMaker(const Table& rows, const RowBlocks& blocks, std::span<const double> weights, const CostScale& costs,
             std::uint64_t seed);

  // Random numbers depend on the seed and explanation.row alone. Only what was found is tried: rules below the
  // threshold make no promise.
  [[nodiscard]] Trial make(std::span<const double> person, const Explanation& explanation) const;
  // The person with the values of so many donors drawn from the rule; nothing if it has none.
  [[nodiscard]] std::vector<std::vector<double>> draws(std::span<const double> person, const Rule& rule,
                                                       RandomStream& random, std::size_t count = kDrawsPerRule) const;

 private:
  void add_recourse(std::span<const double> person, const Recourse& recourse, RandomStream& random, Trial& trial) const;
  void add_draws(std::span<const double> person, const Rule& rule, RandomStream& random, Trial& trial) const;

  const Table& rows_;
  const RowBlocks& blocks_;
  std::span<const double> weights_;
  const CostScale& costs_;
  std::uint64_t seed_;
  std::vector<double> ranges_;  // of each numeric feature in the training rows; 0 for names
};

// Points, a value per feature each, at the ends of columns.
void add_points(std::span<const std::vector<double>> points, std::vector<std::vector<double>>& columns);

// The points of all trials, in order: what a judge is asked.
[[nodiscard]] Table points_of(std::span<const Trial> trials, const Schema& schema);

// accepted: a flag per point of the trial.
void settle(PersonTrial& person, std::span<const std::uint8_t> accepted);

}  // namespace cfrules
