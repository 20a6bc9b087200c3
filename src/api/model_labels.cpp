#include "api/model_labels.h"

#include <algorithm>
#include <numeric>

#include "api/row_split.h"
#include "cfrules/error.h"
#include "data/recombined_rows.h"
#include "explain/feature_sets.h"
#include "forest/trainer.h"

namespace cfrules {

namespace {

// A table counts as having at least and at most so many rows: small ones need more generated rows, large ones can do
// with fewer.
constexpr std::size_t kLeastRows = 2'000;
constexpr std::size_t kMostRows = 40'000;
constexpr std::size_t kSwappedFeatures = 12;
constexpr std::size_t kPilotTrees = 50;

// By a small forest on the real rows.
std::vector<std::size_t> leading(const Table& rows, const Outcome& outcome, std::span<const double> weights,
                                 const Grid& grid, const FitOptions& options, const Run& run) {
  const ByteColumns codes = byte_codes(grid, rows, run);
  TrainOptions pilot{.trees = kPilotTrees, .min_leaf = 2, .class_weights = {}, .seed = options.seed};
  const GrownForest grown = train_forest({codes, outcome.values, outcome.classes.size(), weights, {}}, pilot, run);
  return leading_features(grown.forest.importance, kSwappedFeatures);
}

Table stacked(const Table& above, const Table& below) {
  std::vector<std::vector<double>> columns;
  for (std::size_t feature = 0; feature < above.features(); ++feature) {
    auto& column = columns.emplace_back(above.column(feature).begin(), above.column(feature).end());
    column.insert(column.end(), below.column(feature).begin(), below.column(feature).end());
  }
  return {above.schema(), std::move(columns)};
}

LearningRows only_real(const Table& rows, const Outcome& outcome, std::span<const double> weights) {
  LearningRows learning{rows, outcome.values, {weights.begin(), weights.end()}, {}, rows.rows()};
  learning.bases.resize(rows.rows());
  std::iota(learning.bases.begin(), learning.bases.end(), 0u);
  return learning;
}

}  // namespace

std::vector<double> ask(const Labeller& labeller, const Table& rows) {
  std::vector<double> answers = labeller(rows);
  if (answers.size() != rows.rows())
    throw InputError("the model gave " + std::to_string(answers.size()) + " answers for " +
                     std::to_string(rows.rows()) + " rows");
  return answers;
}

LearningRows with_generated_rows(const Table& rows, const Outcome& outcome, std::span<const double> weights,
                                 const Grid& grid, const FitOptions& options, const Run& run) {
  const Run quiet{run.threads, run.stop, {}};
  const std::vector<std::size_t> swapped = leading(rows, outcome, weights, grid, options, quiet);
  const std::size_t count = options.generated * std::clamp(rows.rows(), kLeastRows, kMostRows);
  const RecombinedRows made = recombine(rows, {count, swapped, options.seed}, quiet);
  LearningRows learning = only_real(rows, outcome, weights);
  add_rows(learning, made.rows, ask(options.labeller, made.rows), made.base);
  return learning;
}

LearningRows with_fresh_rows(const Table& rows, const Outcome& outcome, std::span<const double> weights,
                             const FitOptions& options) {
  LearningRows learning = only_real(rows, outcome, weights);
  const std::vector<std::size_t> known = known_rows(options.fresh_outcome);
  for (const std::size_t row : known) {
    learning.outcome.push_back(options.fresh_outcome[row]);
    learning.bases.push_back(static_cast<std::uint32_t>(learning.bases.size()));
  }
  learning.table = stacked(learning.table, options.fresh->select(known));
  if (weights.empty()) return learning;
  const double usual = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  learning.weights.resize(learning.outcome.size(), usual);
  return learning;
}

void add_rows(LearningRows& learning, const Table& rows, std::span<const double> answers,
              std::span<const std::uint32_t> bases) {
  learning.table = stacked(learning.table, rows);
  learning.outcome.insert(learning.outcome.end(), answers.begin(), answers.end());
  learning.bases.insert(learning.bases.end(), bases.begin(), bases.end());
  if (learning.weights.empty()) return;
  for (const std::uint32_t base : bases) learning.weights.push_back(learning.weights[base]);
}

void forget_other_rows(Forest& forest, std::size_t real) {
  for (Tree& tree : forest.trees) {
    std::vector<std::uint32_t> kept_before{0};
    for (const std::uint32_t row : tree.rows) kept_before.push_back(kept_before.back() + (row < real ? 1 : 0));
    std::erase_if(tree.rows, [real](std::uint32_t row) { return row >= real; });
    for (RowRange& range : tree.node_rows) range = {kept_before[range.begin], kept_before[range.end]};
  }
}

}  // namespace cfrules
