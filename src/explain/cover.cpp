#include "explain/cover.h"

#include <algorithm>

#include "base/parallel.h"
#include "explain/condition_writer.h"
#include "region/move_grid.h"

namespace cfrules {

namespace {

// Means of equal numbers must not miss a threshold by the order of a sum.
constexpr double kRounding = 1e-9;

bool inside(std::span<const Interval> box, std::span<const Code> codes) {
  for (std::size_t i = 0; i < box.size(); ++i)
    if (!box[i].contains(codes[i])) return false;
  return true;
}

}  // namespace

Cover::Cover(const Context& context, const Reach& reach, const Settings& settings, std::span<const CodedPerson> people,
             const CoverDemand& demand, const Run& run)
    : context_(context),
      reach_(reach),
      people_(people),
      demand_(demand),
      run_(run),
      boxes_(context, reach, settings, demand.max_features),
      services_(people.size()),
      worth_(boxes_.all().size(), 0) {
  parallel_for(people.size(), run, [&](std::size_t person) { services_[person] = boxes_.services(people_[person]); });
  for (const std::vector<Service>& services : services_)
    for (std::size_t box = 0; box < worth_.size(); ++box) worth_[box] += static_cast<std::uint32_t>(services[box]);
  run_.progress = nullptr;  // what follows is short
}

void Cover::forget(const PeopleSet& served) {
  for (std::size_t person = 0; person < people_.size(); ++person) {
    if (!served.contains(person)) continue;
    for (std::size_t box = 0; box < worth_.size(); ++box)
      worth_[box] -= static_cast<std::uint32_t>(services_[person][box]);
  }
}

// Of equals the one that is easiest to reach; boxes on one feature come first, so that the plainer is met first.
std::size_t Cover::best_box() const {
  const std::vector<CoverBox>& boxes = boxes_.all();
  std::size_t best = boxes.size();
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    if (worth_[box] == 0) continue;
    if (best == boxes.size() || worth_[box] > worth_[best] ||
        (worth_[box] == worth_[best] && boxes[box].mass > boxes[best].mass * (1 + kRounding)))
      best = box;
  }
  return best;
}

PeopleSet Cover::whom(std::size_t box, Service least) const {
  PeopleSet people(people_.size());
  for (std::size_t person = 0; person < people_.size(); ++person)
    if (services_[person][box] >= least) people.add(person);
  return people;
}

std::vector<RegionalRule> Cover::choose() {
  // Any feature may say who somebody is, also one that cannot change; pairs of more than this many would take long.
  constexpr std::size_t kWordFeatures = 24;
  const GroupWords words(context_, people_, leading_features(context_.forest.forest().importance, kWordFeatures));
  PeopleSet unserved(people_.size());
  for (std::size_t person = 0; person < people_.size(); ++person) unserved.add(person);
  const double may_remain = (1 - demand_.share) * static_cast<double>(people_.size()) + kRounding;
  std::vector<RegionalRule> rules;
  while (rules.size() < demand_.rules && static_cast<double>(unserved.size()) > may_remain) {
    const std::size_t box = best_box();
    if (box == worth_.size()) break;
    rules.push_back(write(box, unserved, words));
    const PeopleSet newly_served = whom(box, Service::served) & unserved;
    forget(newly_served);
    unserved.remove(newly_served);
  }
  return rules;
}

RegionalRule Cover::write(std::size_t box, const PeopleSet& unserved, const GroupWords& words) const {
  const FeatureIndexes& features = boxes_.features(boxes_.all()[box]);
  const std::vector<Interval> sides = boxes_.sides(boxes_.all()[box]);
  RegionalRule regional;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    regional.rule.conditions.push_back(condition_of(context_.schema(), context_.grid, features[i], sides[i], kUnknown));
    reach_.clip(regional.rule.conditions.back(), kUnknown);
  }
  regional.rule.mass = boxes_.all()[box].mass / context_.moves.total_mass();
  const PeopleSet served = whom(box, Service::served);
  state_probability(features, sides, served, regional.rule);

  const PeopleSet newly_served = served & unserved;
  const GroupDescription group = words.describe(newly_served, unserved);
  for (const GroupSide& side : group.sides)
    regional.who.push_back(condition_of(context_.schema(), context_.grid, side.feature, side.codes, kUnknown));
  regional.people = group.people.shared(unserved);
  regional.served = newly_served.size();
  regional.reached = group.people.shared(newly_served);
  regional.plausible = whom(box, Service::served_ordinarily).shared(newly_served);
  for (std::size_t person = 0; person < people_.size(); ++person)
    if (served.contains(person)) regional.rows.push_back(person);
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
