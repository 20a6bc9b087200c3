// From a forest grown elsewhere to a frozen model: its own trees, its own thresholds as cuts.
#include <algorithm>
#include <cmath>

#include "api/impl.h"
#include "api/plausibility.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "cfrules/version.h"
#include "data/recombined_rows.h"
#include "forest/forest_import.h"
#include "io/forest_json.h"

namespace cfrules {
namespace {

// The orders the file gives, else by mean outcome as in forests trained here.
Grid category_order(const ForestDocument& forest, const Table& table, const Outcome& outcome,
                    std::span<const double> weights, std::string_view source, const Run& run) {
  const Grid learned = Grid::learn(table, outcome, weights, 255, run);
  std::vector<Axis> axes;
  for (std::size_t feature = 0; feature < table.features(); ++feature) axes.push_back(learned.axis(feature));
  for (const auto& [name, order] : forest.category_orders) {
    const std::size_t at = find_feature(table.schema(), name);
    if (at == table.features() || table.schema()[at].kind != Kind::category)
      throw InputError(std::string(source) + ": categories names " + quote(name) + ", which is not a category column");
    const std::vector<std::string>& known = table.schema()[at].categories;
    if (order.size() != known.size())
      throw InputError(std::string(source) + ": categories." + name + " lists " + std::to_string(order.size()) +
                       " categories where the rows have " + std::to_string(known.size()) + ": " + quote_list(known));
    std::vector<std::uint32_t> position(known.size());
    for (std::size_t category = 0; category < known.size(); ++category) {
      const auto place = std::find(order.begin(), order.end(), known[category]);
      if (place == order.end())
        throw InputError(std::string(source) + ": categories." + name + " lacks " + quote(known[category]) +
                         ", which the rows hold");
      position[category] = static_cast<std::uint32_t>(place - order.begin());
    }
    axes[at].position = std::move(position);
  }
  return Grid(std::move(axes));
}

void for_each_leaf(std::vector<ImportedTree>& trees, const std::function<void(std::vector<double>&)>& change) {
  for (ImportedTree& tree : trees)
    for (std::size_t node = 0; node < tree.value.size(); ++node)
      if (node < tree.left.size() && tree.left[node] < 0) change(tree.value[node]);
}

// Counts or shares of classes become shares.
void normalise_shares(std::vector<ImportedTree>& trees, std::size_t classes) {
  for_each_leaf(trees, [classes](std::vector<double>& value) {
    if (classes == 2 && value.size() == 1) value = {1 - value[0], value[0]};
    double sum = 0;
    for (const double share : value) sum += share;
    if (!(sum > 0)) return;
    for (double& share : value) share /= sum;
  });
}

// Of scores: what a class has beyond the average one. One score for two classes is the second's.
void centre(std::vector<double>& scores, std::size_t classes) {
  if (classes == 2 && scores.size() == 1) scores.insert(scores.begin(), 0.0);
  double mean = 0;
  for (const double score : scores) mean += score / static_cast<double>(scores.size());
  for (double& score : scores) score -= mean;
}

// Trees that add up become trees whose average says the same: numbers exactly; scores of classes squeezed linearly into
// shares, so that the class with the largest score has the largest share. The map to probability undoes the squeeze.
void average_instead_of_sum(ForestDocument& forest, std::size_t classes, std::string_view source) {
  const std::size_t outputs = std::max<std::size_t>(1, classes);
  std::vector<double> base = forest.base.empty() ? std::vector<double>(classes == 2 ? 1 : outputs, 0.0) : forest.base;
  if (classes > 0) centre(base, classes);
  if (base.size() != outputs)
    throw InputError(std::string(source) + ": base has " + std::to_string(base.size()) +
                     " numbers; allowed: " + std::to_string(outputs));
  const auto trees = static_cast<double>(forest.trees.size());
  double largest = 0;
  for_each_leaf(forest.trees, [&](std::vector<double>& value) {
    if (classes > 0) centre(value, classes);
    for (std::size_t i = 0; i < value.size() && i < outputs; ++i) {
      value[i] = base[i] + trees * value[i];
      largest = std::max(largest, std::abs(value[i]));
    }
  });
  if (classes == 0) return;
  const double share = 1 / static_cast<double>(classes);
  const double squeeze = largest > 0 ? share / largest : 1;
  for_each_leaf(forest.trees, [&](std::vector<double>& value) {
    for (double& score : value) score = std::clamp(share + squeeze * score, 0.0, 1.0);
  });
}

ModelSettings settings_of(const FitOptions& options, std::size_t trees) {
  ModelSettings settings;
  settings.labels = Labels::trees;
  settings.paper = options.paper;
  settings.imported = true;
  settings.trees = trees;
  settings.cuts = options.cuts;
  settings.seed = options.seed;
  settings.out_of_bag_score = kUnknown;
  settings.version = std::string(version());
  return settings;
}

// Three classes and more: the largest share wins, but no single share says whether it is the largest. What the shares
// of the wanted classes mean is learnt from the forest's own decisions around the rows.
CalibrationSample own_decisions(const Explainer::Impl& impl, const FitOptions& options, const Run& run) {
  constexpr std::size_t kAsked = 10'000;
  CalibrationSample sample{"decisions of the model's own trees", impl.model.forest.outputs, {}, {}, {}};
  const RecombinedRows made = recombine(impl.model.rows, {kAsked, {}, options.seed}, {run.threads, run.stop, {}});
  for (std::size_t row = 0; row < made.rows.rows(); ++row) {
    check_stop(run);
    const std::vector<Code> codes = impl.model.grid.codes(made.rows.row(row));
    const std::vector<double> shares = impl.class_shares(codes);
    sample.said.insert(sample.said.end(), shares.begin(), shares.end());
    sample.outcome.push_back(impl.decision(shares));
  }
  return sample;
}

}  // namespace

Explainer Explainer::import(std::string_view forest_json, std::string_view source, Table table, Outcome outcome,
                            std::vector<double> weights, const FitOptions& options, const Run& run) {
  ForestDocument forest = parse_forest(forest_json, source, table.schema());
  const bool has_values =
      std::any_of(forest.trees.begin(), forest.trees.end(), [](const auto& t) { return !t.value.empty(); });
  if (forest.sum && !has_values) throw InputError(std::string(source) + ": combine is \"sum\", but no tree has value");
  if (forest.sum) average_instead_of_sum(forest, outcome.classes.size(), source);
  if (!forest.sum && !outcome.numeric()) normalise_shares(forest.trees, outcome.classes.size());
  const Grid order = category_order(forest, table, outcome, weights, source, run);
  ImportedForest imported = import_forest(forest.trees, table, outcome, weights, order, run);
  Model model;
  model.rows = std::move(table);
  model.outcome = std::move(outcome);
  model.weights = std::move(weights);
  model.settings = settings_of(options, imported.forest.trees.size());
  model.grid = std::move(imported.grid);
  model.forest = std::move(imported.forest);
  model.codes = model.grid.codes(model.rows, run);
  Run quiet = run;
  quiet.progress = nullptr;
  model.inliers = grow_isolation_forest(model, options, run);
  auto impl = std::make_unique<Impl>(std::move(model), quiet);
  if (impl->model.outcome.classes.size() > 2) impl->model.calibration = own_decisions(*impl, options, run);
  return Explainer(std::move(impl));
}

}  // namespace cfrules
