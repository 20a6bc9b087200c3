#include "quality/binomial.h"

#include <algorithm>
#include <cmath>

namespace cfrules {

namespace {

// Continued fraction of the incomplete beta function, by Lentz's method; quick for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

// Of a positive number. std::lgamma also writes the sign to a global, and threads ask at once.
double log_gamma(double value) {
  int sign = 0;
  return ::lgamma_r(value, &sign);
}

// The regularised incomplete beta function.
double beta_share(double a, double b, double x) {
  if (x > (a + 1) / (a + b + 2)) return 1 - beta_share(b, a, 1 - x);
  const double front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(front) * beta_fraction(a, b, x) / a;
}

// The p at which the chance of at least so many hits is this; the chance rises with p.
double share_at(std::size_t hits, std::size_t cases, double chance) {
  double low = 0, high = 1;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (chance_of_at_least(hits, cases, middle) < chance ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double chance_of_at_least(std::size_t hits, std::size_t cases, double p) {
  if (hits == 0 || p >= 1) return 1;
  if (hits > cases || p <= 0) return 0;
  return std::clamp(beta_share(static_cast<double>(hits), static_cast<double>(cases - hits + 1), p), 0.0, 1.0);
}

Bounds clopper_pearson(std::size_t hits, std::size_t cases, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {hits == 0 ? 0.0 : share_at(hits, cases, tail), hits == cases ? 1.0 : share_at(hits + 1, cases, 1 - tail)};
}

}  // namespace cfrules
