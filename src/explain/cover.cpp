#include "explain/cover.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/parallel.h"
#include "explain/condition_writer.h"
#include "region/move_grid.h"

namespace cfrules {

namespace {

// Means of equal numbers must not miss a threshold by the order of a sum.
constexpr double kRounding = 1e-9;

// Sums over rectangles of a grid of rows x columns.
class RectangleSums {
 public:
  template <class Value>
  RectangleSums(std::size_t rows, std::size_t columns, const Value& value)
      : stride_(columns + 1), sums_((rows + 1) * stride_, 0.0) {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        at(row + 1, column + 1) =
            value(row * columns + column) + at(row, column + 1) + at(row + 1, column) - at(row, column);
  }

  [[nodiscard]] double of(const CoverBox& box) const {
    return at(box.first_high + 1, box.second_high + 1) - at(box.first_low, box.second_high + 1) -
           at(box.first_high + 1, box.second_low) + at(box.first_low, box.second_low);
  }

 private:
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return sums_[row * stride_ + column]; }
  double& at(std::size_t row, std::size_t column) { return sums_[row * stride_ + column]; }

  std::size_t stride_;
  std::vector<double> sums_;
};

bool inside(std::span<const Interval> box, std::span<const Code> codes) {
  for (std::size_t i = 0; i < box.size(); ++i)
    if (!box[i].contains(codes[i])) return false;
  return true;
}

}  // namespace

std::size_t Cover::Donors::cell_of(std::span<const Code> codes) const {
  std::size_t cell = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) cell = cell * axes[i]->size() + axes[i]->bin_of(codes[i]);
  return cell;
}

bool Cover::Donors::narrow(const CoverBox& box) const {
  const bool first = box.first_low > 0 || box.first_high + 1 < rows();
  const bool second = axes.size() == 1 || box.second_low > 0 || box.second_high + 1 < columns();
  return first && second;
}

Cover::Cover(const Context& context, const Reach& reach, const Settings& settings, std::span<const CodedPerson> people,
             const CoverDemand& demand, const Run& run)
    : context_(context), reach_(reach), settings_(settings), people_(people), demand_(demand), run_(run) {
  const std::size_t leading = std::min(kFeatures, settings.candidates.size());
  const CandidateUnits units(std::span(settings.candidates).first(leading), reach, demand.max_features);
  std::vector<FeatureIndexes> sets;
  for (std::size_t size = 1; size <= units.max_features(); ++size)
    for (FeatureIndexes& set : units.sets_of(size)) sets.push_back(std::move(set));
  std::set<std::size_t> features;
  for (const FeatureIndexes& set : sets) features.insert(set.begin(), set.end());
  for (const std::size_t feature : features)
    axes_.emplace_back(feature, context.grid, context.values, context.inliers, kBins);
  for (const FeatureIndexes& set : sets) add_donors(set);

  std::vector<std::vector<std::uint8_t>> flags(people.size());
  parallel_for(people.size(), run, [&](std::size_t person) {
    flags[person].assign(boxes_.size(), 0);
    for (const Donors& donors : donors_) mark_served(donors, people_[person], flags[person]);
  });
  served_by_.assign(boxes_.size(), PeopleSet(people.size()));
  for (std::size_t person = 0; person < people.size(); ++person)
    for (std::size_t box = 0; box < boxes_.size(); ++box)
      if (flags[person][box] != 0) served_by_[box].add(person);
  run_.progress = nullptr;  // what follows is short
}

const MoveAxis* Cover::axis(std::size_t feature) const {
  return &*std::find_if(axes_.begin(), axes_.end(), [&](const MoveAxis& each) { return each.feature() == feature; });
}

void Cover::add_donors(const FeatureIndexes& features) {
  Donors& donors = donors_.emplace_back();
  donors.features = features;
  for (const std::size_t feature : features) donors.axes.push_back(axis(feature));
  donors.mass.assign(cells_of(donors.axes), 0.0);
  std::set<std::vector<Code>> pairs;
  std::vector<Code> codes(features.size());
  for (std::size_t row = 0; row < context_.codes.rows; ++row) {
    for (std::size_t i = 0; i < features.size(); ++i) codes[i] = context_.codes.at(row, features[i]);
    if (std::find(codes.begin(), codes.end(), kMissing) != codes.end()) continue;
    donors.mass[donors.cell_of(codes)] += context_.conditional.weight(row);
    if (reach_.has_implications()) pairs.insert(codes);
  }
  donors.code_pairs.assign(pairs.begin(), pairs.end());
  donors.first_box = boxes_.size();
  add_boxes(donors);
  donors.last_box = boxes_.size();
}

void Cover::add_boxes(Donors& donors) {
  const RectangleSums mass(donors.rows(), donors.columns(), [&](std::size_t cell) { return donors.mass[cell]; });
  const double least = settings_.min_mass * context_.moves.total_mass() * (1 - kRounding);
  CoverBox box;
  box.set = donors_.size() - 1;
  for (box.first_low = 0; box.first_low < donors.rows(); ++box.first_low)
    for (box.first_high = box.first_low; box.first_high < donors.rows(); ++box.first_high)
      for (box.second_low = 0; box.second_low < donors.columns(); ++box.second_low)
        for (box.second_high = box.second_low; box.second_high < donors.columns(); ++box.second_high) {
          box.mass = mass.of(box);
          if (box.mass > 0 && box.mass >= least && donors.narrow(box)) boxes_.push_back(box);
        }
}

// A cell is forbidden if some code of its bins is, or if a donor's place in it breaks an implication: places where
// nobody is say nothing.
std::vector<std::uint8_t> Cover::forbidden_cells(const Donors& donors, const CodedPerson& person) const {
  std::vector<std::uint8_t> forbidden(donors.mass.size(), 0);
  for (std::size_t i = 0; i < donors.axes.size(); ++i) {
    const MoveAxis& axis = *donors.axes[i];
    const std::vector<std::uint8_t> codes = reach_.codes(axis.feature(), person.values[axis.feature()]);
    std::vector<std::uint8_t> bins(axis.size(), 0);
    for (std::size_t code = 1; code < codes.size(); ++code)
      if (codes[code] == 0) bins[axis.bin_of(static_cast<Code>(code))] = 1;
    for (std::size_t cell = 0; cell < forbidden.size(); ++cell)
      if (bins[i == 0 ? cell / donors.columns() : cell % donors.columns()] != 0) forbidden[cell] = 1;
  }
  for (const std::vector<Code>& codes : donors.code_pairs) {
    std::uint8_t& flag = forbidden[donors.cell_of(codes)];
    if (flag == 0 && reach_.breaks_implication(person.values, donors.features, codes)) flag = 1;
  }
  return forbidden;
}

void Cover::mark_served(const Donors& donors, const CodedPerson& person, std::span<std::uint8_t> flags) const {
  const std::vector<std::uint8_t> forbidden = forbidden_cells(donors, person);
  const SumGrid sums = sum_grid(context_.forest, donors.axes, person.codes);
  const auto gain_of = [&](std::size_t cell) {
    if (donors.mass[cell] <= 0) return 0.0;
    const double probability =
        context_.forest.probability(LeafSums{sums.first[cell], sums.second.empty() ? 0 : sums.second[cell]});
    return donors.mass[cell] * (probability - settings_.min_probability);
  };
  const RectangleSums gain(donors.rows(), donors.columns(), gain_of);
  const RectangleSums refused(donors.rows(), donors.columns(), [&](std::size_t cell) { return forbidden[cell]; });
  bool any = false;
  for (std::size_t index = donors.first_box; index < donors.last_box; ++index) {
    const CoverBox& box = boxes_[index];
    flags[index] = refused.of(box) == 0 && gain.of(box) >= -kRounding * box.mass ? 1 : 0;
    any = any || flags[index] != 0;
  }
  if (!any) return;  // the isolation forest need not be asked

  const std::vector<Fixed> paths = path_grid(context_.inliers, donors.axes, person.isolation_codes);
  const auto trees = static_cast<double>(context_.inliers.trees().size());
  const RectangleSums ordinary(donors.rows(), donors.columns(), [&](std::size_t cell) {
    return context_.inliers.score_of_path(from_fixed(paths[cell]) / trees) > 0 ? donors.mass[cell] : 0.0;
  });
  for (std::size_t index = donors.first_box; index < donors.last_box; ++index)
    if (2 * ordinary.of(boxes_[index]) < (1 - kRounding) * boxes_[index].mass) flags[index] = 0;
}

// Boxes on one feature come before those on two, so that of equals the plainer is met first.
std::size_t Cover::best_box(const PeopleSet& unserved) const {
  std::size_t best = boxes_.size();
  std::size_t best_count = 0;
  for (std::size_t box = 0; box < boxes_.size(); ++box) {
    const std::size_t count = served_by_[box].shared(unserved);
    if (count == 0 || count < best_count) continue;
    if (count == best_count && boxes_[box].mass <= boxes_[best].mass * (1 + kRounding)) continue;
    best = box;
    best_count = count;
  }
  return best;
}

std::vector<RegionalRule> Cover::choose() const {
  // Any feature may say who somebody is, also one that cannot change; pairs of more than this many would take long.
  constexpr std::size_t kWordFeatures = 24;
  const GroupWords words(context_, people_, leading_features(context_.forest.forest().importance, kWordFeatures));
  PeopleSet unserved(people_.size());
  for (std::size_t person = 0; person < people_.size(); ++person) unserved.add(person);
  const double may_remain = (1 - demand_.share) * static_cast<double>(people_.size()) + kRounding;
  std::vector<RegionalRule> rules;
  while (rules.size() < demand_.rules && static_cast<double>(unserved.size()) > may_remain) {
    const std::size_t box = best_box(unserved);
    if (box == boxes_.size()) break;
    rules.push_back(write(boxes_[box], served_by_[box], unserved, words));
    unserved.remove(served_by_[box]);
  }
  return rules;
}

RegionalRule Cover::write(const CoverBox& box, const PeopleSet& served, const PeopleSet& unserved,
                          const GroupWords& words) const {
  const Donors& donors = donors_[box.set];
  std::vector<Interval> sides{donors.axes[0]->codes(box.first_low, box.first_high)};
  if (donors.axes.size() > 1) sides.push_back(donors.axes[1]->codes(box.second_low, box.second_high));
  RegionalRule regional;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    regional.rule.conditions.push_back(
        condition_of(context_.schema(), context_.grid, donors.features[i], sides[i], kUnknown, &context_.values));
    reach_.clip(regional.rule.conditions.back(), kUnknown);
  }
  regional.rule.mass = box.mass / context_.moves.total_mass();
  state_probability(donors.features, sides, served, regional.rule);

  const PeopleSet newly_served = served & unserved;
  const GroupDescription group = words.describe(newly_served, unserved);
  for (const GroupSide& side : group.sides)
    regional.who.push_back(
        condition_of(context_.schema(), context_.grid, side.feature, side.codes, kUnknown, &context_.values));
  regional.people = group.people.shared(unserved);
  regional.served = newly_served.size();
  regional.reached = group.people.shared(newly_served);
  return regional;
}

void Cover::state_probability(const FeatureIndexes& features, std::span<const Interval> box, const PeopleSet& served,
                              Rule& rule) const {
  const MoveSet& set = context_.moves.moves(features);  // one or two features: a bin per code
  std::vector<std::size_t> donor_cells;                 // indexes into set.cells
  double mass = 0;
  std::vector<Code> codes(features.size());
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    std::size_t rest = set.cells[i];
    for (std::size_t axis = set.axes.size(); axis-- > 0; rest /= set.axes[axis]->size())
      codes[axis] = set.axes[axis]->read_at(rest % set.axes[axis]->size());
    if (!inside(box, codes)) continue;
    donor_cells.push_back(i);
    mass += set.mass[i];
    rule.support += set.rows[i];
  }
  std::vector<double> raw(people_.size(), 0.0), probability(people_.size(), 0.0);
  parallel_for(people_.size(), run_, [&](std::size_t person) {
    if (!served.contains(person)) return;
    const SumGrid sums = sum_grid(context_.forest, set.axes, people_[person].codes);
    for (const std::size_t i : donor_cells) {
      const std::size_t cell = set.cells[i];
      const double reading = context_.forest.raw({sums.first[cell], sums.second.empty() ? 0 : sums.second[cell]});
      raw[person] += set.mass[i] * reading;
      probability[person] += set.mass[i] * context_.forest.map().probability(reading);
    }
  });
  double raw_sum = 0, probability_sum = 0;
  for (std::size_t person = 0; person < people_.size(); ++person) {
    raw_sum += raw[person];
    probability_sum += probability[person];
  }
  const double weight = mass * static_cast<double>(served.size());
  rule.probability.raw = raw_sum / weight;
  rule.probability.calibrated = probability_sum / weight;
}

}  // namespace cfrules
