// From what a forest says to what comes true.
//
// In: what the forest said of cases whose answer is known (rows its trees did not see, or fresh rows). Out, for a
// target: a monotone map from the forest's raw reading at a point to a probability. Platt's map on the logit scale; for
// numeric outcomes the raw reading is the chance of the interval under a normal curve with the trees' mean and kappa
// times their spread, kappa fitted on the same cases.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cfrules/outcome.h"
#include "cfrules/run.h"

namespace cfrules {

// channels: one share per class; numeric: mean of the tree outcomes and mean of their squares.
struct CalibrationSample {
  std::string source;  // in words: "out-of-bag rows", "fresh rows", ...
  std::size_t channels = 0;
  std::vector<double> said;     // cases x channels
  std::vector<double> outcome;  // class index or number
  std::vector<double> weights;  // empty: all 1

  [[nodiscard]] std::size_t cases() const { return outcome.size(); }
};

// A correction on the scale of log odds.
struct LogitShift {
  double intercept = 0;
  double slope = 1;

  [[nodiscard]] double apply(double probability) const;
  // From stated probabilities to the shares that came true, pulled towards no correction.
  [[nodiscard]] static LogitShift fit(std::span<const double> stated, std::span<const double> came_true);
};

class CalibrationMap {
 public:
  CalibrationMap() = default;  // the identity on class shares
  [[nodiscard]] static CalibrationMap fit(const CalibrationSample& sample, const Target& target, const Run& run = {});
  // What two classes' own trees decide: the larger share wins, the first class on ties. Nothing lies between 0 and 1.
  [[nodiscard]] static CalibrationMap decision(const Target& target);
  // No map: the raw reading stands.
  [[nodiscard]] static CalibrationMap identity(const Target& target);

  // The same map, corrected. Decisions need no correction.
  [[nodiscard]] CalibrationMap corrected(LogitShift shift) const;

  // said: the channels at a point. Class shares of the target are summed.
  [[nodiscard]] double raw(std::span<const double> said) const;
  [[nodiscard]] double raw_of_moments(double mean, double mean_of_squares) const;  // numeric outcomes
  [[nodiscard]] double probability(double raw) const;
  // The least raw reading whose probability is at least this; above 1 if none is.
  [[nodiscard]] double least_raw(double wanted) const;

  [[nodiscard]] double intercept() const { return line_.intercept; }
  [[nodiscard]] double slope() const { return line_.slope; }
  [[nodiscard]] double kappa() const { return kappa_; }
  [[nodiscard]] bool is_identity() const { return form_ == Form::identity; }

 private:
  enum class Form { identity, logistic, decision };

  [[nodiscard]] bool decides_for(double raw) const { return ties_win_ ? raw >= 0.5 : raw > 0.5; }

  Form form_ = Form::identity;
  bool ties_win_ = false;  // decision: the first class is wanted
  LogitShift line_;
  double kappa_ = 1;
  std::vector<std::uint8_t> wanted_;  // per class; empty: numeric
  double low_ = 0;
  double high_ = 0;
};

}  // namespace cfrules
