// Small fitted models for the tests of what is asked about groups, decisions and quality: a few integer features of few
// values, so that every region can be tried.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cfrules/explainer.h"

namespace cfrules::small_model {

struct Data {
  Table table;
  Outcome outcome;
};

// Integers 0 .. values - 1 called a, b, c, ...; "yes" grows likelier with a and b, the others do not matter. Large
// values are common, so that the places people are moved to are ordinary ones.
inline Data random_data(std::size_t rows, std::size_t features, std::uint64_t values, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test, 7);
  Schema schema;
  for (std::size_t i = 0; i < features; ++i)
    schema.push_back({std::string(1, static_cast<char>('a' + i)), Kind::integer, {}});
  std::vector<std::vector<double>> columns(features);
  Outcome outcome{"answer", {"no", "yes"}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (auto& column : columns)
      column.push_back(static_cast<double>(std::max(random.below(values), random.below(values))));
    const double both = columns[0][row] + (features > 1 ? columns[1][row] : columns[0][row]);
    const double chance = 1 / (1 + std::exp(-8 * (both / static_cast<double>(2 * (values - 1)) - 0.6)));
    outcome.values.push_back(random.uniform() < chance ? 1 : 0);
  }
  return {Table(schema, columns), outcome};
}

inline Explainer fit(const Data& data, std::size_t trees = 15) {
  FitOptions options;
    options.audit = 0;
  options.trees = trees;
  options.min_leaf = 3;
  options.isolation_trees = 20;
  options.seed = 5;
  return Explainer::fit(data.table, data.outcome, {}, options);
}

inline SideSpec range(const std::string& feature, double low, double high) {
  return {feature, SideSpec::What::range, {low, high, {}}, false, false};
}

// The closed range of whole numbers a condition means, cut to 0 .. last.
inline std::pair<double, double> whole_range(const Condition& condition, double last) {
  return {std::max(0.0, condition.low), std::min(last, condition.high)};
}

}  // namespace cfrules::small_model
