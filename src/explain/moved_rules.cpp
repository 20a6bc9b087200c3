#include "explain/moved_rules.h"

#include <algorithm>
#include <cmath>

#include "explain/condition_writer.h"

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
      purity_{settings.min_probability, settings.floor},
      share_walks_(people_.size() == 1 && settings.candidates.size() <= MoveLeaves::kMostCandidates) {
  // Where missing may go right (imported trees), a missing value's way is no interval: such people are walked set by set.
  for (const std::size_t feature : settings.candidates)
    if (share_walks_ && context.forest.missing_may_go_right() && people_.front()->codes[feature] == kMissing) share_walks_ = false;
}

const MoveLeaves* MovedRules::leaves(MoveLeaves::World world, const FeatureIndexes& features) const {
  const auto is_candidate = [this](std::size_t feature) {
    return std::find(settings_.candidates.begin(), settings_.candidates.end(), feature) != settings_.candidates.end();
  };
  // A feature linked to a candidate need not be one itself.
  if (!share_walks_ || !std::all_of(features.begin(), features.end(), is_candidate)) return nullptr;
  const std::size_t departures = features.size();
  const bool forest = world == MoveLeaves::World::forest;
  SharedLeaves& shared = forest ? forest_leaves_ : isolation_leaves_;
  if (shared.departures < departures) {
    const CodedPerson& person = *people_.front();
    shared.departures = departures;
    if (forest)
      shared.leaves.emplace(world, context_.forest.forest().trees, context_.forest.all_first(), context_.forest.all_second(), person.codes,
                            context_.moves.last_codes(), settings_.candidates, departures);
    else
      shared.leaves.emplace(world, context_.inliers.trees(), context_.moves.path_values(), std::span<const std::vector<Fixed>>(),
                            person.isolation_codes, context_.moves.last_isolation_codes(), settings_.candidates, departures);
  }
  return &*shared.leaves;
}

SumGrid MovedRules::sums(const MoveSet& set, const CodedPerson& person) const {
  const MoveLeaves* shared = leaves(MoveLeaves::World::forest, set.features);
  return shared != nullptr ? shared->sums(set.axes) : sum_grid(context_.forest, set.axes, person.codes);
}

std::vector<Fixed> MovedRules::paths(const MoveSet& set, const CodedPerson& person) const {
  const MoveLeaves* shared = leaves(MoveLeaves::World::isolation, set.features);
  return shared != nullptr ? shared->sums(set.axes).first : path_grid(context_.inliers, set.axes, person.isolation_codes);
}

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

// A flag per cell, or nothing where the constraints do not touch these features.
std::vector<std::uint8_t> MovedRules::forbidden_cells(const MoveSet& set) const {
  std::vector<std::vector<std::uint8_t>> allowed;
  bool limited = reach_.has_implications();
  for (const MoveAxis* axis : set.axes) {
    allowed.push_back(allowed_bins(*axis));
    limited = limited || std::find(allowed.back().begin(), allowed.back().end(), 0) != allowed.back().end();
  }
  if (!limited) return {};
  std::vector<std::uint8_t> forbidden(cells_of(set.axes), 0);
  std::vector<Interval> box(set.axes.size());  // an implication must hold at every code of the bins
  for (std::size_t cell = 0; cell < forbidden.size(); ++cell) {
    std::size_t rest = cell;
    for (std::size_t axis = set.axes.size(); axis-- > 0;) {
      const std::size_t bin = rest % set.axes[axis]->size();
      rest /= set.axes[axis]->size();
      box[axis] = set.axes[axis]->codes(bin);
      if (allowed[axis][bin] == 0) forbidden[cell] = 1;
    }
    if (forbidden[cell] == 0 && reach_.has_implications())
      forbidden[cell] = std::any_of(people_.begin(), people_.end(), [&](const CodedPerson* person) {
        return reach_.breaks_implication(person->values, set.features, box);
      });
  }
  return forbidden;
}

MovedRules::Reading& MovedRules::read(const FeatureIndexes& features) {
  const auto [place, fresh] = readings_.try_emplace(features);
  Reading& reading = place->second;
  if (!fresh) return reading;
  const MoveSet& set = context_.moves.moves(features);
  reading.forbidden = forbidden_cells(set);
  reading.raw.assign(set.cells.size(), 0.0);
  reading.probability.assign(set.cells.size(), 0.0);
  for (const CodedPerson* person : people_) {
    const SumGrid grid = sums(set, *person);
    for (std::size_t i = 0; i < set.cells.size(); ++i) {
      const std::size_t cell = set.cells[i];
      if (!reading.forbidden.empty() && reading.forbidden[cell] != 0) continue;
      const double raw = context_.forest.raw({grid.first[cell], grid.second.empty() ? 0 : grid.second[cell]});
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
    const std::vector<Fixed> grid = paths(set, *person);
    for (std::size_t i = 0; i < set.cells.size(); ++i) reading.path[i] += from_fixed(grid[set.cells[i]]) / count;
  }
}

std::vector<std::uint8_t> MovedRules::blocked_cells(const MoveSet& set, const Reading& reading, std::optional<double> margin,
                                                    double floor) const {
  std::vector<std::uint8_t> blocked = reading.forbidden;
  blocked.resize(cells_of(set.axes), 0);
  const double least_path = margin ? context_.inliers.least_path(*margin) : 0.0;
  for (std::size_t i = 0; i < set.cells.size(); ++i)
    if (reading.probability[i] < floor || (margin && reading.path[i] < least_path)) blocked[set.cells[i]] = 1;
  return blocked;
}

namespace {

void block_box(const MoveAxes& axes, std::span<const IndexRange> box, std::vector<std::uint8_t>& blocked) {
  for (std::size_t cell = 0; cell < blocked.size(); ++cell) {
    std::size_t rest = cell;
    bool inside = true;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      const std::size_t bin = rest % axes[axis]->size();
      rest /= axes[axis]->size();
      inside = inside && box[axis].first <= bin && bin <= box[axis].last;
    }
    if (inside) blocked[cell] = 1;
  }
}

}  // namespace

MovedRules::Arena MovedRules::arena(const FeatureIndexes& features, Plausibility demand, Purity purity) {
  Arena arena{context_.moves.moves(features), read(features), {}, {}, 0};
  if (arena.reading.peak < purity.floor || arena.reading.peak < purity.mean) return arena;  // no box can reach it
  const std::optional<double> margin = inlier_margin(demand);
  if (margin) read_paths(arena.set, arena.reading);
  arena.least_path = margin ? context_.inliers.least_path(*margin) : 0.0;
  arena.blocked = blocked_cells(arena.set, arena.reading, margin, purity.floor);
  arena.mass.assign(arena.blocked.size(), 0.0);
  for (std::size_t i = 0; i < arena.set.cells.size(); ++i) arena.mass[arena.set.cells[i]] = arena.set.mass[i];
  return arena;
}

FoundRules MovedRules::solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules, Purity purity, double beat) {
  FoundRules found{{}, demand};
  Arena arena = this->arena(features, demand, purity);
  if (arena.mass.empty()) return found;
  const MoveSet& set = arena.set;
  std::vector<double> gain(purity.floor < purity.mean ? arena.mass.size() : 0, 0.0);
  for (std::size_t i = 0; i < set.cells.size() && !gain.empty(); ++i)
    gain[set.cells[i]] = set.mass[i] * (arena.reading.probability[i] - purity.mean);
  const bool exact = features.size() <= 2 && set.full;
  for (std::size_t tries = 0; found.rules.size() < rules && tries < rules + 2; ++tries) {
    const BoxAnswer answer = largest_box({shape_of(set.axes), arena.mass, gain, arena.blocked, exact ? 0 : settings_.work_limit,
                                          found.rules.empty() ? beat * context_.moves.total_mass() : 0.0});
    if (!answer.found || answer.mass <= 0) break;
    const std::vector<Interval> box = pure_box(set, answer.sides, {purity.mean, purity.floor, arena.least_path});
    if (!box.empty()) {
      Rule rule = write_rule(features, box, exact && answer.optimal);
      state_probability(set, arena.reading, rule);
      if (rule.mass > 0) found.rules.push_back(std::move(rule));  // sums of weights leave dust in boxes that hold nobody
    }
    if (found.rules.size() < rules) block_box(set.axes, answer.sides, arena.blocked);  // what is covered is not offered twice
  }
  std::stable_sort(found.rules.begin(), found.rules.end(), [](const Rule& a, const Rule& b) { return a.mass > b.mass; });
  return found;
}

// The codes of a box of bins; where bins hold several codes, cut until every donor's own place is pure. Empty: nothing is.
std::vector<Interval> MovedRules::pure_box(const MoveSet& set, std::span<const IndexRange> bins, const PointDemand& demand) const {
  std::vector<Interval> box;
  for (std::size_t axis = 0; axis < set.axes.size(); ++axis) box.push_back(set.axes[axis]->codes(bins[axis].first, bins[axis].last));
  if (set.full) return box;
  std::vector<DonorPoint> points = donor_points(context_, set.features, box, people_);
  return shrink_to_pure(std::move(box), points, demand);
}

double MovedRules::mass_bound(const FeatureIndexes& features, Plausibility demand) {
  const Arena arena = this->arena(features, demand, purity_);
  if (arena.mass.empty()) return 0;
  const BoxAnswer answer = largest_box({shape_of(arena.set.axes), arena.mass, {}, arena.blocked});
  return answer.found ? answer.mass / context_.moves.total_mass() : 0;
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
