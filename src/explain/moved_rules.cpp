#include "explain/moved_rules.h"

#include <algorithm>
#include <cmath>

#include "explain/condition_writer.h"
#include "explain/forbidden_cells.h"
#include "region/sum_threshold.h"

namespace cfrules {

std::optional<double> inlier_margin(Plausibility demand) {
  switch (demand) {
    case Plausibility::clear:
      return 0.04;
    case Plausibility::fair:
      return 0.02;
    case Plausibility::bare:
      return 0.0;
    case Plausibility::none:
      break;
  }
  return std::nullopt;
}

double cost_of_side(const Context& context, std::size_t feature, Interval side, double from) {
  const Code code = context.grid.code(feature, from);
  if (side.contains(code)) return 0;
  if (context.schema()[feature].kind == Kind::category) return 1;
  const double nearest =
      code < side.low ? context.values.least_within(feature, side) : context.values.greatest_within(feature, side);
  return std::isnan(nearest) ? kUnknown : context.costs.change(feature, from, nearest);
}

double cost_of_box(const Context& context, const Reach& reach, std::span<const Condition> box,
                   std::span<const double> from) {
  double cost = 0;
  for (const Condition& side : box)
    cost += reach.cost(side.index) * cost_of_side(context, side.index, side.codes, from[side.index]);
  return cost;
}

MovedRules::MovedRules(const Context& context, const Reach& reach, const Settings& settings,
                       std::vector<const CodedPerson*> people, MoveScratch* scratch)
    : context_(context),
      reach_(reach),
      settings_(settings),
      people_(std::move(people)),
      purity_{settings.min_probability, settings.floor},
      reader_(context, settings.candidates, people_, scratch != nullptr ? *scratch : own_scratch_) {}

namespace {

bool in_bins(std::span<const std::size_t> shape, std::span<const IndexRange> box, std::size_t cell) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const std::size_t bin = cell % shape[axis];
    if (bin < box[axis].first || bin > box[axis].last) return false;
    cell /= shape[axis];
  }
  return true;
}

void block_box(const MoveAxes& axes, std::span<const IndexRange> box, std::vector<std::uint8_t>& blocked) {
  const std::vector<std::size_t> shape = shape_of(axes);
  for (std::size_t cell = 0; cell < blocked.size(); ++cell)
    if (in_bins(shape, box, cell)) blocked[cell] = 1;
}

// Over donors, in the order they are counted.
struct DonorMeans {
  double mass = 0;
  double raw = 0;
  double probability = 0;
  std::size_t rows = 0;

  void count(double point_mass, std::size_t point_rows, double point_raw, double point_probability) {
    mass += point_mass;
    raw += point_mass * point_raw;
    probability += point_mass * point_probability;
    rows += point_rows;
  }
};

}  // namespace

MovedRules::Reading& MovedRules::read(const FeatureIndexes& features) {
  const auto found = readings_.find(features);
  if (found != readings_.end()) return found->second;
  return readings_.emplace(features, read(context_.moves.moves(features), purity_.floor)).first->second;
}

MovedRules::Reading MovedRules::read(const MoveSet& set, double floor) {
  Reading reading;
  reading.forbidden = forbidden_cells(reach_, set, people_);
  people_.size() == 1 ? read_one(set, floor, reading) : read_group(set, floor, reading);
  return reading;
}

void MovedRules::read_one(const MoveSet& set, double floor, Reading& reading) {
  const BoxSums& grid = reader_.sums(set, *people_.front());
  const SumThreshold threshold(context_.forest, floor);
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    const LeafSums sums{grid.first(set.places[i]), grid.second(set.places[i])};
    if (!threshold.reached(sums) || (!reading.forbidden.empty() && reading.forbidden[set.cells[i]] != 0)) continue;
    reading.pure.push_back(static_cast<std::uint32_t>(i));
    reading.sums.push_back(sums);
  }
}

void MovedRules::read_group(const MoveSet& set, double floor, Reading& reading) {
  std::vector<double> raw(set.cells.size(), 0.0);
  std::vector<double> probability(set.cells.size(), 0.0);
  for (const CodedPerson* person : people_) {
    const BoxSums& grid = reader_.sums(set, *person);
    for (std::size_t i = 0; i < set.cells.size(); ++i) {
      if (!reading.forbidden.empty() && reading.forbidden[set.cells[i]] != 0) continue;
      const double one = context_.forest.raw({grid.first(set.places[i]), grid.second(set.places[i])});
      raw[i] += one;
      probability[i] += context_.forest.map().probability(one);
    }
  }
  const auto count = static_cast<double>(people_.size());
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    if (!(probability[i] / count >= floor) || (!reading.forbidden.empty() && reading.forbidden[set.cells[i]] != 0))
      continue;
    reading.pure.push_back(static_cast<std::uint32_t>(i));
    reading.raw.push_back(raw[i] / count);
    reading.probability.push_back(probability[i] / count);
  }
}

void MovedRules::read_probabilities(Reading& reading) const {
  if (reading.probability.size() == reading.pure.size()) return;
  for (const LeafSums& sums : reading.sums) {
    reading.raw.push_back(context_.forest.raw(sums));
    reading.probability.push_back(context_.forest.map().probability(reading.raw.back()));
  }
}

void MovedRules::read_paths(const MoveSet& set, Reading& reading) {
  if (!reading.path.empty() || reading.pure.empty()) return;
  reading.path.assign(reading.pure.size(), 0.0);
  const double count = static_cast<double>(people_.size() * context_.inliers.trees().size());
  for (const CodedPerson* person : people_) {
    const BoxSums& grid = reader_.paths(set, *person);
    for (std::size_t i = 0; i < reading.pure.size(); ++i)
      reading.path[i] += from_fixed(grid.first(set.places[reading.pure[i]])) / count;
  }
}

double MovedRules::peak(const FeatureIndexes& features) {
  Reading& reading = read(features);
  if (reading.pure.empty()) {
    if (!reading.peak) reading.peak = peak_below_floor(context_.moves.moves(features), reading.forbidden);
    return *reading.peak;
  }
  read_probabilities(reading);
  return *std::max_element(reading.probability.begin(), reading.probability.end());
}

bool MovedRules::peaks_above(const FeatureIndexes& features, double probability) {
  if (probability >= purity_.floor && read(features).pure.empty()) return false;
  return peak(features) > probability;
}

// A likely place is looked for first: most others cannot be above it, and that is seen without their probability.
double MovedRules::peak_below_floor(const MoveSet& set, std::span<const std::uint8_t> forbidden) {
  if (people_.size() > 1) {
    const Reading all = read(set, 0);
    return all.probability.empty() ? 0 : *std::max_element(all.probability.begin(), all.probability.end());
  }
  const BoxSums& grid = reader_.sums(set, *people_.front());
  const auto each_place = [&](const auto& visit) {
    for (std::size_t i = 0; i < set.cells.size(); ++i)
      if (forbidden.empty() || forbidden[set.cells[i]] == 0)
        visit(LeafSums{grid.first(set.places[i]), grid.second(set.places[i])});
  };
  std::optional<LeafSums> likely;
  double best = 0;
  each_place([&](LeafSums sums) {
    const double promise = context_.forest.promise(sums);
    if (likely && promise <= best) return;
    likely = sums;
    best = promise;
  });
  if (!likely) return 0;
  double peak = context_.forest.probability(*likely);
  const SumThreshold above(context_.forest, peak);
  each_place([&](LeafSums sums) {
    if (above.may_reach(sums)) peak = std::max(peak, context_.forest.probability(sums));
  });
  return peak;
}

MovedRules::Arena MovedRules::arena(const MoveSet& set, Reading& reading, Plausibility demand, Purity purity) {
  Arena arena{set, reading, {}, 0};
  const bool higher = purity.floor > purity_.floor;  // than what was read: some of the pure are not pure enough
  if (higher || purity.floor < purity.mean) {
    read_probabilities(reading);
    const auto highest = std::max_element(reading.probability.begin(), reading.probability.end());
    if (highest == reading.probability.end() || *highest < purity.mean) return arena;  // no box can reach it
  }
  const std::optional<double> margin = inlier_margin(demand);
  if (margin) {
    read_paths(set, reading);
    arena.least_path = context_.inliers.least_path(*margin);
  }
  for (std::uint32_t i = 0; i < reading.pure.size(); ++i)
    if ((!margin || !(reading.path[i] < arena.least_path)) && (!higher || reading.probability[i] >= purity.floor))
      arena.good.push_back(i);
  return arena;
}

void MovedRules::fill_field(const Arena& arena, Purity purity) {
  const MoveSet& set = arena.set;
  field_.blocked = arena.reading.forbidden;
  field_.blocked.resize(cells_of(set.axes), 0);
  field_.mass.assign(field_.blocked.size(), 0.0);
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    field_.blocked[set.cells[i]] = 1;
    field_.mass[set.cells[i]] = set.mass[i];
  }
  field_.gain.assign(purity.floor < purity.mean ? field_.mass.size() : 0, 0.0);
  for (const std::uint32_t i : arena.good) {
    const std::uint32_t donor = arena.reading.pure[i];
    field_.blocked[set.cells[donor]] = 0;
    if (!field_.gain.empty())
      field_.gain[set.cells[donor]] = set.mass[donor] * (arena.reading.probability[i] - purity.mean);
  }
}

// Whoever is no inlier may become one on few sets or none, and the isolation trees are small: they are asked first. An
// inlier stays one nearly everywhere.
bool MovedRules::may_be_ordinary(const FeatureIndexes& features, Plausibility demand) {
  return demand == Plausibility::none || people_.size() != 1 || starts_ordinary() || has_ordinary_mass(features);
}

bool MovedRules::starts_ordinary() {
  if (!starts_ordinary_)
    starts_ordinary_ =
        context_.inliers.score_of_paths(context_.inliers.paths_at(people_.front()->isolation_codes)) > 0;
  return *starts_ordinary_;
}

// By the weakest demand there is: donors enough for a rule are at inliers' places.
bool MovedRules::has_ordinary_mass(const FeatureIndexes& features) {
  const auto [known, fresh] = has_ordinary_mass_.try_emplace(features, false);
  if (!fresh) return known->second;
  const MoveSet& set = context_.moves.moves(features);
  const BoxSums& grid = reader_.paths(set, *people_.front());
  const double least = context_.inliers.least_path(*inlier_margin(Plausibility::bare));
  const auto trees = static_cast<double>(context_.inliers.trees().size());
  double mass = 0;
  for (std::size_t i = 0; i < set.cells.size(); ++i)
    if (!(from_fixed(grid.first(set.places[i])) / trees < least)) mass += set.mass[i];
  return known->second = mass > 0 && share_bound(mass) >= settings_.min_mass;
}

double MovedRules::light_bound(const FeatureIndexes& features, Plausibility demand, Purity purity) {
  const MoveSet& set = context_.moves.moves(features);
  const Arena arena = this->arena(set, read(features), demand, purity);
  double mass = 0;
  for (const std::uint32_t i : arena.good) mass += set.mass[arena.reading.pure[i]];
  return share_bound(mass);
}

double MovedRules::mass_bound(const FeatureIndexes& features, Plausibility demand, Purity purity, double beat) {
  const MoveSet& set = context_.moves.moves(features);
  const Arena arena = this->arena(set, read(features), demand, purity);
  if (arena.good.empty()) return 0;
  const double least = beat * context_.moves.total_mass();
  if (known_bound(arena, purity, least) == nullptr) {
    fill_field(arena, purity);
    arena.reading.bound = {arena.good.size(), purity.floor, least,
                           largest_box({shape_of(set.axes), field_.mass, {}, field_.blocked, 0, least})};
  }
  const BoxAnswer& answer = arena.reading.bound->answer;
  return answer.found && (least == 0 || answer.mass > least) ? answer.mass / context_.moves.total_mass() : 0;
}

const MovedRules::Bound* MovedRules::known_bound(const Arena& arena, Purity purity, double least) {
  const std::optional<Bound>& bound = arena.reading.bound;
  const bool holds = bound && bound->good == arena.good.size() && bound->floor == purity.floor &&
                     (bound->answer.found || bound->least <= least);
  return holds ? &*bound : nullptr;
}

FoundRules MovedRules::solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules, Purity purity,
                             double beat) {
  const MoveSet& set = context_.moves.moves(features);
  return solve(arena(set, read(features), demand, purity), demand, rules, purity, beat);
}

FoundRules MovedRules::solve_by_first(std::span<const Plausibility> demands, const FeatureIndexes& features,
                                      Purity purity) {
  const MoveSet& set = context_.moves.moves(features);
  Reading reading = read(set, purity.floor);
  for (const Plausibility demand : demands) {
    FoundRules found = solve(arena(set, reading, demand, purity), demand, 1, purity, 0);
    if (!found.rules.empty()) return found;
  }
  return {};
}

FoundRules MovedRules::solve(Arena arena, Plausibility demand, std::size_t rules, Purity purity, double beat) {
  FoundRules found{{}, demand};
  if (arena.good.empty()) return found;
  const MoveSet& set = arena.set;
  fill_field(arena, purity);
  const bool exact = set.features.size() <= 2 && set.full;
  for (std::size_t tries = 0; found.rules.size() < rules && tries < rules + 2; ++tries) {
    const double least = found.rules.empty() ? beat * context_.moves.total_mass() : 0.0;
    const Bound* const bound = tries == 0 && exact && field_.gain.empty() ? known_bound(arena, purity, least) : nullptr;
    const BoxAnswer answer = bound != nullptr ? bound->answer
                                              : largest_box({shape_of(set.axes), field_.mass, field_.gain,
                                                             field_.blocked, exact ? 0 : settings_.work_limit, least});
    if (!answer.found || answer.mass <= 0 || (bound != nullptr && least > 0 && answer.mass <= least)) break;
    if (auto rule = rule_in(arena, answer.sides, purity, exact && answer.optimal))
      found.rules.push_back(std::move(*rule));
    if (found.rules.size() < rules)
      block_box(set.axes, answer.sides, field_.blocked);  // what is covered is not offered twice
  }
  std::stable_sort(found.rules.begin(), found.rules.end(),
                   [](const Rule& a, const Rule& b) { return a.mass > b.mass; });
  return found;
}

// The rule of a box of bins; where bins hold several codes, cut until every donor's own place is pure. The probability
// printed is the mean over the donors of the final box, whatever the search looked at.
std::optional<Rule> MovedRules::rule_in(const Arena& arena, std::span<const IndexRange> bins, Purity purity,
                                        bool optimal) {
  const MoveSet& set = arena.set;
  std::vector<Interval> box;
  for (std::size_t axis = 0; axis < set.axes.size(); ++axis)
    box.push_back(set.axes[axis]->codes(bins[axis].first, bins[axis].last));
  DonorMeans means;
  if (set.full) {
    read_probabilities(arena.reading);
    const std::vector<std::size_t> shape = shape_of(set.axes);
    for (std::size_t i = 0; i < arena.reading.pure.size();
         ++i) {  // a donor in the box is pure, or the box would not be there
      const std::uint32_t donor = arena.reading.pure[i];
      if (in_bins(shape, bins, set.cells[donor]))
        means.count(set.mass[donor], set.rows[donor], arena.reading.raw[i], arena.reading.probability[i]);
    }
  } else {
    std::vector<DonorPoint> points = donor_points(context_, set.features, box, people_, &reader_.scratch());
    box = shrink_to_pure(std::move(box), points, {purity.mean, purity.floor, arena.least_path});
    if (box.empty()) return std::nullopt;
    for (const DonorPoint& point : points) means.count(point.mass, point.rows, point.raw, point.probability);
  }
  if (means.mass <= 0) return std::nullopt;  // sums of weights leave dust in boxes that hold nobody
  Rule rule = write_rule(set.features, box, optimal);
  rule.support = means.rows;
  rule.mass = means.mass / context_.moves.total_mass();
  rule.probability.raw = means.raw / means.mass;
  rule.probability.calibrated = means.probability / means.mass;
  return rule;
}

Rule MovedRules::write_rule(const FeatureIndexes& features, std::span<const Interval> box, bool optimal) const {
  Rule rule;
  rule.optimal = optimal;
  const bool one = people_.size() == 1;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const double from = one ? people_.front()->values[features[i]] : kUnknown;
    rule.conditions.push_back(
        condition_of(context_.schema(), context_.grid, features[i], box[i], from, context_.values));
    if (one) reach_.clip(rule.conditions.back(), from);
  }
  if (one) rule.cost = cost_of_box(context_, reach_, rule.conditions, people_.front()->values);
  return rule;
}

}  // namespace cfrules
