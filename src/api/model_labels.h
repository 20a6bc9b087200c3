// What the forest learns from beside the rows it is about: rows made up around them that the explained model was asked
// about (labels = model), or rows it was not trained on (fresh). So the forest learns what the model does beyond the
// rows it may know by heart.
#pragma once

#include <cstdint>
#include <vector>

#include "cfrules/explainer.h"
#include "forest/grid.h"
#include "forest/tree.h"

namespace cfrules {

// The model's answers, checked for number.
[[nodiscard]] std::vector<double> ask(const Labeller& labeller, const Table& rows);

// The rows, followed by others with the model's answers.
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

// options.fresh, each its own base. They weigh as much as the rows do on average.
[[nodiscard]] LearningRows with_fresh_rows(const Table& rows, const Outcome& outcome, std::span<const double> weights,
                                           const FitOptions& options);

// More rows the model was asked about, each made from one of the real ones.
void add_rows(LearningRows& learning, const Table& rows, std::span<const double> answers,
              std::span<const std::uint32_t> bases);

// The other rows teach; they stand behind no node.
void forget_other_rows(Forest& forest, std::size_t real);

}  // namespace cfrules
