// Labels = model: the explained model answers for rows that are made up around the real ones, so that the forest learns
// what the model does beyond the rows it was trained on.
#pragma once

#include <cstdint>
#include <vector>

#include "cfrules/explainer.h"
#include "forest/grid.h"
#include "forest/tree.h"

namespace cfrules {

// The model's answers, checked for number.
[[nodiscard]] std::vector<double> ask(const Labeller& labeller, const Table& rows);

// The rows, followed by generated ones with the model's answers.
struct LearningRows {
  Table table;
  std::vector<double> outcome;
  std::vector<double> weights;       // empty: all 1
  std::vector<std::uint32_t> bases;  // rows of one base are drawn together, so that out-of-bag means unseen
  std::size_t real = 0;              // the first so many rows are the real ones
};

[[nodiscard]] LearningRows with_generated_rows(const Table& rows, const Outcome& outcome,
                                               std::span<const double> weights, const Grid& grid,
                                               const FitOptions& options, const Run& run);

// More rows the model was asked about, each made from one of the real ones.
void add_rows(LearningRows& learning, const Table& rows, std::span<const double> answers,
              std::span<const std::uint32_t> bases);

// Generated rows teach; they are nobody. Takes them out of what stands behind each node.
void forget_generated_rows(Forest& forest, std::size_t real);

}  // namespace cfrules
