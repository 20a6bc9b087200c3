#include "region/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace cfrules {

namespace {

// Raw readings of exactly 0 and 1 are common (all trees agree); a forest of a few hundred trees cannot tell them from
// this.
constexpr double kEdge = 0.002;

double logit(double share) {
  const double inner = kEdge + (1 - 2 * kEdge) * share;
  return std::log(inner / (1 - inner));
}

double share_of_logit(double value) {
  const double inner = 1 / (1 + std::exp(-value));
  return (inner - kEdge) / (1 - 2 * kEdge);
}

double sigmoid(double value) { return 1 / (1 + std::exp(-value)); }

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double log_likelihood(std::span<const double> shares, std::span<const double> hits, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double share = std::clamp(shares[i], 1e-6, 1 - 1e-6);
    sum += weights[i] * (hits[i] * std::log(share) + (1 - hits[i]) * std::log(1 - share));
  }
  return sum;
}

// How strongly a fit is pulled towards no correction, in cases.
struct Pull {
  double intercept = 0;
  double slope = 0;
};

// Newton's method on the two parameters, with a pull towards the identity, so that clean samples stay finite. Hits are
// taken as they are: smoothing them, as Platt does, flattens the curve wherever most cases are sure.
LogitShift fit_logistic(std::span<const double> scores, std::span<const double> hits, std::span<const double> weights,
                        Pull pull, const Run& run = {}) {
  LogitShift line;
  for (int step = 0; step < 100; ++step) {
    check_stop(run);
    double g0 = pull.intercept * line.intercept, g1 = pull.slope * (line.slope - 1), h00 = pull.intercept, h01 = 0,
           h11 = pull.slope;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = sigmoid(line.intercept + line.slope * scores[i]);
      const double error = weights[i] * (p - hits[i]);
      const double curve = weights[i] * std::max(p * (1 - p), 1e-9);
      g0 += error;
      g1 += error * scores[i];
      h00 += curve;
      h01 += curve * scores[i];
      h11 += curve * scores[i] * scores[i];
    }
    const double determinant = h00 * h11 - h01 * h01;
    if (!(determinant > 0)) break;
    const double d0 = (h11 * g0 - h01 * g1) / determinant;
    const double d1 = (h00 * g1 - h01 * g0) / determinant;
    line.intercept -= std::clamp(d0, -2.0, 2.0);
    line.slope = std::max(0.02, line.slope - std::clamp(d1, -2.0, 2.0));  // a map must rise
    if (std::abs(d0) + std::abs(d1) < 1e-10) break;
  }
  return line;
}

bool both_happen(std::span<const double> hits, std::span<const double> weights) {
  double positive = 0, negative = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    positive += weights[i] * hits[i];
    negative += weights[i] * (1 - hits[i]);
  }
  return positive > 0 && negative > 0;
}

// On the scale of log odds; certainty is kept finite.
double log_odds(double probability) {
  const double inner = std::clamp(probability, 1e-4, 1 - 1e-4);
  return std::log(inner / (1 - inner));
}

}  // namespace

double LogitShift::apply(double probability) const {
  if (intercept == 0 && slope == 1) return probability;
  return sigmoid(intercept + slope * log_odds(probability));
}

LogitShift LogitShift::fit(std::span<const double> stated, std::span<const double> came_true) {
  constexpr Pull kAudit{5, 20};  // few people, all near the threshold: the slope is hardly seen
  std::vector<double> scores;
  for (const double probability : stated) scores.push_back(log_odds(probability));
  const std::vector<double> weights(stated.size(), 1.0);
  return fit_logistic(scores, came_true, weights, kAudit);
}

CalibrationMap CalibrationMap::identity(const Target& target) {
  CalibrationMap map;
  map.kappa_ = 0;  // numeric: the mean outcome is in the interval or is not
  map.wanted_ = target.wanted();
  map.low_ = target.low();
  map.high_ = target.high();
  return map;
}

CalibrationMap CalibrationMap::decision(const Target& target) {
  CalibrationMap map = identity(target);
  map.form_ = Form::decision;
  map.ties_win_ = !map.wanted_.empty() && map.wanted_.front() != 0;
  return map;
}

CalibrationMap CalibrationMap::corrected(LogitShift shift) const {
  CalibrationMap map = *this;
  if (form_ == Form::logistic) map.line_ = {shift.intercept + shift.slope * line_.intercept, shift.slope * line_.slope};
  return map;
}

CalibrationMap CalibrationMap::fit(const CalibrationSample& sample, const Target& target, const Run& run) {
  CalibrationMap map = identity(target);
  std::vector<double> weights = sample.weights.empty() ? std::vector<double>(sample.cases(), 1.0) : sample.weights;
  std::vector<double> hits;
  for (const double value : sample.outcome) hits.push_back(target.contains(value) ? 1.0 : 0.0);
  const auto said = [&](std::size_t i) { return std::span(sample.said).subspan(i * sample.channels, sample.channels); };
  const auto read_all = [&] {
    std::vector<double> shares;
    for (std::size_t i = 0; i < sample.cases(); ++i) shares.push_back(map.raw(said(i)));
    return shares;
  };

  if (target.numeric()) {
    double best = -std::numeric_limits<double>::infinity();
    double best_kappa = 1;
    for (double kappa = 0.2; kappa < 6; kappa *= 1.15) {
      check_stop(run);
      map.kappa_ = kappa;
      const double likelihood = log_likelihood(read_all(), hits, weights);
      if (likelihood > best) {
        best = likelihood;
        best_kappa = kappa;
      }
    }
    map.kappa_ = best_kappa;
  }
  std::vector<double> scores = read_all();
  for (double& score : scores) score = logit(score);
  map.form_ = Form::logistic;
  constexpr Pull kSample{2, 0.25};
  if (both_happen(hits, weights))
    map.line_ = fit_logistic(scores, hits, weights, kSample, run);  // else the raw reading stands
  return map;
}

double CalibrationMap::raw(std::span<const double> said) const {
  if (wanted_.empty()) return raw_of_moments(said[0], said[1]);
  double sum = 0;
  for (std::size_t label = 0; label < wanted_.size(); ++label)
    if (wanted_[label] != 0) sum += said[label];
  return std::clamp(sum, 0.0, 1.0);
}

double CalibrationMap::raw_of_moments(double mean, double mean_of_squares) const {
  const double spread = kappa_ * std::sqrt(std::max(0.0, mean_of_squares - mean * mean));
  if (spread < 1e-9 * (std::abs(mean) + 1e-9)) return low_ <= mean && mean <= high_ ? 1.0 : 0.0;
  return std::clamp(normal_below((high_ - mean) / spread) - normal_below((low_ - mean) / spread), 0.0, 1.0);
}

double CalibrationMap::probability(double raw) const {
  if (form_ == Form::decision) return decides_for(raw) ? 1.0 : 0.0;
  return form_ == Form::identity ? raw : sigmoid(line_.intercept + line_.slope * logit(raw));
}

double CalibrationMap::least_raw(double wanted) const {
  if (form_ == Form::identity || wanted <= 0) return wanted;
  if (form_ == Form::decision) return ties_win_ ? 0.5 : std::nextafter(0.5, 1.0);
  if (wanted >= 1) return 2;
  const double share = share_of_logit((std::log(wanted / (1 - wanted)) - line_.intercept) / line_.slope);
  return share > 1 ? 2 : std::max(0.0, share);
}

}  // namespace cfrules
