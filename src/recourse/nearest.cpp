#include "recourse/nearest.h"

#include <algorithm>
#include <cmath>

namespace cfrules {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Feature& feature_at(const PlaceInRule& place, std::size_t index) {
  return place.data().rows.schema()[place.conditions()[index].index];
}

double donor_median(PlaceInRule& place, std::size_t index) {
  const std::size_t feature = place.conditions()[index].index;
  if (place.donors().empty()) return kUnknown;
  std::vector<double> values;
  for (const std::uint32_t donor : place.donors()) values.push_back(place.data().rows.value(donor, feature));
  const auto position = [&](double value) { return place.data().grid.position(feature, value); };
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end(),
                   [&](double one, double other) { return position(one) < position(other); });
  return *middle;
}

// Fits a wish to the feature's kind: a whole number, a step, inside the side. Falls back on the side's own end.
double settle(const PlaceInRule& place, std::size_t index, double wish) {
  const Condition& condition = place.conditions()[index];
  if (const Lattice* lattice = place.data().reach.lattice(condition.index))
    return lattice->nearest(wish, side_of(condition)).value_or(kUnknown);
  if (feature_at(place, index).kind == Kind::integer) {
    const double whole = std::round(wish);
    if (place.holds(index, whole)) return whole;
    return whole < wish ? whole + 1 : whole - 1;
  }
  return wish;
}

double enter_from_below(const PlaceInRule& place, std::size_t index) {
  const Condition& condition = place.conditions()[index];
  if (place.data().reach.lattice(condition.index)) return settle(place, index, condition.low);
  if (feature_at(place, index).kind == Kind::integer)
    return condition.low_closed ? std::ceil(condition.low) : std::floor(condition.low) + 1;
  if (condition.low_closed) return condition.low;
  const double least = place.data().reach.code_values().least_within(condition.index, condition.codes);
  return place.holds(index, least) ? least : std::nextafter(condition.low, kInfinity);
}

double enter_from_above(const PlaceInRule& place, std::size_t index) {
  const Condition& condition = place.conditions()[index];
  if (place.data().reach.lattice(condition.index)) return settle(place, index, condition.high);
  if (feature_at(place, index).kind == Kind::integer)
    return condition.high_closed ? std::floor(condition.high) : std::ceil(condition.high) - 1;
  // An end inside the outermost code was stated by a person; a cut is the engine's and nobody's value.
  const double cut = place.data().grid.values(condition.index, condition.codes).high;
  if (condition.high_closed && condition.high < cut) return condition.high;
  const double greatest = place.data().reach.code_values().greatest_within(condition.index, condition.codes);
  if (place.holds(index, greatest)) return greatest;
  return condition.high_closed ? condition.high : std::nextafter(condition.high, -kInfinity);
}

double nearest_name(const PlaceInRule& place, std::size_t index, double wish) {
  const std::size_t feature = place.conditions()[index].index;
  const Grid& grid = place.data().grid;
  const std::size_t names = feature_at(place, index).categories.size();
  double best = kUnknown;
  double best_away = kInfinity;
  for (std::size_t name = 0; name < names; ++name) {
    const auto value = static_cast<double>(name);
    const double away = std::abs(grid.position(feature, value) - grid.position(feature, wish));
    const bool lower = away == best_away && grid.position(feature, value) < grid.position(feature, best);
    if (place.holds(index, value) && (away < best_away || lower)) {
      best = value;
      best_away = away;
    }
  }
  return best;
}

double clamped_value(PlaceInRule& place, std::size_t index) {
  const double present = place.present(index);
  if (place.holds(index, present)) return present;
  const double wish = std::isnan(present) ? donor_median(place, index) : present;
  if (has_names(feature_at(place, index))) return nearest_name(place, index, wish);
  if (std::isnan(present)) return settle(place, index, wish);
  const ValueSide side = side_of(place.conditions()[index]);
  const bool below = side.low_closed ? wish < side.low : wish <= side.low;
  if (below) return enter_from_below(place, index);
  const bool above = side.high_closed ? wish > side.high : wish >= side.high;
  return above ? enter_from_above(place, index) : settle(place, index, wish);
}

double steadiest_value(const PlaceInRule& place, std::size_t index, double clamped) {
  const Condition& condition = place.conditions()[index];
  if (place.data().noise.deviation(condition.index) == 0) return clamped;
  const CodeValues& known = place.data().reach.code_values();
  const bool low = std::isfinite(condition.low);
  const bool high = std::isfinite(condition.high);
  if (!low && !high) return clamped;
  if (low && high) return settle(place, index, condition.low / 2 + condition.high / 2);
  const double far = low ? known.greatest_within(condition.index, condition.codes)
                         : known.least_within(condition.index, condition.codes);
  return std::isnan(far) ? clamped : settle(place, index, far);
}

}  // namespace

std::optional<RulePoint> clamped_point(PlaceInRule& place) {
  RulePoint point;
  for (std::size_t index = 0; index < place.conditions().size(); ++index) {
    point.values.push_back(clamped_value(place, index));
    if (std::isnan(point.values.back())) return std::nullopt;
  }
  return point;
}

std::optional<RulePoint> steadiest_point(PlaceInRule& place) {
  std::optional<RulePoint> point = clamped_point(place);
  if (!point) return point;
  for (std::size_t index = 0; index < point->values.size(); ++index) {
    point->values[index] = steadiest_value(place, index, point->values[index]);
    if (std::isnan(point->values[index])) return std::nullopt;
  }
  return point;
}

}  // namespace cfrules
