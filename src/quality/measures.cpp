#include "quality/measures.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace cfrules {

namespace {

class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? kUnknown : sum_ / static_cast<double>(count_); }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

double accepted_share(const RuleTrial& rule) {
  return static_cast<double>(rule.accepted) / static_cast<double>(rule.draws);
}

void measure_recourses(std::span<const PersonTrial> people, Evaluation& evaluation) {
  Mean coverage, accuracy, accuracy_found, plausibility, sparsity, cost;
  std::array<Mean, kNoiseVariances.size()> stability;
  for (const PersonTrial& person : people) {
    coverage.add(person.rules.empty() ? 0 : 1);
    accuracy.add(person.recourse && person.recourse->accepted ? 1 : 0);
    if (!person.recourse) continue;
    const RecourseTrial& recourse = *person.recourse;
    accuracy_found.add(recourse.accepted ? 1 : 0);
    plausibility.add(recourse.plausible ? 1 : 0);
    sparsity.add(static_cast<double>(recourse.changed));
    cost.add(recourse.cost);
    if (!recourse.accepted) continue;
    for (std::size_t level = 0; level < stability.size(); ++level)
      stability[level].add(static_cast<double>(recourse.stayed[level]) / static_cast<double>(kNoisyCopies));
  }
  evaluation.coverage = coverage.value();
  evaluation.accuracy = accuracy.value();
  evaluation.accuracy_found = accuracy_found.value();
  evaluation.plausibility = plausibility.value();
  evaluation.sparsity = sparsity.value();
  evaluation.cost = cost.value();
  for (const Mean& level : stability) evaluation.stability.push_back(level.value());
}

// A person counts once, however many rules they got.
void measure_rules(std::span<const PersonTrial> people, Evaluation& evaluation) {
  Mean donor_accuracy, stated, mass, below_half;
  for (const PersonTrial& person : people) {
    Mean own_accuracy, own_stated, own_mass;
    for (const RuleTrial& rule : person.rules) {
      own_stated.add(rule.stated);
      own_mass.add(rule.mass);
      if (rule.draws == 0) continue;
      own_accuracy.add(accepted_share(rule));
      below_half.add(2 * rule.accepted < rule.draws ? 1 : 0);
    }
    if (own_stated.count() > 0) stated.add(own_stated.value());
    if (own_mass.count() > 0) mass.add(own_mass.value());
    if (own_accuracy.count() > 0) donor_accuracy.add(own_accuracy.value());
  }
  evaluation.donor_accuracy = donor_accuracy.value();
  evaluation.stated = stated.value();
  evaluation.mass = mass.value();
  evaluation.below_half = below_half.value();
}

// Rules by what they state, each with what its draws did.
struct Bins {
  std::array<double, kReliabilityBins> stated{};
  std::array<double, kReliabilityBins> observed{};
  std::array<std::size_t, kReliabilityBins> rules{};

  void add(const RuleTrial& rule) {
    if (rule.draws == 0 || std::isnan(rule.stated)) return;
    const double place = std::clamp(rule.stated, 0.0, 1.0) * static_cast<double>(kReliabilityBins);
    const std::size_t bin = std::min(kReliabilityBins - 1, static_cast<std::size_t>(place));
    stated[bin] += rule.stated;
    observed[bin] += accepted_share(rule);
    ++rules[bin];
  }
  // The distance of stated to observed, weighted by the rules of each bin.
  [[nodiscard]] double error() const {
    double sum = 0, all = 0;
    for (std::size_t bin = 0; bin < kReliabilityBins; ++bin) {
      sum += std::abs(stated[bin] - observed[bin]);
      all += static_cast<double>(rules[bin]);
    }
    return all > 0 ? sum / all : kUnknown;
  }
};

Bins bins_of(std::span<const PersonTrial> people) {
  Bins bins;
  for (const PersonTrial& person : people)
    for (const RuleTrial& rule : person.rules) bins.add(rule);
  return bins;
}

// As many people drawn again, with replacement.
Bins drawn_again(std::span<const PersonTrial> people, RandomStream random) {
  Bins bins;
  for (std::size_t i = 0; i < people.size(); ++i)
    for (const RuleTrial& rule : people[random.below(people.size())].rules) bins.add(rule);
  return bins;
}

// Between the 2.5th and the 97.5th of a hundred. Crowds need fewer resamples than they would cost.
void bootstrap_error(std::span<const PersonTrial> people, std::uint64_t seed, Evaluation& evaluation) {
  const std::size_t resamples = std::clamp<std::size_t>(50'000'000 / people.size(), 100, 1000);
  std::vector<double> errors;
  for (std::size_t i = 0; i < resamples; ++i) {
    const double error = drawn_again(people, RandomStream(seed, Purpose::bootstrap, i)).error();
    if (!std::isnan(error)) errors.push_back(error);
  }
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) {
    return errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
  };
  evaluation.calibration_error_low = at(0.025);
  evaluation.calibration_error_high = at(0.975);
}

void measure_calibration(std::span<const PersonTrial> people, std::uint64_t seed, Evaluation& evaluation) {
  const Bins bins = bins_of(people);
  for (std::size_t bin = 0; bin < kReliabilityBins; ++bin) {
    const auto rules = static_cast<double>(bins.rules[bin]);  // none: 0 / 0, which is what is known
    evaluation.reliability.push_back({bins.stated[bin] / rules, bins.observed[bin] / rules, bins.rules[bin]});
  }
  evaluation.calibration_error = bins.error();
  if (!std::isnan(evaluation.calibration_error)) bootstrap_error(people, seed, evaluation);
}

}  // namespace

Evaluation measure(std::span<const PersonTrial> people, std::uint64_t seed) {
  Evaluation evaluation;
  evaluation.people = people.size();
  measure_recourses(people, evaluation);
  measure_rules(people, evaluation);
  measure_calibration(people, seed, evaluation);
  return evaluation;
}

}  // namespace cfrules
