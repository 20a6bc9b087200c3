#include "quality/audit_reading.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cfrules {

namespace {

constexpr double kAboutAsMuch = 0.03;
constexpr double kConfidence = 0.95;

LogitShift shift_of(std::span<const AuditCase> cases) {
  std::vector<double> stated, came_true;
  for (const AuditCase& one : cases) {
    if (!one.found() || std::isnan(one.came_true)) continue;
    stated.push_back(one.stated);
    came_true.push_back(one.came_true);
  }
  return LogitShift::fit(stated, came_true);
}

}  // namespace

Target audited_target(const std::string& name, const Outcome& outcome) {
  return outcome.numeric() ? Target::parse(name, outcome) : Target::of_classes({name}, outcome);
}

AuditReading::AuditReading(const Audit& audit, const Target& target) {
  const std::vector<std::string> names = target.names();
  for (const AuditCase& one : audit.cases)
    if (target.numeric() || (names.size() == 1 && audit.targets[one.target] == names.front())) cases_.push_back(one);
  if (!audit.asked_the_model) return;
  shift_ = shift_of(cases_);
  for (AuditCase& one : cases_) {
    one.threshold = shift_.apply(one.threshold);
    if (one.found()) one.stated = shift_.apply(one.stated);
  }
}

// A person counts once, by the rule whose statement is nearest.
std::vector<const AuditCase*> AuditReading::nearest_by_person(double stated) const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const AuditCase*> nearest;
  for (const AuditCase& one : cases_) {
    if (!one.found() || std::isnan(one.came_true)) continue;
    const AuditCase*& best = nearest[{one.target, one.person}];
    if (best == nullptr || std::abs(one.stated - stated) < std::abs(best->stated - stated)) best = &one;
  }
  std::vector<const AuditCase*> people;
  for (const auto& [key, one] : nearest) people.push_back(one);
  std::stable_sort(people.begin(), people.end(), [stated](const AuditCase* a, const AuditCase* b) {
    return std::abs(a->stated - stated) < std::abs(b->stated - stated);
  });
  return people;
}

std::optional<AuditedInterval> AuditReading::interval(double stated) const {
  std::vector<const AuditCase*> people = nearest_by_person(stated);
  if (people.size() < kLeastCases || std::isnan(stated)) return std::nullopt;
  const auto far = std::find_if(people.begin() + kLeastCases, people.end(),
                                [&](const AuditCase* one) { return std::abs(one->stated - stated) > kAboutAsMuch; });
  people.erase(far, people.end());
  const auto hits =
      static_cast<std::size_t>(std::count_if(people.begin(), people.end(), [](const auto* one) { return one->hit; }));
  Bounds bounds = clopper_pearson(hits, people.size(), kConfidence);
  bounds.low = std::min(bounds.low, stated);  // what is stated lies in its interval
  bounds.high = std::max(bounds.high, stated);
  return AuditedInterval{bounds, people.size()};
}

std::vector<PromiseTrial> AuditReading::trials() const {
  std::map<double, PromiseTrial, std::greater<>> by_threshold;
  for (const AuditCase& one : cases_) {
    PromiseTrial& trial = by_threshold[one.threshold];
    trial.threshold = one.threshold;
    ++trial.people;
    if (!one.found() || std::isnan(one.came_true)) continue;
    ++trial.found;
    trial.hits += one.hit ? 1 : 0;
    trial.stated += one.stated;
    trial.came_true += one.came_true;
    trial.distance += one.distance;
  }
  std::vector<PromiseTrial> trials;
  for (auto& [threshold, trial] : by_threshold) {
    const auto found = static_cast<double>(trial.found);  // none: NaN, which is what is known
    trial.stated /= found;
    trial.came_true /= found;
    trial.distance /= found;
    trials.push_back(trial);
  }
  return trials;
}

std::optional<PromiseTrial> AuditReading::promise(double share, double confidence) const {
  std::optional<PromiseTrial> kept;
  for (const PromiseTrial& trial : trials()) {
    if (chance_of_at_least(trial.found, trial.found, share) > 1 - confidence)
      continue;  // even all hits would not show it
    if (chance_of_at_least(trial.hits, trial.found, share) > 1 - confidence) break;
    kept = trial;
  }
  return kept;
}

}  // namespace cfrules
