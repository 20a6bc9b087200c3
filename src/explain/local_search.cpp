#include "explain/local_search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.h"

namespace cfrules {

namespace {

std::vector<double> person_of(const Subject& subject) {
  return subject.people.size() == 1 ? subject.people.front()->values : std::vector<double>{};
}

bool reaches(const Rule& rule, double wanted) { return rule.probability.stated() >= wanted - 1e-12; }

}  // namespace

LocalSearch::LocalSearch(const Context& context, const Reach& reach, const Settings& settings, Subject subject,
                         std::function<void()> stop)
    : context_(context),
      reach_(reach),
      settings_(settings),
      subject_(std::move(subject)),
      stop_(std::move(stop)),
      units_(settings.candidates, reach, settings.max_features),
      moved_(context, reach, settings, subject_.people),
      conditional_(context, reach, settings, subject_.region, person_of(subject_), stop_) {}

Explanation LocalSearch::explain() {
  Explanation answer;
  answer.search = settings_.search;
  answer.estimator = settings_.estimator;
  answer.target = context_.forest.target().names();
  answer.base_rate = context_.forest.base_rate();
  if (units_.empty()) {
    answer.note = "no feature may change";
    return answer;
  }
  settings_.search == Search::sparsest ? search_sparsest(answer) : search_divergent(answer);
  return answer;
}

std::vector<std::string> LocalSearch::names(const FeatureIndexes& features) const {
  std::vector<std::string> names;
  for (const std::size_t feature : features) names.push_back(context_.schema()[feature].name);
  return names;
}

FoundRules LocalSearch::solve(const FeatureIndexes& features, Plausibility demand, std::size_t rules, double beat) {
  check_stop();
  if (settings_.estimator == Estimator::moved) return moved_.solve(features, demand, rules, beat);
  return {conditional_.solve(features, rules), demand};
}

// Sets of a size that can have a rule at all, the heaviest possible one first: what cannot win is then never searched.
// A set is asked for the mass of its best box only when its turn comes by the mass of all its pure places.
class LocalSearch::ByMassBound {
 public:
  ByMassBound(LocalSearch& search, std::vector<FeatureIndexes> sets, Plausibility demand)
      : search_(search), sets_(std::move(sets)), demand_(demand) {
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      search.check_stop();
      const bool moved = search.settings_.estimator == Estimator::moved;
      offer({moved ? search.moved_.light_bound(sets_[i], demand) : 1.0, i, !moved});
    }
  }

  // Null: no set is left that may have a rule of this mass.
  const FeatureIndexes* next(double mass) {
    while (!queue_.empty() && queue_.begin()->bound >= mass) {
      const Entry entry = *queue_.begin();
      queue_.erase(queue_.begin());
      if (entry.exact) return &sets_[entry.index];
      search_.check_stop();
      const double beat = (1 - 1e-9) * std::max(mass, search_.settings_.min_mass);  // a tie must pass
      offer({search_.moved_.mass_bound(sets_[entry.index], demand_, beat), entry.index, true});
    }
    return nullptr;
  }

 private:
  struct Entry {
    double bound;
    std::size_t index;
    bool exact;

    // Of equal bounds those that may yet fall come first, so that the rest come in their own order.
    bool operator<(const Entry& other) const {
      if (bound != other.bound) return bound > other.bound;
      return exact != other.exact ? !exact : index < other.index;
    }
  };

  void offer(const Entry& entry) {
    if (entry.bound > 0 && entry.bound >= search_.settings_.min_mass) queue_.insert(entry);
  }

  LocalSearch& search_;
  std::vector<FeatureIndexes> sets_;
  Plausibility demand_;
  std::set<Entry> queue_;
};

// Largest mass first, then least cost, then names.
bool LocalSearch::better(const Choice& a, const Choice& b) const {
  const Rule& first = a.found.rules.front();
  const Rule& second = b.found.rules.front();
  if (first.mass != second.mass) return first.mass > second.mass;
  if (first.cost != second.cost && !std::isnan(first.cost) && !std::isnan(second.cost)) return first.cost < second.cost;
  return names(a.features) < names(b.features);
}

// By size; at each size with ever smaller demands on plausibility; the demand is dropped only when no size has a rule.
void LocalSearch::search_sparsest(Explanation& answer) {
  const std::vector<Plausibility> demands =
      settings_.estimator == Estimator::moved ? std::vector{Plausibility::clear, Plausibility::fair, Plausibility::bare}
                                              : std::vector{Plausibility::none};
  const auto best_of_size = [&](std::size_t size, Plausibility demand) {
    std::optional<Choice> best;
    ByMassBound sets(*this, units_.sets_of(size), demand);
    while (const FeatureIndexes* features = sets.next(best ? best->found.mass() : 0.0)) {
      Choice choice{*features, solve(*features, demand, 1, best ? std::nextafter(best->found.mass(), 0.0) : 0.0)};
      if (choice.found.rules.empty() || choice.found.mass() < settings_.min_mass) continue;
      if (!best || better(choice, *best)) best = std::move(choice);
    }
    if (best && settings_.rules > 1) best->found = solve(best->features, demand, settings_.rules);
    return best;
  };
  for (std::size_t size = 1; size <= units_.max_features(); ++size)
    for (const Plausibility demand : demands)
      if (auto best = best_of_size(size, demand))
        return finish(answer, best->features, std::move(best->found), Status::found);
  if (settings_.estimator == Estimator::moved)
    for (std::size_t size = 1; size <= units_.max_features(); ++size)
      if (auto best = best_of_size(size, Plausibility::none))
        return finish(answer, best->features, std::move(best->found), Status::found);
  below_threshold(answer);
}

FoundRules LocalSearch::solve_with_best_plausibility(const FeatureIndexes& features) {
  if (settings_.estimator != Estimator::moved) return solve(features, Plausibility::none, settings_.rules);
  for (const Plausibility demand : {Plausibility::clear, Plausibility::fair, Plausibility::bare, Plausibility::none}) {
    FoundRules found = solve(features, demand, settings_.rules);
    if (!found.rules.empty()) return found;
  }
  return {};
}

// The sets that reach pi, smallest size first; with all_sets every set none of whose proper subsets reaches it.
// None reaches it: the one best set, and nothing in `features`.
std::vector<FeatureSet> LocalSearch::divergent_sets(std::vector<FeatureIndexes>& features) {
  std::vector<std::pair<double, FeatureIndexes>> reached;
  std::pair<double, FeatureIndexes> best{-1, {}};
  const auto has_subset = [&](const FeatureIndexes& set) {
    return std::any_of(reached.begin(), reached.end(), [&](const auto& other) {
      return std::includes(set.begin(), set.end(), other.second.begin(), other.second.end());
    });
  };
  std::size_t minimal = 0;
  const auto look_at = [&](const FeatureIndexes& set) {
    if (minimal > 0 && (settings_.all_sets ? has_subset(set) : set.size() > minimal)) return;
    check_stop();
    const double cdp = conditional_.cdp(set);
    if (cdp > best.first) best = {cdp, set};
    if (cdp < settings_.pi) return;
    reached.emplace_back(cdp, set);
    if (minimal == 0) minimal = set.size();
  };
  if (settings_.path_sets > 0) {
    const CodedPerson& person = *subject_.people.front();
    for (const FeatureIndexes& set :
         units_.sets_on_paths(context_.conditional.forest(), person.codes, settings_.path_sets,
                              RandomStream(settings_.seed, Purpose::candidate_sets, 0)))
      look_at(set);
  } else {
    for (std::size_t size = 1; size <= units_.max_features() && (minimal == 0 || settings_.all_sets); ++size)
      for (const FeatureIndexes& set : units_.sets_of(size)) look_at(set);
  }
  std::stable_sort(reached.begin(), reached.end(), [&](const auto& a, const auto& b) {
    if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
    return a.first != b.first ? a.first > b.first : names(a.second) < names(b.second);
  });
  std::vector<FeatureSet> sets;
  for (auto& [cdp, set] : reached) {
    sets.push_back({names(set), cdp});
    features.push_back(std::move(set));
  }
  if (sets.empty() && !best.second.empty()) {
    sets.push_back({names(best.second), best.first});
    features.push_back(best.second);
  }
  return sets;
}

void LocalSearch::search_divergent(Explanation& answer) {
  std::vector<FeatureIndexes> features;
  answer.sets = divergent_sets(features);
  if (features.empty()) {
    answer.note = "no set of features may change together";
    return;
  }
  const bool reached = answer.sets.front().cdp >= settings_.pi;
  std::optional<Choice> best;
  for (const FeatureIndexes& set : features) {  // best first; a set without a rule gives way to the next
    Choice choice{set, solve_with_best_plausibility(set)};
    if (choice.found.rules.empty()) continue;
    best = std::move(choice);
    break;
  }
  if (!best) best = Choice{features.front(), best_effort(features.front())};
  const bool pure = !best->found.rules.empty() && reaches(best->found.rules.front(), settings_.min_probability);
  const FeatureIndexes chosen = best->features;
  finish(answer, chosen, std::move(best->found), reached && pure ? Status::found : Status::below_threshold);
  if (!reached)
    answer.note = "no set of features reaches a CDP of " + shortest_decimal(settings_.pi) + "; the best set is shown";
}

FoundRules LocalSearch::best_effort(const FeatureIndexes& features) {
  if (settings_.estimator != Estimator::moved) return {conditional_.best_effort(features), Plausibility::none};
  const double peak = moved_.peak(features);
  if (peak <= 0) return {};
  const double floor = std::max(0.0, std::min(peak, settings_.floor) - 0.05);
  for (const Plausibility demand : {Plausibility::bare, Plausibility::none}) {
    FoundRules found = moved_.solve(features, demand, 1, Purity{floor, floor}, 0);
    if (!found.rules.empty()) return found;
  }
  return {};
}

// Nothing reaches the threshold: the set that comes nearest, with its true probability.
void LocalSearch::below_threshold(Explanation& answer) {
  std::optional<Choice> best;
  const auto stated = [](const Choice& choice) { return choice.found.rules.front().probability.stated(); };
  const std::size_t largest = std::min<std::size_t>(units_.max_features(), 2);
  for (std::size_t size = 1; size <= largest || (!best && size <= units_.max_features()); ++size)
    for (const FeatureIndexes& features : units_.sets_of(size)) {
      check_stop();
      if (settings_.estimator == Estimator::moved && best && moved_.peak(features) <= stated(*best)) continue;
      Choice choice{features, best_effort(features)};
      if (choice.found.rules.empty()) continue;
      if (!best || stated(choice) > stated(*best)) best = std::move(choice);
    }
  if (!best) {
    answer.note = "no value that the constraints allow was ever seen in the data";
    return;
  }
  const Rule& rule = best->found.rules.front();
  if (reaches(rule, settings_.min_probability))
    answer.note = "a rule that reaches " + shortest_decimal(settings_.min_probability) +
                  " exists, but it holds less than " + shortest_decimal(100 * settings_.min_mass) + " % of people";
  const FeatureIndexes chosen = best->features;
  finish(answer, chosen, std::move(best->found), Status::below_threshold);
}

void LocalSearch::finish(Explanation& answer, const FeatureIndexes& features, FoundRules found, Status status) const {
  answer.status = status;
  answer.plausible = found.demand != Plausibility::none && !found.rules.empty();
  answer.rules = std::move(found.rules);
  answer.changed = names(features);
  answer.cdp = conditional_.cdp(features);
}

}  // namespace cfrules
