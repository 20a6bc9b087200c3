// From a table to a frozen model.
#include <algorithm>
#include <cmath>

#include "api/impl.h"
#include "api/plausibility.h"
#include "cfrules/error.h"
#include "cfrules/version.h"
#include "forest/trainer.h"

namespace cfrules {

namespace {

struct ForestDefaults {
  std::size_t trees, depth, min_leaf;
};

ForestDefaults defaults_of(const FitOptions& options) {
  if (options.paper) return {20, 10, 1};
  if (options.labels == Labels::observed) return {300, 0, 5};
  if (options.labels == Labels::model) return {200, 0, 2};
  return {500, 0, 1};
}

std::size_t or_default(std::size_t value, std::size_t fallback) { return value > 0 ? value : fallback; }

EstimationRows estimation_rows(EstimateOn rows) {
  if (rows == EstimateOn::oob) return EstimationRows::oob;
  return rows == EstimateOn::honest ? EstimationRows::honest : EstimationRows::all;
}

// Numbers need faithful trees: with a third of the features the trees' spread hides every narrow interval.
std::size_t features_per_split(const FitOptions& options, std::size_t features, bool numeric) {
  if (options.features_per_split > 0 || !numeric) return options.features_per_split;
  return std::max(features / 3, std::min<std::size_t>(features, 32));
}

TrainOptions train_options(const FitOptions& options, std::size_t features, bool numeric) {
  const ForestDefaults defaults = defaults_of(options);
  return {.trees = or_default(options.trees, defaults.trees),
          .depth = or_default(options.depth, defaults.depth),
          .min_leaf = or_default(options.min_leaf, defaults.min_leaf),
          .features_per_split = features_per_split(options, features, numeric),
          .bootstrap = options.bootstrap,
          .subsample = options.subsample,
          .estimation_rows = estimation_rows(options.estimate),
          .class_weights = options.class_weights,
          .seed = options.seed};
}

ModelSettings settings_of(const FitOptions& options, const TrainOptions& train) {
  return {.labels = options.labels,
          .paper = options.paper,
          .imported = false,
          .trees = train.trees,
          .depth = train.depth,
          .min_leaf = train.min_leaf,
          .features_per_split = train.features_per_split,
          .cuts = options.cuts,
          .bootstrap = train.bootstrap,
          .subsample = train.subsample,
          .class_weights = train.class_weights,
          .estimate = options.estimate,
          .seed = options.seed,
          .out_of_bag_score = kUnknown,
          .version = std::string(version())};
}

CalibrationSample out_of_bag_sample(const OutOfBag& out_of_bag, const Outcome& outcome, std::span<const double> weights) {
  CalibrationSample sample{"out-of-bag rows", out_of_bag.channels, {}, {}, {}};
  for (std::size_t row = 0; row < outcome.rows(); ++row) {
    if (out_of_bag.trees[row] == 0) continue;
    const auto said = std::span(out_of_bag.means).subspan(row * sample.channels, sample.channels);
    sample.said.insert(sample.said.end(), said.begin(), said.end());
    sample.outcome.push_back(outcome.values[row]);
    if (!weights.empty()) sample.weights.push_back(weights[row]);
  }
  return sample;
}

// What the whole forest says of rows the explained model was not trained on.
CalibrationSample fresh_sample(const Model& model, const Table& rows, std::span<const double> outcome) {
  const bool numeric = model.outcome.numeric();
  CalibrationSample sample{"fresh rows", numeric ? 2 : model.forest.outputs, {}, {}, {}};
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (std::isnan(outcome[row])) continue;
    const std::vector<Code> codes = model.grid.codes(rows.row(row));
    std::vector<double> said(sample.channels, 0.0);
    for (const Tree& tree : model.forest.trees) {
      const std::size_t leaf = tree.leaf_of(codes);
      for (std::size_t output = 0; output < model.forest.outputs; ++output)
        said[output] += tree.leaf_values[leaf * model.forest.outputs + output];
      if (numeric) said[1] += tree.leaf_values[leaf] * tree.leaf_values[leaf];
    }
    for (const double sum : said) sample.said.push_back(sum / static_cast<double>(model.forest.trees.size()));
    sample.outcome.push_back(outcome[row]);
  }
  return sample;
}

void check_fit_input(const Table& table, const Outcome& outcome, std::span<const double> weights, const FitOptions& options) {
  if (table.features() == 0) throw InputError("the table has no features beside the outcome");
  if (table.rows() < 2) throw InputError("the table has " + std::to_string(table.rows()) + " rows; at least 2 are needed");
  if (table.rows() != outcome.rows()) throw InputError("the outcome has " + std::to_string(outcome.rows()) + " values for " + std::to_string(table.rows()) + " rows");
  if (!weights.empty() && weights.size() != table.rows()) throw InputError("there are " + std::to_string(weights.size()) + " weights for " + std::to_string(table.rows()) + " rows");
  if (options.cuts < 3 || options.cuts > 255) throw InputError("cuts is " + std::to_string(options.cuts) + "; it must lie between 3 and 255");
  if (options.fresh && options.fresh->rows() != options.fresh_outcome.size()) throw InputError("the fresh rows and their outcomes differ in number");
  const auto [low, high] = std::minmax_element(outcome.values.begin(), outcome.values.end());
  if (*low == *high) throw InputError("the outcome '" + outcome.name + "' has the same value in every row; there is nothing to learn");
}

// labels = model: the rows' outcome is what the model says of them now, whatever the column holds.
void ask_the_model(const Table& table, Outcome& outcome, const FitOptions& options) {
  if (options.labels == Labels::memorised)
    throw InputError("labels 'memorised' is not available in this version; use 'predicted', with fresh rows if there are any");
  if (options.labels != Labels::model) return;
  if (!options.labeller) throw InputError("labels 'model' needs the model: a label command, or a callable");
  outcome.values = options.labeller(table);
  if (outcome.values.size() != table.rows())
    throw InputError("the model gave " + std::to_string(outcome.values.size()) + " answers for " + std::to_string(table.rows()) + " rows");
}

}  // namespace

Explainer Explainer::fit(Table table, Outcome outcome, std::vector<double> weights, const FitOptions& options, const Run& run) {
  ask_the_model(table, outcome, options);
  check_fit_input(table, outcome, weights, options);
  const TrainOptions train = train_options(options, table.features(), outcome.numeric());
  Model model;
  model.rows = std::move(table);
  model.outcome = std::move(outcome);
  model.weights = std::move(weights);
  model.settings = settings_of(options, train);
  model.grid = Grid::learn(model.rows, model.outcome, model.weights, options.cuts);
  {
    const ByteColumns codes = byte_codes(model.grid, model.rows, run);
    GrownForest grown = train_forest({codes, model.outcome.values, model.outcome.classes.size(), model.weights, {}}, train, run);
    model.forest = std::move(grown.forest);
    model.settings.out_of_bag_score = grown.out_of_bag_score;
    model.calibration = out_of_bag_sample(grown.out_of_bag, model.outcome, model.weights);
  }
  model.codes = model.grid.codes(model.rows);
  Run quiet = run;
  quiet.progress = nullptr;
  model.inliers = grow_isolation_forest(model, options, quiet);
  if (options.fresh) model.calibration = fresh_sample(model, *options.fresh, options.fresh_outcome);
  return Explainer(std::make_unique<const Impl>(std::move(model), quiet));
}

}  // namespace cfrules
