#include "quality/measures.h"

#include <algorithm>
#include <cmath>

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

// Rules by what they state; the error is the distance to what their draws did, weighted by the rules of each bin.
void measure_calibration(std::span<const PersonTrial> people, Evaluation& evaluation) {
  std::array<Mean, kReliabilityBins> stated, observed;
  std::size_t rules = 0;
  for (const PersonTrial& person : people)
    for (const RuleTrial& rule : person.rules) {
      if (rule.draws == 0 || std::isnan(rule.stated)) continue;
      const double place = std::clamp(rule.stated, 0.0, 1.0) * static_cast<double>(kReliabilityBins);
      const std::size_t bin = std::min(kReliabilityBins - 1, static_cast<std::size_t>(place));
      stated[bin].add(rule.stated);
      observed[bin].add(accepted_share(rule));
      ++rules;
    }
  double error = 0;
  for (std::size_t bin = 0; bin < kReliabilityBins; ++bin) {
    evaluation.reliability.push_back({stated[bin].value(), observed[bin].value(), stated[bin].count()});
    if (stated[bin].count() > 0)
      error += static_cast<double>(stated[bin].count()) * std::abs(stated[bin].value() - observed[bin].value());
  }
  if (rules > 0) evaluation.calibration_error = error / static_cast<double>(rules);
}

}  // namespace

Evaluation measure(std::span<const PersonTrial> people) {
  Evaluation evaluation;
  evaluation.people = people.size();
  measure_recourses(people, evaluation);
  measure_rules(people, evaluation);
  measure_calibration(people, evaluation);
  return evaluation;
}

}  // namespace cfrules
