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

void weigh(const PlaceInRule& place, std::vector<RulePoint>& points) {
  for (RulePoint& point : points) {
    point.cost = place.cost(point.values);
    point.inlier_score = place.inlier_score(point.values);
  }
}

void read(PlaceInRule& place, std::vector<RulePoint>& points) {
  for (RulePoint& point : points) {
    const PointReading reading = place.reading(point.values);
    point.probability = reading.probability;
    point.raw = reading.raw;
  }
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

constexpr double kAsSure = 0.01;
constexpr std::size_t kShortlist = 10;

// Of points as sure as the surest, within a hundredth, little mishaps tell: those deepest inside the rule and those the
// forest is most at one about are tried under noise. What counts is both to stay in the rule and to stay sure: beyond
// the rule the forest's word is worth less. Then the others by probability.
void sort_by_sureness(PlaceInRule& place, std::vector<RulePoint>& points) {
  const auto by = [&points](auto end, const auto& key) {
    std::sort(points.begin(), end, [&](const auto& one, const auto& other) { return key(one) < key(other); });
  };
  for (RulePoint& point : points) point.depth = place.depth(point.values);
  by(points.end(), [](const RulePoint& p) { return std::tuple(-p.probability, -p.raw, p.cost, p.donor); });
  const double enough = points.front().probability - kAsSure;
  const auto sure =
      std::partition_point(points.begin(), points.end(), [&](const auto& p) { return p.probability >= enough; });
  const auto shortlist = points.begin() + std::min<std::ptrdiff_t>(kShortlist, sure - points.begin());
  const auto deepest = shortlist + std::min<std::ptrdiff_t>(kShortlist, sure - shortlist);
  std::partial_sort(shortlist, deepest, sure, [](const auto& one, const auto& other) {
    return std::tuple(-one.depth, one.cost, one.donor) < std::tuple(-other.depth, other.cost, other.donor);
  });
  for (auto point = points.begin(); point != deepest; ++point)
    point->steadiness = place.steadiness(point->values) + point->depth;
  by(deepest, [](const RulePoint& p) { return std::tuple(-p.steadiness, -p.probability, -p.raw, p.cost, p.donor); });
  std::sort(deepest, points.end(), [](const auto& one, const auto& other) {
    return std::tuple(-one.probability, -one.raw, one.cost, one.donor) <
           std::tuple(-other.probability, -other.raw, other.cost, other.donor);
  });
}

}  // namespace

std::vector<RulePoint> surest_points(PlaceInRule& place) {
  std::vector<RulePoint> points = donor_points(place, kDonorCap);
  add_steadiest(place, points);
  weigh(place, points);
  const auto plausible_end = std::stable_partition(points.begin(), points.end(), is_plausible);
  const bool plausible = plausible_end != points.begin();
  if (plausible) points.erase(plausible_end, points.end());
  read(place, points);
  if (plausible) {
    sort_by_sureness(place, points);
    return points;
  }
  const double enough = place.data().min_probability;
  const auto key = [&](const RulePoint& point) {
    return std::tuple(point.probability < enough, -point.inlier_score, -point.probability, -point.raw, point.cost,
                      point.donor);
  };
  std::sort(points.begin(), points.end(), [&](const auto& one, const auto& other) { return key(one) < key(other); });
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
  const auto key = [&](const RulePoint& point) {
    return std::tuple(tier(point), point.cost, -point.probability, point.donor);
  };
  std::sort(points.begin(), points.end(), [&](const auto& one, const auto& other) { return key(one) < key(other); });
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
