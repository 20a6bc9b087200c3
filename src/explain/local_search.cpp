#include "explain/local_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/decimal.h"

namespace cfrules {

namespace {

bool reaches(const Rule& rule, double wanted) { return rule.probability.stated() >= wanted - 1e-12; }

}  // namespace

LocalSearch::LocalSearch(const Context& context, const Reach& reach, const Settings& settings, Subject subject,
                         std::function<void()> stop, MoveScratch* scratch)
    : context_(context),
      reach_(reach),
      settings_(settings),
      subject_(std::move(subject)),
      stop_(std::move(stop)),
      units_(settings.candidates, reach, settings.max_features),
      moved_(context, reach, settings, subject_.people, scratch),
      conditional_(context, reach, settings, subject_.region, subject_.people, stop_) {}

Explanation LocalSearch::blank() const {
  Explanation answer;
  answer.search = settings_.search;
  answer.estimator = settings_.estimator;
  answer.target = context_.forest.target().names();
  answer.base_rate = context_.forest.base_rate();
  return answer;
}

Explanation LocalSearch::explain() {
  Explanation answer = blank();
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
  ByMassBound(LocalSearch& search, std::vector<FeatureIndexes> sets, Plausibility demand, Purity purity)
      : search_(search), sets_(std::move(sets)), demand_(demand), purity_(purity) {
    const bool moved = search.settings_.estimator == Estimator::moved;
    if (moved) {
      const std::size_t all = sets_.size();
      std::erase_if(sets_, [&](const FeatureIndexes& features) {
        search.check_stop();
        return !search.moved_.may_be_ordinary(features, demand);
      });
      if (sets_.size() < all) search.moved_.expect(sets_);
    }
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      search.check_stop();
      offer({moved ? search.moved_.light_bound(sets_[i], demand, purity) : 1.0, i, !moved});
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
      offer({search_.moved_.mass_bound(sets_[entry.index], demand_, purity_, beat), entry.index, true});
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
  Purity purity_;
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
    ByMassBound sets(*this, units_.sets_of(size), demand, moved_.purity());
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

// A set is proposed once a floor, as ordinary as it can be.
std::vector<Proposal> LocalSearch::propose(std::size_t size, const ProposalRules& wanted) {
  std::vector<Proposal> proposals;
  if (size > units_.max_features()) return proposals;
  for (const double floor : wanted.floors) {
    const Purity purity{floor, floor};
    std::set<FeatureIndexes> proposed;
    for (const Plausibility demand : wanted.demands) {
      ByMassBound sets(*this, units_.sets_of(size), demand, purity);
      while (proposed.size() < wanted.most) {
        const FeatureIndexes* features = sets.next(settings_.min_mass);
        if (features == nullptr) break;
        if (proposed.contains(*features)) continue;
        check_stop();
        FoundRules found = moved_.solve(*features, demand, 1, purity, 0);
        if (found.rules.empty() || found.mass() < settings_.min_mass) continue;
        proposed.insert(*features);
        proposals.push_back({*features, demand, purity, std::move(found.rules.front())});
      }
    }
  }
  return proposals;
}

Explanation LocalSearch::explain(const Proposal& proposal) {
  Explanation answer = blank();
  finish(answer, proposal.features,
         moved_.solve(proposal.features, proposal.demand, settings_.rules, proposal.purity, 0), Status::found);
  return answer;
}

FoundRules LocalSearch::solve_with_best_plausibility(const FeatureIndexes& features) {
  if (settings_.estimator != Estimator::moved) return solve(features, Plausibility::none, settings_.rules);
  for (const Plausibility demand : {Plausibility::clear, Plausibility::fair, Plausibility::bare, Plausibility::none}) {
    FoundRules found = solve(features, demand, settings_.rules);
    if (!found.rules.empty()) return found;
  }
  return {};
}

// Small ones first, then by CDP, then by names.
std::vector<ScoredSet> LocalSearch::divergent_sets() {
  DivergentSets search(conditional_, units_, settings_, stop_);
  std::vector<ScoredSet> sets = search.find(context_.conditional.forest(), subject_.people.front()->codes);
  std::stable_sort(sets.begin(), sets.end(), [&](const ScoredSet& a, const ScoredSet& b) {
    if (a.features.size() != b.features.size()) return a.features.size() < b.features.size();
    return a.cdp != b.cdp ? a.cdp > b.cdp : names(a.features) < names(b.features);
  });
  return sets;
}

void LocalSearch::search_divergent(Explanation& answer) {
  const std::vector<ScoredSet> sets = divergent_sets();
  for (const ScoredSet& set : sets) answer.sets.push_back({names(set.features), set.cdp});
  if (sets.empty()) {
    answer.note = "no set of features may change together";
    return;
  }
  const bool reached = answer.sets.front().cdp >= settings_.pi;
  std::optional<Choice> best;
  for (const ScoredSet& set : sets) {  // best first; a set without a rule gives way to the next
    Choice choice{set.features, solve_with_best_plausibility(set.features)};
    if (choice.found.rules.empty()) continue;
    best = std::move(choice);
    break;
  }
  if (!best) best = Choice{sets.front().features, best_effort(sets.front().features)};
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
  constexpr std::array kDemands{Plausibility::bare, Plausibility::none};
  return moved_.solve_by_first(kDemands, features, {floor, floor});
}

// Nothing reaches the threshold: the set that comes nearest, with its true probability.
void LocalSearch::below_threshold(Explanation& answer) {
  std::optional<Choice> best;
  const auto stated = [](const Choice& choice) { return choice.found.rules.front().probability.stated(); };
  const std::size_t largest = std::min<std::size_t>(units_.max_features(), 2);
  for (std::size_t size = 1; size <= largest || (!best && size <= units_.max_features()); ++size)
    for (const FeatureIndexes& features : units_.sets_of(size)) {
      check_stop();
      if (settings_.estimator == Estimator::moved && best && !moved_.peaks_above(features, stated(*best)))
        continue;
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
  if (!found.rules.empty())
    answer.plausible = settings_.estimator == Estimator::moved ? found.demand != Plausibility::none
                                                               : conditional_.plausible(found.rules.front());
  answer.rules = std::move(found.rules);
  answer.changed = names(features);
  answer.cdp = conditional_.cdp(features);
}

}  // namespace cfrules
