#include "recourse/ranking.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "recourse/nearest.h"

namespace cfrules {

namespace {

constexpr std::size_t kDonorCap = 2000;  // each may need a probability

void add_if_allowed(PlaceInRule& place, std::optional<RulePoint> point, std::vector<RulePoint>& points) {
  if (!point || !place.allows(point->values)) return;
  const auto same = [&](const RulePoint& other) { return other.values == point->values; };
  if (std::none_of(points.begin(), points.end(), same)) points.push_back(std::move(*point));
}

void add_steadiest(PlaceInRule& place, std::vector<RulePoint>& points) {
  if (place.data().noise.limited()) add_if_allowed(place, steadiest_point(place), points);
}

void weigh(PlaceInRule& place, std::vector<RulePoint>& points) {
  for (RulePoint& point : points) {
    point.cost = place.cost(point.values);
    point.inlier_score = place.inlier_score(point.values);
  }
}

void read(PlaceInRule& place, std::span<RulePoint> points) {
  for (RulePoint& point : points) point.probability = place.probability(point.values);
}

bool is_plausible(const RulePoint& point) { return point.inlier_score > 0; }

}  // namespace

std::vector<RulePoint> donor_points(PlaceInRule& place, std::size_t cap) {
  const std::vector<std::uint32_t>& donors = place.donors();
  std::vector<RulePoint> points;
  std::set<std::vector<double>> seen;
  std::size_t examined = 0;
  const std::size_t stride = (donors.size() + cap - 1) / cap;
  for (std::size_t offset = 0; offset < stride; ++offset) {
    for (std::size_t index = offset; index < donors.size(); index += stride) {
      RulePoint point = place.point_of(donors[index]);
      if (!place.allows(point.values)) continue;
      if (seen.insert(point.values).second) points.push_back(std::move(point));
      if (++examined == cap) return points;
    }
  }
  return points;
}

namespace {

template <class Key>
void sort_by(std::span<RulePoint> points, const Key& key) {
  std::sort(points.begin(), points.end(), [&](const auto& one, const auto& other) { return key(one) < key(other); });
}

// People reach a value only roughly, so being sure has two parts: at the point, which counts most, and around it. How
// deep the point lies in the rule is a first guess of the second; for the best by that guess the forest is asked.
void sort_by_sureness(PlaceInRule& place, std::span<RulePoint> points) {
  constexpr std::size_t kAsked = 50;
  constexpr double kAtThePoint = 4;
  const auto key = [](const RulePoint& point) { return std::tuple(-point.sureness, point.cost, point.donor); };
  for (RulePoint& point : points) point.sureness = kAtThePoint * point.probability + place.depth(point.values);
  sort_by(points, key);
  const std::span<RulePoint> best = points.first(std::min(kAsked, points.size()));
  for (RulePoint& point : best) point.sureness = kAtThePoint * point.probability + place.steadiness(point.values);
  sort_by(best, key);
}

// A rule open to one side is deepest where hardly anybody is, and what the forest says there rests on few rows. Points
// there come last, unless it is certain of them: of the model's own trees it knows what they decide.
void rank_plausible(PlaceInRule& place, std::vector<RulePoint>& points) {
  read(place, points);
  const auto lonely = std::stable_partition(points.begin(), points.end(), [&](const RulePoint& point) {
    return point.probability >= 1 || place.in_company(point.values);
  });
  const auto preferred = static_cast<std::size_t>(lonely - points.begin());
  sort_by_sureness(place, std::span(points).first(preferred));
  if (preferred < place.data().options.per_rule) sort_by_sureness(place, std::span(points).subspan(preferred));
}

void rank_implausible(PlaceInRule& place, std::vector<RulePoint>& points) {
  read(place, points);
  const double enough = place.data().min_probability;
  sort_by(points, [&](const RulePoint& point) {
    return std::tuple(point.probability < enough, -point.inlier_score, -point.probability, point.cost, point.donor);
  });
}

}  // namespace

std::vector<RulePoint> surest_points(PlaceInRule& place) {
  std::vector<RulePoint> points = donor_points(place, kDonorCap);
  add_steadiest(place, points);
  weigh(place, points);
  const auto plausible_end = std::stable_partition(points.begin(), points.end(), is_plausible);
  if (plausible_end == points.begin()) {
    rank_implausible(place, points);
    return points;
  }
  points.erase(plausible_end, points.end());
  rank_plausible(place, points);
  return points;
}

std::vector<RulePoint> cheapest_points(PlaceInRule& place) {
  std::vector<RulePoint> points = donor_points(place, kDonorCap);
  add_if_allowed(place, clamped_point(place), points);
  add_steadiest(place, points);
  weigh(place, points);
  read(place, points);
  const double enough = place.data().min_probability;
  const auto tier = [&](const RulePoint& point) {
    if (point.probability < enough) return 2;
    return is_plausible(point) ? 0 : 1;
  };
  sort_by(points,
          [&](const RulePoint& point) { return std::tuple(tier(point), point.cost, -point.probability, point.donor); });
  if (points.empty()) return points;
  const int best = tier(points.front());
  std::erase_if(points, [&](const RulePoint& point) { return tier(point) != best; });
  return points;
}

std::vector<RulePoint> nearest_points(PlaceInRule& place, std::size_t enough) {
  std::optional<RulePoint> clamped = clamped_point(place);
  if (enough == 1 && clamped && place.allows(clamped->values)) return {*clamped};
  std::vector<RulePoint> points = donor_points(place, kDonorCap);
  add_if_allowed(place, std::move(clamped), points);
  add_steadiest(place, points);
  std::vector<std::tuple<double, std::size_t, std::size_t>> order;
  for (std::size_t index = 0; index < points.size(); ++index)
    order.emplace_back(place.distance(points[index].values), points[index].donor + 1, index);  // without donor: first
  std::sort(order.begin(), order.end());
  std::vector<RulePoint> sorted;
  for (const auto& [distance, donor, index] : order) sorted.push_back(std::move(points[index]));
  return sorted;
}

}  // namespace cfrules
