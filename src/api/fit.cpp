// From a table to a frozen model.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "api/audit.h"
#include "api/calibration_rows.h"
#include "api/impl.h"
#include "api/lessons.h"
#include "api/model_labels.h"
#include "api/plausibility.h"
#include "api/row_split.h"
#include "base/limits.h"
#include "base/random.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "cfrules/version.h"
#include "data/recombined_rows.h"
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

void require_between(const std::string& name, std::size_t value, std::size_t least, std::size_t most) {
  if (value < least || value > most)
    throw InputError(name + " is " + std::to_string(value) + "; it must lie between " + std::to_string(least) +
                     " and " + std::to_string(most));
}

void check_fit_input(const Table& table, const Outcome& outcome, std::span<const double> weights,
                     const FitOptions& options) {
  if (table.features() == 0) throw InputError("the table has no features beside the outcome");
  if (table.rows() < 2)
    throw InputError("the table has " + std::to_string(table.rows()) + " rows; at least 2 are needed");
  if (table.rows() != outcome.rows())
    throw InputError("the outcome has " + std::to_string(outcome.rows()) + " values for " +
                     std::to_string(table.rows()) + " rows");
  if (!weights.empty() && weights.size() != table.rows())
    throw InputError("there are " + std::to_string(weights.size()) + " weights for " + std::to_string(table.rows()) +
                     " rows");
  require_between("cuts", options.cuts, 3, limits::kCodes.most);
  if (options.rounds > 0 && options.labels != Labels::model)
    throw InputError("rounds is " + std::to_string(options.rounds) + ", but labels '" +
                     std::string(name_of(options.labels)) + "' leave nobody to ask; only labels 'model' have rounds");
  require_between("generated", options.generated, 1, limits::kGenerated.most);
  if (options.fresh && options.fresh->rows() != options.fresh_outcome.size())
    throw InputError("the fresh rows and their outcomes differ in number");
  const auto [low, high] = std::minmax_element(outcome.values.begin(), outcome.values.end());
  if (*low == *high)
    throw InputError("the outcome " + quote(outcome.name) +
                     " has the same value in every row; there is nothing to learn");
}

// The rows' outcome is what the model says of them now, whatever the column holds.
void ask_the_model(const Table& table, Outcome& outcome, const FitOptions& options) {
  if (!options.labeller) throw InputError("labels 'model' needs the model: a label command, or a callable");
  if (options.estimate != EstimateOn::all)
    throw InputError("estimate '" + std::string(name_of(options.estimate)) +
                     "' does not go with labels 'model', whose trees also see generated rows; use 'all'");
  outcome.values = ask(options.labeller, table);
}

constexpr const char* kGeneratedRows = "generated rows labelled by the model";

// Numbers that a model has learnt by heart and those it makes of strangers do not mix (docs/decisions/010): there the
// fresh rows only say how far the forest is to be trusted.
bool fresh_rows_teach(const FitOptions& options, const Outcome& outcome) {
  return options.fresh.has_value() && !outcome.numeric();
}

// Grows the forest on the real rows and the others; the map to probability rests on the others.
void learn_from(Model& model, const LearningRows& rows, const char* others, const TrainOptions& train, const Run& run) {
  const ByteColumns codes = byte_codes(model.grid, rows.table, run);
  const std::size_t classes = model.outcome.classes.size();
  GrownForest grown = train_forest({codes, rows.outcome, classes, rows.weights, rows.bases}, train, run);
  forget_other_rows(grown.forest, rows.real);
  model.forest = std::move(grown.forest);
  model.settings.out_of_bag_score = grown.out_of_bag_score;
  model.calibration = out_of_bag_sample(grown.out_of_bag, rows.outcome, rows.weights, rows.real, others);
}

// The same with nothing but the real rows.
void learn(Model& model, const FitOptions& options, const TrainOptions& train, const Run& run) {
  const std::size_t classes = model.outcome.classes.size();
  const ByteColumns codes = byte_codes(model.grid, model.rows, run);
  GrownForest grown = train_forest({codes, model.outcome.values, classes, model.weights, {}}, train, run);
  model.forest = std::move(grown.forest);
  model.settings.out_of_bag_score = grown.out_of_bag_score;
  if (options.labels == Labels::memorised)
    model.calibration = simulated_sample(codes, model, train, {run.threads, run.stop, {}});
  else if (options.fresh)
    model.calibration = fresh_sample(model.forest, model.grid, options, model.outcome.numeric(), run);
  else
    model.calibration = out_of_bag_sample(grown.out_of_bag, model.outcome.values, model.weights, 0, "out-of-bag rows");
}

// Rounds of lessons: each grows the forest again, on all that was asked so far.
std::unique_ptr<Explainer::Impl> taught(std::unique_ptr<Explainer::Impl> impl, LearningRows rows,
                                        const FitOptions& options, const TrainOptions& train, const Run& run) {
  if (options.rounds == 0) return impl;
  const Lessons lessons(impl->model.rows, impl->model.outcome, options);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    lessons.add_round(round, *impl, run, rows);
    Model again = std::move(impl->model);
    learn_from(again, rows, kGeneratedRows, train, run);
    impl = std::make_unique<Explainer::Impl>(std::move(again), run);
  }
  return impl;
}

constexpr std::size_t kAuditedPeople = 100;
constexpr std::size_t kLargestAudited = 50'000;  // rows
constexpr std::size_t kLeastHeldOut = 40;

std::size_t audited_people(const FitOptions& options, std::size_t rows) {
  const bool can = !options.paper && options.labels != Labels::memorised && options.labels != Labels::trees;
  if (!can) return 0;
  if (options.audit != FitOptions::kByRows) return options.audit;
  return rows <= kLargestAudited ? kAuditedPeople : 0;
}

bool constant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

// An eighth of the rows is held out and a forest grown on the others as this one is on all of them.
Audit audit_by_sister(const Model& model, const FitOptions& options, std::size_t people, const Run& run) {
  const std::size_t held = model.rows.rows() / 8;
  const RowSplit split(model.rows.rows(), held, RandomStream(options.seed, Purpose::audit, 1));
  Outcome outcome{model.outcome.name, model.outcome.classes, taken(model.outcome.values, split.rest())};
  if (held < kLeastHeldOut || constant(outcome.values)) return {};
  FitOptions sisterly = options;
  sisterly.audit = 0;
  const Explainer sister = Explainer::fit(model.rows.select(split.rest()), std::move(outcome),
                                          taken(model.weights, split.rest()), sisterly, run);
  const Table rows = model.rows.select(split.aside());
  if (options.labels != Labels::model)
    return audit(Explainer::Impl::of(sister), {rows, taken(model.outcome.values, split.aside()), {}}, people, run);
  // People like the held-out ones, but not the very rows: a model may know those by heart.
  const RecombinedRows made = recombine(rows, {std::max(rows.rows(), 6 * people), {}, options.seed}, run);
  return audit(Explainer::Impl::of(sister), {made.rows, ask(options.labeller, made.rows), options.labeller}, people,
               run);
}

// By fresh rows, which tell what the model does with rows it does not know. Where they teach, half of them are held
// out.
Audit audit_by_fresh_rows(const Explainer::Impl& impl, const FitOptions& options, std::size_t people, const Run& run) {
  const Model& model = impl.model;
  if (!fresh_rows_teach(options, model.outcome))
    return audit(impl, {*options.fresh, options.fresh_outcome, {}}, people, run);
  const std::size_t held = options.fresh->rows() / 2;
  if (held < kLeastHeldOut) return {};
  const RowSplit split(options.fresh->rows(), held, RandomStream(options.seed, Purpose::audit, 2));
  FitOptions sisterly = options;
  sisterly.audit = 0;
  sisterly.fresh = options.fresh->select(split.rest());
  sisterly.fresh_outcome = taken(options.fresh_outcome, split.rest());
  const Explainer sister = Explainer::fit(model.rows, model.outcome, model.weights, sisterly, run);
  return audit(Explainer::Impl::of(sister),
               {options.fresh->select(split.aside()), taken(options.fresh_outcome, split.aside()), {}}, people, run);
}

}  // namespace

Explainer Explainer::fit(Table table, Outcome outcome, std::vector<double> weights, const FitOptions& options,
                         const Run& run) {
  if (options.labels == Labels::model) ask_the_model(table, outcome, options);
  check_fit_input(table, outcome, weights, options);
  const TrainOptions train = train_options(options, table.features(), outcome.numeric());
  Model model;
  model.rows = std::move(table);
  model.outcome = std::move(outcome);
  model.weights = std::move(weights);
  model.settings = settings_of(options, train);
  model.grid = Grid::learn(model.rows, model.outcome, model.weights, options.cuts, run);
  std::optional<LearningRows> asked;
  if (options.labels == Labels::model) {
    asked = with_generated_rows(model.rows, model.outcome, model.weights, model.grid, options, run);
    learn_from(model, *asked, kGeneratedRows, train, run);
  } else if (fresh_rows_teach(options, model.outcome)) {
    learn_from(model, with_fresh_rows(model.rows, model.outcome, model.weights, options), kFreshRows, train, run);
  } else {
    learn(model, options, train, run);
  }
  model.codes = model.grid.codes(model.rows, run);
  Run quiet = run;
  quiet.progress = nullptr;
  model.inliers = grow_isolation_forest(model, options, quiet);
  auto impl = std::make_unique<Impl>(std::move(model), quiet);
  if (asked) impl = taught(std::move(impl), std::move(*asked), options, train, quiet);
  if (const std::size_t people = audited_people(options, impl->model.rows.rows()); people > 0)
    impl->model.audit = options.fresh ? audit_by_fresh_rows(*impl, options, people, quiet)
                                      : audit_by_sister(impl->model, options, people, quiet);
  return Explainer(std::move(impl));
}

}  // namespace cfrules
