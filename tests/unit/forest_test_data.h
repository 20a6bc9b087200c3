// Small random training sets for the forest tests. Weights and outcomes are such that sums are exact in any order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "forest/trainer.h"

namespace cfrules::testing_data {

struct Problem {
  ByteColumns codes;
  std::vector<double> outcome;
  std::size_t classes = 0;
  std::vector<double> weights;
  std::vector<std::uint32_t> groups;

  [[nodiscard]] TrainingSet training_set() const { return {codes, outcome, classes, weights, groups}; }
};

inline std::vector<Code> codes_of_row(const ByteColumns& codes, std::size_t row) {
  std::vector<Code> result;
  for (const auto& column : codes.columns) result.push_back(column[row]);
  return result;
}

// Codes spread wide (with gaps) or narrow, sometimes missing; 2, 3 or 0 (numeric) classes that depend on feature 0.
inline Problem random_problem(RandomStream& random, std::size_t rows) {
  constexpr std::size_t kClasses[] = {2, 2, 3, 5, 0};
  Problem problem;
  problem.classes = kClasses[random.below(5)];
  problem.codes.rows = rows;
  const std::size_t features = 1 + random.below(7);
  for (std::size_t feature = 0; feature < features; ++feature) {
    const std::uint64_t width = random.below(2) == 0 ? 256 : 1 + random.below(6);
    auto& column = problem.codes.columns.emplace_back();
    for (std::size_t row = 0; row < rows; ++row)
      column.push_back(static_cast<std::uint8_t>(random.below(9) == 0 ? 0 : random.below(width)));
  }
  const bool weighted = random.below(3) == 0, grouped = random.below(4) == 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t signal = problem.codes.columns[0][row] / 100 + random.below(3);
    problem.outcome.push_back(static_cast<double>(problem.classes == 0 ? signal : signal % problem.classes));
    if (weighted) problem.weights.push_back(0.25 * static_cast<double>(row == 0 ? 1 : random.below(8)));
    if (grouped) problem.groups.push_back(static_cast<std::uint32_t>(random.below(1 + rows / 3)));
  }
  return problem;
}

}  // namespace cfrules::testing_data
