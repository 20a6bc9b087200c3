// What an audit teaches about one target: how far stated probabilities are off, how sure one may be of them, and which
// threshold keeps a promise.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "quality/binomial.h"
#include "region/audit.h"
#include "region/calibration.h"

namespace cfrules {

// A target as an audit names it: a class by its name, or LOW:HIGH. Throws InputError if the outcome has no such target.
[[nodiscard]] Target audited_target(const std::string& name, const Outcome& outcome);

struct AuditedInterval {
  Bounds bounds;
  std::size_t cases = 0;  // people behind it
};

struct PromiseTrial {
  double threshold = 0;  // on the scale of stated probabilities
  std::size_t people = 0;
  std::size_t found = 0;
  std::size_t hits = 0;
  double stated = 0;     // means over those found; NaN: nobody
  double came_true = 0;
  double distance = 0;   // NaN: the model itself was asked
};

class AuditReading {
 public:
  AuditReading() = default;  // nothing was audited
  // Classes: the cases of this very target. Numbers: those of all intervals that were tried.
  AuditReading(const Audit& audit, const Target& target);

  [[nodiscard]] bool empty() const { return cases_.empty(); }
  // None unless the model itself was asked: rows near a person are not that person.
  [[nodiscard]] LogitShift shift() const { return shift_; }
  // 95 % interval for a rule that states this (after the shift), from the people whose rules stated about as much.
  // Nothing if fewer than kLeastCases had a rule.
  [[nodiscard]] std::optional<AuditedInterval> interval(double stated) const;
  // Per threshold tried, highest first.
  [[nodiscard]] std::vector<PromiseTrial> trials() const;
  // The smallest threshold whose rules come true for at least this share of people, with this confidence: thresholds
  // are tested from the highest down, each at the full level, until one fails. Those too rarely reached to show it are
  // passed.
  [[nodiscard]] std::optional<PromiseTrial> promise(double share, double confidence) const;

  static constexpr std::size_t kLeastCases = 20;

 private:
  [[nodiscard]] std::vector<const AuditCase*> nearest_by_person(double stated) const;

  std::vector<AuditCase> cases_;  // stated: after the shift
  LogitShift shift_;
};

}  // namespace cfrules
