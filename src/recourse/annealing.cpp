#include "recourse/annealing.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cfrules {

namespace {

// A point of the rule, and where its values stand among the splits of the isolation forest: a step changes few of them.
struct Stand {
  RulePoint point;
  std::vector<Code> cells;
};

std::optional<Stand> first_stand(PlaceInRule& place, RandomStream& random) {
  const std::vector<std::uint32_t>& donors = place.donors();
  if (donors.empty()) return std::nullopt;
  const std::size_t begin = random.below(donors.size());
  for (std::size_t tried = 0; tried < donors.size(); ++tried) {
    Stand stand{place.point_of(donors[(begin + tried) % donors.size()]), {}};
    const std::vector<double>& values = stand.point.values;
    if (!place.allows(values)) continue;
    for (std::size_t index = 0; index < values.size(); ++index)
      stand.cells.push_back(place.isolation_cell(index, values[index]));
    stand.point.inlier_score = place.inlier_score_at(stand.cells);
    return stand;
  }
  return std::nullopt;
}

// Places of the rule that are drawn from one donor: linked features together, every other feature on its own.
std::vector<std::vector<std::size_t>> units_of(const PlaceInRule& place) {
  std::vector<std::vector<std::size_t>> units;
  std::vector<std::uint8_t> linked(place.conditions().size(), 0);
  for (const std::vector<std::size_t>& group : place.data().reach.groups()) {
    std::vector<std::size_t> unit;
    for (std::size_t index = 0; index < linked.size(); ++index) {
      if (std::find(group.begin(), group.end(), place.conditions()[index].index) == group.end()) continue;
      linked[index] = 1;
      unit.push_back(index);
    }
    if (!unit.empty()) units.push_back(std::move(unit));
  }
  for (std::size_t index = 0; index < linked.size(); ++index)
    if (!linked[index]) units.push_back({index});
  return units;
}

// The donors' values, side by side unless there are many for the draws to come: in the table each lies on a cache line
// of its own.
class DonorValues {
 public:
  DonorValues(PlaceInRule& place, std::size_t draws) : place_(place), donors_(place.donors()) {
    constexpr std::size_t kWorthCopying = 4;  // values for each draw
    if (donors_.size() > kWorthCopying * draws) return;
    places_ = place.conditions().size();
    values_.resize(donors_.size() * places_);
    for (std::size_t index = 0; index < places_; ++index)
      for (std::size_t donor = 0; donor < donors_.size(); ++donor)
        values_[donor * places_ + index] = place.value_of(donors_[donor], index);
  }

  [[nodiscard]] std::size_t donors() const { return donors_.size(); }
  [[nodiscard]] double taken(std::size_t donor, std::size_t index) const {
    return place_.taken(values_.empty() ? place_.value_of(donors_[donor], index) : values_[donor * places_ + index],
                        index);
  }

 private:
  const PlaceInRule& place_;
  const std::vector<std::uint32_t>& donors_;
  std::size_t places_ = 0;
  std::vector<double> values_;  // per donor and condition
};

// False: a value drawn is not in the rule.
bool redraw(const PlaceInRule& place, const DonorValues& donors, std::span<const std::vector<std::size_t>> units,
            RandomStream& random, Stand& next) {
  bool in_rule = true;
  for (bool any = false; !any;) {  // a fair coin per unit until some unit is drawn: every subset is equally likely
    for (const std::vector<std::size_t>& unit : units) {
      if (random.next32() & 1) continue;
      any = true;
      const std::size_t donor = random.below(donors.donors());
      for (const std::size_t index : unit) {
        const double value = donors.taken(donor, index);
        next.point.values[index] = value;
        in_rule = in_rule && place.holds(index, value);
        if (in_rule) next.cells[index] = place.isolation_cell(index, value);
      }
    }
  }
  return in_rule;
}

class BestPoints {
 public:
  explicit BestPoints(std::size_t keep) : keep_(keep) {}

  void offer(const RulePoint& point) {
    if (points_.size() == keep_ && !(point.inlier_score > points_.back().inlier_score)) return;
    const auto same = [&](const RulePoint& other) { return other.values == point.values; };
    if (std::any_of(points_.begin(), points_.end(), same)) return;
    const auto better = [](const RulePoint& one, const RulePoint& other) {
      return one.inlier_score > other.inlier_score;
    };
    points_.insert(std::upper_bound(points_.begin(), points_.end(), point, better), point);
    if (points_.size() > keep_) points_.pop_back();
  }

  [[nodiscard]] std::vector<RulePoint> take() { return std::move(points_); }

 private:
  std::size_t keep_;
  std::vector<RulePoint> points_;
};

}  // namespace

std::vector<RulePoint> anneal(PlaceInRule& place, const AnnealingOptions& options, RandomStream& random) {
  std::optional<Stand> here = first_stand(place, random);
  if (!here) return {};
  const std::vector<std::vector<std::size_t>> units = units_of(place);
  const DonorValues donors(place, options.steps);
  BestPoints best(options.keep);
  best.offer(here->point);
  Stand next;
  double temperature = options.temperature;
  for (std::size_t step = 0; step < options.steps; ++step, temperature *= options.cooling) {
    next.point.values = here->point.values;
    next.cells = here->cells;
    if (!redraw(place, donors, units, random, next)) continue;
    const std::vector<double>& values = next.point.values;
    if (values == here->point.values || !place.keeps_constraints(values)) continue;
    next.point.inlier_score = place.inlier_score_at(next.cells);
    const double gain = next.point.inlier_score - here->point.inlier_score;
    if (gain < 0 && random.uniform() >= std::exp(gain / temperature)) continue;
    std::swap(*here, next);
    best.offer(here->point);
  }
  return best.take();
}

}  // namespace cfrules
