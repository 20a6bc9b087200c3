#include "explain/cover.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "explain/condition_writer.h"
#include "explain/moved_rules.h"
#include "region/move_grid.h"

namespace cfrules {

namespace {

bool inside(const MoveSet& set, std::span<const Interval> box, std::size_t cell) {
  for (std::size_t axis = set.axes.size(); axis-- > 0; cell /= set.axes[axis]->size())
    if (!box[axis].contains(set.axes[axis]->read_at(cell % set.axes[axis]->size()))) return false;
  return true;
}

}  // namespace

Cover::Cover(const Context& context, const Reach& reach, const Settings& settings, std::span<const CodedPerson> people,
             const CoverDemand& demand, const Run& run)
    : context_(context),
      reach_(reach),
      settings_(settings),
      people_(people),
      demand_(demand),
      run_(run),
      boxes_(context, reach, settings, demand.max_features),
      services_(people.size()),
      worth_(boxes_.all().size(), 0) {
  parallel_for(people.size(), run, [&](std::size_t person) { services_[person] = boxes_.services(people_[person]); });
  for (const std::vector<Service>& services : services_)
    for (std::size_t box = 0; box < worth_.size(); ++box) worth_[box] += services[box].worth();
  run_.progress = nullptr;  // what follows is short
}

std::vector<RegionalRule> Cover::choose() {
  // Any feature may say who somebody is, also one that cannot change; pairs of more than this many would take long.
  constexpr std::size_t kWordFeatures = 24;
  const GroupWords words(context_, people_, leading_features(context_.forest.forest().importance, kWordFeatures));
  PeopleSet unserved(people_.size());
  for (std::size_t person = 0; person < people_.size(); ++person) unserved.add(person);
  const double may_remain = (1 - demand_.share) * static_cast<double>(people_.size()) + kMeanRounding;
  std::vector<RegionalRule> rules;
  while (rules.size() < demand_.rules && static_cast<double>(unserved.size()) > may_remain) {
    std::optional<Choice> choice = next(unserved);
    if (!choice) break;
    for (std::size_t person = 0; person < people_.size(); ++person)
      if (choice->newly_served.contains(person)) forget(person);
    const PeopleSet newly_served = choice->newly_served;
    rules.push_back(write(std::move(*choice), unserved, words));
    unserved.remove(newly_served);
  }
  return rules;
}

std::optional<Cover::Choice> Cover::next(const PeopleSet& unserved) {
  while (const std::optional<std::size_t> box = best_box()) {
    Choice choice = read(*box, unserved);
    if (choice.newly_served.size() > 0) return choice;
    worth_[*box] = 0;
    for (std::vector<Service>& services : services_) services[*box] = {};  // it only looked as if it served somebody
  }
  return std::nullopt;
}

// Of equals the one that is easiest to reach; boxes on one feature come first, so that the plainer is met first.
std::optional<std::size_t> Cover::best_box() const {
  const std::vector<CoverBox>& boxes = boxes_.all();
  std::optional<std::size_t> best;
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    if (worth_[box] == 0) continue;
    if (!best || worth_[box] > worth_[*best] ||
        (worth_[box] == worth_[*best] && boxes[box].mass > boxes[*best].mass * (1 + kMeanRounding)))
      best = box;
  }
  return best;
}

void Cover::forget(std::size_t person) {
  for (std::size_t box = 0; box < worth_.size(); ++box) worth_[box] -= services_[person][box].worth();
}

Cover::Choice Cover::read(std::size_t box, const PeopleSet& unserved) const {
  Choice choice{box, PeopleSet(people_.size()), PeopleSet(people_.size()), {}};
  const std::vector<Means> means = this->means(box, choice.rule);
  Means sum;
  for (std::size_t person = 0; person < people_.size(); ++person) {
    if (means[person].probability < settings_.min_probability - kMeanRounding) continue;
    choice.served.add(person);
    if (unserved.contains(person)) choice.newly_served.add(person);
    sum.raw += means[person].raw;
    sum.probability += means[person].probability;
  }
  choice.rule.probability.raw = sum.raw / static_cast<double>(choice.served.size());
  choice.rule.probability.calibrated = sum.probability / static_cast<double>(choice.served.size());
  return choice;
}

// Code by code, for those the box seems to serve; 0 for the others. Writes down how many donors speak.
std::vector<Cover::Means> Cover::means(std::size_t box, Rule& rule) const {
  const MoveSet& set = context_.moves.moves(boxes_.features(boxes_.all()[box]));  // one or two features: a bin per code
  const std::vector<Interval> sides = boxes_.sides(boxes_.all()[box]);
  std::vector<std::size_t> donors;  // places in set.cells
  double mass = 0;
  for (std::size_t i = 0; i < set.cells.size(); ++i) {
    if (!inside(set, sides, set.cells[i])) continue;
    donors.push_back(i);
    mass += set.mass[i];
    rule.support += set.rows[i];
  }
  std::vector<Means> means(people_.size());
  parallel_for(people_.size(), run_, [&](std::size_t person) {
    if (!services_[person][box].served) return;
    MoveLeaves memory;
    BoxSums grid;
    sum_moves(context_.forest, set.axes, people_[person].codes, memory, grid);
    for (const std::size_t i : donors) {
      const double raw = context_.forest.raw({grid.first(set.places[i]), grid.second(set.places[i])});
      means[person].raw += set.mass[i] / mass * raw;
      means[person].probability += set.mass[i] / mass * context_.forest.map().probability(raw);
    }
  });
  return means;
}

RegionalRule Cover::write(Choice choice, const PeopleSet& unserved, const GroupWords& words) const {
  const CoverBox& box = boxes_.all()[choice.box];
  const FeatureIndexes& features = boxes_.features(box);
  const std::vector<Interval> sides = boxes_.sides(box);
  RegionalRule regional;
  regional.rule = std::move(choice.rule);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    regional.rule.conditions.push_back(
        condition_of(context_.schema(), context_.grid, features[i], sides[i], kUnknown, context_.values));
    reach_.clip(regional.rule.conditions.back(), kUnknown);
  }
  regional.rule.mass = box.mass / context_.moves.total_mass();

  const GroupDescription group = words.describe(choice.newly_served, unserved);
  for (const GroupSide& side : group.sides)
    regional.who.push_back(
        condition_of(context_.schema(), context_.grid, side.feature, side.codes, kUnknown, context_.values));
  regional.people = group.people.shared(unserved);
  regional.served = choice.newly_served.size();
  regional.reached = group.people.shared(choice.newly_served);
  std::vector<double> costs;
  for (std::size_t person = 0; person < people_.size(); ++person) {
    if (!choice.served.contains(person)) continue;
    regional.rows.push_back(person);
    costs.push_back(cost_of_box(context_, reach_, regional.rule.conditions, people_[person].values));
    if (choice.newly_served.contains(person) && services_[person][choice.box].ordinary) ++regional.plausible;
  }
  regional.rule.cost = std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
  return regional;
}

}  // namespace cfrules
