// Points inside a rule: the values a person could really take. In: a person, a rule, what the training rows look like.
// Out: recourses, best first, each checked again against its rule, the constraints and the asked noise.
//
// surest    the plausible donor point the forest is surest of, at the point and where people miss it a little, and not
//           at an end of the rule where donors are few; if no donor point is plausible, the most ordinary one among
//           those that reach min_probability, else among all
// nearest   the person clamped into the rule; donor points by distance after it, or instead where it is not allowed
// cheapest  the least cost among plausible points that reach min_probability; if there are none, among those that reach
//           it, else among all
// annealing the most ordinary recombination of donors
//
// A donor is a training row in the rule; a donor point is the person with the rule's features taken from one donor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recourse/place_in_rule.h"

namespace cfrules {

class RecourseSampler {
 public:
  // Everything but options and probability is borrowed. Throws InputError on noise that does not fit the table.
  RecourseSampler(const Table& rows, const RowBlocks& blocks, const Grid& grid, const IsolationForest& inliers,
                  const Reach& reach, const CostScale& costs, PersonProbability probability,
                  const RecourseOptions& options, double min_probability);

  // Up to options.per_rule distinct points; empty if the rule holds none this person may take. Annealing draws from the
  // stream named by seed and stream_id. Any number of threads may ask at once.
  [[nodiscard]] std::vector<Recourse> draw(std::span<const double> row, const Rule& rule, std::uint64_t stream_id,
                                           std::uint64_t seed) const;

 private:
  SamplerData data_;
};

}  // namespace cfrules
