#include "explain/moved_rules.h"

#include <algorithm>
#include <cmath>

#include "explain/condition_writer.h"
#include "explain/donor_points.h"
#include "kernels/largest_box.h"

namespace cfrules {

std::optional<double> inlier_margin(Plausibility demand) {
  switch (demand) {
    case Plausibility::clear: return 0.04;
    case Plausibility::fair: return 0.02;
    case Plausibility::bare: return 0.0;
    case Plausibility::none: break;
  }
  return std::nullopt;
}

double cost_of_side(const Context& context, std::size_t feature, Interval side, double from) {
  const Code code = context.grid.code(feature, from);
  if (side.contains(code)) return 0;
  if (context.schema()[feature].kind == Kind::category) return 1;
  const double nearest = code < side.low ? context.values.least_within(feature, side) : context.values.greatest_within(feature, side);
  return std::isnan(nearest) ? kUnknown : context.costs.change(feature, from, nearest);
}

MovedRules::MovedRules(const Context& context, const Reach& reach, const Settings& settings, std::vector<const CodedPerson*> people)
    : context_(context),
      reach_(reach),
      settings_(settings),
      people_(std::move(people)),
      purity_{settings.min_probability, settings.floor} {}

// A bin is allowed if all its codes are, for all the people.
std::vector<std::uint8_t> MovedRules::allowed_bins(const MoveAxis& axis) const {
  std::vector<std::uint8_t> bins(axis.size(), 1);
  for (const CodedPerson* person : people_) {
    const std::vector<std::uint8_t> codes = reach_.codes(axis.feature(), person->values[axis.feature()]);
    for (std::size_t code = 1; code < codes.size(); ++code)
      if (codes[code] == 0) bins[axis.bin_of(static_cast<Code>(code))] = 0;
  }
  return bins;
}

bool MovedRules::cell_allowed(const MoveSet& set, std::span<const std::vector<std::uint8_t>> bins, std::size_t cell) const {
  std::vector<Interval> box(set.axes.size());  // an implication must hold at every code of the bins
  for (std::size_t axis = set.axes.size(); axis-- > 0;) {
    const std::size_t bin = cell % set.axes[axis]->size();
    cell /= set.axes[axis]->size();
    if (bins[axis][bin] == 0) return false;
    box[axis] = set.axes[axis]->codes(bin);
  }
  return std::none_of(people_.begin(), people_.end(), [&](const CodedPerson* person) {
    return reach_.breaks_implication(person->values, set.features, box);
  });
}

MovedRules::Reading& MovedRules::read(const FeatureIndexes& features) {
  const auto [place, fresh] = readings_.try_emplace(features);
  Reading& reading = place->second;
  if (!fresh) return reading;
  const MoveSet& set = context_.moves.moves(features);
  std::vector<std::vector<std::uint8_t>> bins;
  for (const MoveAxis* axis : set.axes) bins.push_back(allowed_bins(*axis));
  reading.allowed.assign(cells_of(set.axes), 1);
  for (std::size_t cell = 0; cell < reading.allowed.size(); ++cell) reading.allowed[cell] = cell_allowed(set, bins, cell) ? 1 : 0;
  reading.raw.assign(set.cells.size(), 0.0);
  reading.probability.assign(set.cells.size(), 0.0);
  for (const CodedPerson* person : people_) {
    const SumGrid sums = sum_grid(context_.forest, set.axes, person->codes);
    for (std::size_t i = 0; i < set.cells.size(); ++i) {
      const std::size_t cell = set.cells[i];
      if (reading.allowed[cell] == 0) continue;
      const double raw = context_.forest.raw({sums.first[cell], sums.second.empty() ? 0 : sums.second[cell]});
      reading.raw[i] += raw;
      reading.probability[i] += context_.forest.map().probability(raw);
    }
  }
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    reading.raw[i] /= static_cast<double>(people_.size());
    reading.probability[i] /= static_cast<double>(people_.size());
    reading.peak = std::max(reading.peak, reading.probability[i]);
  }
  return reading;
}

void MovedRules::read_paths(const MoveSet& set, Reading& reading) const {
  if (!reading.path.empty()) return;
  reading.path.assign(set.cells.size(), 0.0);
  const double count = static_cast<double>(people_.size() * context_.inliers.trees().size());
  for (const CodedPerson* person : people_) {
    const std::vector<Fixed> paths = path_grid(context_.inliers, set.axes, person->isolation_codes);
    for (std::size_t i = 0; i < set.cells.size(); ++i) reading.path[i] += from_fixed(paths[set.cells[i]]) / count;
  }
}

std::vector<std::uint8_t> MovedRules::blocked_cells(const MoveSet& set, const Reading& reading, std::optional<double> margin,
                                                    double floor) const {
  std::vector<std::uint8_t> blocked(reading.allowed.size());
  for (std::size_t cell = 0; cell < blocked.size(); ++cell) blocked[cell] = reading.allowed[cell] == 0 ? 1 : 0;
  const double least_path = margin ? context_.inliers.least_path(*margin) : 0.0;
  for (std::size_t i = 0; i < set.cells.size(); ++i)
    if (reading.probability[i] < floor || (margin && reading.path[i] < least_path)) blocked[set.cells[i]] = 1;
  return blocked;
}

FoundRules MovedRules::solve(const FeatureIndexes& features, Plausibility demand, Purity purity) {
  FoundRules found{{}, demand};
  Reading& reading = read(features);
  if (reading.peak < purity.floor || reading.peak < purity.mean) return found;  // no box of these features can reach it
  const MoveSet& set = context_.moves.moves(features);
  const std::optional<double> margin = inlier_margin(demand);
  if (margin) read_paths(set, reading);
  std::vector<std::uint8_t> blocked = blocked_cells(set, reading, margin, purity.floor);
  std::vector<double> mass(blocked.size(), 0.0);
  std::vector<double> gain(purity.floor < purity.mean ? blocked.size() : 0, 0.0);
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    mass[set.cells[i]] = set.mass[i];
    if (!gain.empty()) gain[set.cells[i]] = set.mass[i] * (reading.probability[i] - purity.mean);
  }
  const bool exact = features.size() <= 2 && set.full;
  const PointDemand points_must{purity.mean, purity.floor, margin ? context_.inliers.least_path(*margin) : 0.0};
  for (std::size_t tries = 0; found.rules.size() < settings_.rules && tries < settings_.rules + 2; ++tries) {
    const BoxAnswer answer = largest_box({shape_of(set.axes), mass, gain, blocked, exact ? 0 : settings_.work_limit});
    if (!answer.found || answer.mass <= 0) break;
    std::vector<Interval> box;
    for (std::size_t axis = 0; axis < set.axes.size(); ++axis)
      box.push_back(set.axes[axis]->codes(answer.sides[axis].first, answer.sides[axis].last));
    if (!set.full) {
      std::vector<DonorPoint> points = donor_points(context_, features, box, people_);
      box = shrink_to_pure(box, points, points_must);
    }
    if (!box.empty()) {
      Rule rule = write_rule(features, box, exact && answer.optimal && set.full);
      state_probability(set, reading, rule);
      if (rule.mass > 0) found.rules.push_back(std::move(rule));  // sums of weights leave dust in boxes that hold nobody
    }
    for (std::size_t cell = 0; cell < blocked.size(); ++cell) {  // what is covered is not offered twice
      std::size_t rest = cell;
      bool covered = true;
      for (std::size_t axis = set.axes.size(); axis-- > 0;) {
        const std::size_t bin = rest % set.axes[axis]->size();
        rest /= set.axes[axis]->size();
        covered = covered && answer.sides[axis].first <= bin && bin <= answer.sides[axis].last;
      }
      if (covered) blocked[cell] = 1;
    }
  }
  std::stable_sort(found.rules.begin(), found.rules.end(), [](const Rule& a, const Rule& b) { return a.mass > b.mass; });
  return found;
}

Rule MovedRules::write_rule(const FeatureIndexes& features, std::span<const Interval> box, bool optimal) const {
  Rule rule;
  rule.optimal = optimal;
  const bool one = people_.size() == 1;
  rule.cost = one ? 0.0 : kUnknown;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const double from = one ? people_.front()->values[features[i]] : kUnknown;
    rule.conditions.push_back(condition_of(context_.schema(), context_.grid, features[i], box[i], from));
    if (!one) continue;
    reach_.clip(rule.conditions.back(), from);
    rule.cost += reach_.cost(features[i]) * cost_of_side(context_, features[i], box[i], from);
  }
  return rule;
}

// The probability printed is the mean over the donors of the final box, whatever the search looked at.
void MovedRules::state_probability(const MoveSet& set, const Reading& reading, Rule& rule) const {
  double mass = 0;
  double raw = 0;
  double probability = 0;
  const auto count = [&](double point_mass, std::size_t rows, double point_raw, double point_probability) {
    mass += point_mass;
    raw += point_mass * point_raw;
    probability += point_mass * point_probability;
    rule.support += rows;
  };
  std::vector<Interval> box;
  for (const Condition& condition : rule.conditions) box.push_back(condition.codes);
  if (!set.full) {
    for (const DonorPoint& point : donor_points(context_, set.features, box, people_))
      count(point.mass, point.rows, point.raw, point.probability);
  } else {
    for (std::size_t i = 0; i < set.cells.size(); ++i) {
      std::size_t rest = set.cells[i];
      bool in_box = true;
      for (std::size_t axis = set.axes.size(); axis-- > 0;) {
        in_box = in_box && box[axis].contains(set.axes[axis]->read_at(rest % set.axes[axis]->size()));
        rest /= set.axes[axis]->size();
      }
      if (in_box) count(set.mass[i], set.rows[i], reading.raw[i], reading.probability[i]);
    }
  }
  if (mass <= 0) return;
  rule.mass = mass / context_.moves.total_mass();
  rule.probability.raw = raw / mass;
  rule.probability.calibrated = probability / mass;
}

}  // namespace cfrules
