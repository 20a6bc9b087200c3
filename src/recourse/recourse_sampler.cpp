#include "recourse/recourse_sampler.h"

#include <cmath>

#include "recourse/annealing.h"
#include "recourse/ranking.h"

namespace cfrules {

namespace {

constexpr double kUsualNoise = 0.1;  // standard deviation, as a share of a feature's range

std::vector<RulePoint> points_by_method(PlaceInRule& place, const RandomStream& stream) {
  const RecourseOptions& options = place.data().options;
  switch (options.method) {
    case RecourseMethod::surest:
      return surest_points(place);
    case RecourseMethod::nearest:
      return nearest_points(place, options.per_rule);
    case RecourseMethod::cheapest:
      return cheapest_points(place);
    case RecourseMethod::annealing:
      break;
  }
  RandomStream random = stream;
  return anneal(place, {.steps = options.steps, .keep = options.per_rule}, random);
}

Cell cell_of(const Feature& feature, double value) {
  if (!has_names(feature)) return {value, {}};
  return {value, text_of(feature, value)};
}

Recourse recourse_at(PlaceInRule& place, const RulePoint& point) {
  Recourse recourse;
  recourse.method = place.data().options.method;
  recourse.probability = place.probability(point.values);
  recourse.inlier_score = place.inlier_score(point.values);
  recourse.cost = place.cost(point.values);
  recourse.stays_in_box = place.stays_in_box(point.values);
  for (std::size_t index = 0; index < point.values.size(); ++index) {
    const std::size_t feature = place.conditions()[index].index;
    const Feature& described = place.data().rows.schema()[feature];
    recourse.values.push_back({feature, described.name, cell_of(described, point.values[index])});
  }
  return recourse;
}

}  // namespace

RecourseSampler::RecourseSampler(const Table& rows, const RowBlocks& blocks, const Grid& grid,
                                 const IsolationForest& inliers, const Reach& reach, const CostScale& costs,
                                 PersonProbability probability, const RecourseOptions& options, double min_probability)
    : data_{rows,
            blocks,
            grid,
            inliers,
            reach,
            costs,
            std::move(probability),
            options,
            min_probability,
            Noise(options, rows.schema(), grid, reach.code_values()),
            Noise({.noise = {kUsualNoise}}, rows.schema(), grid, reach.code_values())} {}

std::vector<Recourse> RecourseSampler::draw(std::span<const double> row, const Rule& rule, std::uint64_t stream_id,
                                            std::uint64_t seed) const {
  std::vector<Recourse> recourses;
  if (data_.options.per_rule == 0 || rule.conditions.empty()) return recourses;
  PlaceInRule place(data_, row, rule);
  for (const RulePoint& point : points_by_method(place, RandomStream(seed, Purpose::annealing, stream_id))) {
    if (recourses.size() == data_.options.per_rule) break;
    if (place.allows(point.values)) recourses.push_back(recourse_at(place, point));
  }
  return recourses;
}

}  // namespace cfrules
