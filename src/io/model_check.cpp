#include "io/model_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>

#include "base/decimal.h"
#include "base/limits.h"
#include "base/text.h"
#include "io/byte_reader.h"
#include "io/tree_check.h"
#include "quality/audit_reading.h"

namespace cfrules {
namespace {

void check_text(std::string_view what, const std::string& text) {
  if (find_invalid_utf8(text) != std::string_view::npos)
    throw Flaw(std::string(what) + " " + quote(text) + " is not valid UTF-8");
}

template <class Allowed>
void check_all(std::string_view what, std::span<const double> values, std::string_view allowed_in_words,
               const Allowed& allowed) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), allowed);
  if (wrong == values.end()) return;
  throw Flaw(std::string(what) + " " + std::to_string(wrong - values.begin()) + " is " + shortest_decimal(*wrong) +
             "; it must be " + std::string(allowed_in_words));
}

void check_count(std::string_view what, std::size_t seen, std::size_t expected) {
  if (seen != expected)
    throw Flaw(std::string(what) + " has " + std::to_string(seen) + " entries where " + std::to_string(expected) +
               " are expected");
}

void check_finite(std::string_view what, std::span<const double> values) {
  check_all(what, values, "finite", [](double value) { return std::isfinite(value); });
}

void check_not_negative(std::string_view what, std::span<const double> values) {
  check_all(what, values, "a finite number of at least 0",
            [](double value) { return value >= 0 && value <= std::numeric_limits<double>::max(); });
}

void check_places(const std::string& feature, const std::vector<std::uint32_t>& places, std::size_t expected) {
  check_count("the order of the categories of feature " + feature, places.size(), expected);
  std::vector<bool> met(places.size());
  for (const std::uint32_t place : places) {
    if (place >= met.size() || met[place])
      throw Flaw("the order of the categories of feature " + feature + " holds place " + std::to_string(place) +
                 " twice or beyond its end");
    met[place] = true;
  }
}

void check_cuts(const std::string& feature, const std::vector<double>& cuts) {
  require_within(limits::kCuts, cuts.size(), "feature " + feature);
  check_finite("of feature " + feature + " cut", cuts);
  if (std::adjacent_find(cuts.begin(), cuts.end(), std::greater_equal<>()) != cuts.end())
    throw Flaw("the cuts of feature " + feature + " do not increase");
}

void check_trees(TreeChecker checker, const std::vector<Tree>& trees, bool with_rows) {
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    checker.check_nodes(tree, trees[tree].nodes);
    checker.check_contents(tree, trees[tree]);
    if (with_rows) checker.check_ranges(tree, trees[tree]);
  }
}

}  // namespace

void check_shape(std::size_t rows, std::size_t features) {
  if (rows == 0 || features == 0)
    throw Flaw("it has " + std::to_string(rows) + " rows and " + std::to_string(features) +
               " features; there is at least one");
  require_within(limits::kRows, rows, "it");
  require_within(limits::kFeatures, features, "it");
}

void check_names(const Model& model) {
  for (const Feature& feature : model.rows.schema()) {
    check_text("the feature's name", feature.name);
    for (const std::string& name : feature.categories) check_text("the category", name);
  }
  std::unordered_set<std::string_view> classes;
  for (const std::string& name : model.outcome.classes) {
    check_text("the class", name);
    if (!classes.insert(name).second) throw Flaw("the class " + quote(name) + " is there twice");
  }
  require_within(limits::kClasses, model.outcome.classes.size(), "its outcome");
  check_text("the outcome's name", model.outcome.name);
  check_text("the source of the calibration", model.calibration.source);
  check_text("the version", model.settings.version);
}

void check_settings(const ModelSettings& settings) {
  check_not_negative("class weight", settings.class_weights);
  if (!std::isfinite(settings.subsample)) throw Flaw("the setting subsample is not a number");
}

void check_outcomes(std::string_view what, std::span<const double> values, std::size_t classes, std::size_t rows) {
  check_count(what, values.size(), rows);
  const std::string row = std::string(what) + " of row";
  if (classes == 0)
    return check_all(row, values, "between -1e100 and 1e100",
                     [](double value) { return std::abs(value) <= limits::kOutcome; });
  check_all(row, values, "a class below " + std::to_string(classes), [&](double value) {
    return value >= 0 && value < static_cast<double>(classes) && value == std::trunc(value);
  });
}

void check_weights(std::string_view what, std::span<const double> weights, std::size_t rows) {
  if (weights.empty()) return;
  check_count(what, weights.size(), rows);
  check_all(std::string(what) + " of row", weights, "a number from 0 to 1e15",
            [](double weight) { return weight >= 0 && weight <= limits::kWeight; });
}

void check_grid(const Grid& grid, const Schema& schema, bool ordered) {
  check_count("the grid", grid.features(), schema.size());
  for (std::size_t feature = 0; feature < schema.size(); ++feature) {
    const std::string name = quote(schema[feature].name);
    const bool has_places = ordered && schema[feature].kind == Kind::category;
    check_cuts(name, grid.axis(feature).cuts);
    check_places(name, grid.axis(feature).position, has_places ? schema[feature].categories.size() : 0);
  }
}

void check_codes(const CodeMatrix& codes, const Grid& grid, std::size_t rows) {
  const std::size_t features = grid.features();
  check_count("the table of codes", codes.codes.size(), rows * features);
  if (codes.rows != rows || codes.features != features)
    throw Flaw("the table of codes has another shape than the rows");
  std::vector<Code> last;
  for (std::size_t feature = 0; feature < features; ++feature) last.push_back(grid.last_code(feature));
  for (std::size_t row = 0; row < rows; ++row) {
    const Code* const here = codes.codes.data() + row * features;
    unsigned beyond = 0;  // summed without a branch, so that many are compared at once
    for (std::size_t feature = 0; feature < features; ++feature) beyond += here[feature] > last[feature];
    if (beyond != 0) throw Flaw("a code of row " + std::to_string(row) + " lies beyond the grid");
  }
}

void check_forest(const Forest& forest, std::size_t features, std::size_t classes) {
  if (forest.trees.empty()) throw Flaw("the forest has no trees");
  require_within(limits::kTrees, forest.trees.size(), "the forest");
  check_count("the forest's features", forest.features, features);
  check_count("the forest's outputs", forest.outputs, std::max<std::size_t>(classes, 1));
  check_count("the importance", forest.importance.size(), features);
  check_count("the number of splits", forest.split_counts.size(), features);
  check_not_negative("the importance of feature", forest.importance);
  check_not_negative("the number of splits of feature", forest.split_counts);
}

void check_inliers(const IsolationForest& inliers) {
  if (inliers.trees().empty()) throw Flaw("the inlier forest has no trees");
  require_within(limits::kIsolationTrees, inliers.trees().size(), "the inlier forest");
  if (inliers.sample() == 0) throw Flaw("the inlier forest's trees saw no rows");
}

void check_calibration(const CalibrationSample& sample, std::size_t classes) {
  const std::size_t expected = classes == 0 ? 2 : classes;
  if (sample.channels != expected && (sample.channels != 0 || sample.cases() != 0))
    throw Flaw("the calibration has " + std::to_string(sample.channels) + " channels; it takes " +
               std::to_string(expected));
  check_count("what was said of the calibration cases", sample.said.size(), sample.cases() * sample.channels);
  check_finite("what was said of the calibration cases, entry", sample.said);
  check_outcomes("the calibration outcome", sample.outcome, classes, sample.cases());
  check_weights("the calibration weight", sample.weights, sample.cases());
}

void check_audit_indexes(std::span<const double> values, std::size_t limit) {
  check_all("the index of audit case", values, "a whole number below " + std::to_string(limit), [limit](double value) {
    return value >= 0 && value < static_cast<double>(limit) && value == std::trunc(value);
  });
}

void check_audit(const Audit& audit, const Outcome& outcome) {
  for (const std::string& name : audit.targets) {
    check_text("the audited target", name);
    static_cast<void>(audited_target(name, outcome));
  }
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  const auto share_or_missing = [&](double value) { return std::isnan(value) || share(value); };
  std::vector<double> thresholds, shares, distances;
  for (const AuditCase& one : audit.cases) {
    thresholds.push_back(one.threshold);
    shares.insert(shares.end(), {one.stated, one.came_true});
    distances.push_back(one.distance);
  }
  check_all("the threshold of audit case", thresholds, "between 0 and 1", share);
  check_all("the share of audit entry", shares, "between 0 and 1, or missing", share_or_missing);
  check_all("the distance of audit case", distances, "missing, or a finite number of at least 0",
            [](double value) { return std::isnan(value) || (value >= 0 && std::isfinite(value)); });
}

TreeChecker::Kind tree_kind(const Forest& forest, std::size_t rows, std::size_t classes) {
  return {"tree", rows, forest.outputs, classes == 0 ? kLeafNumbers : kLeafShares};
}

void check_model(const Model& model) {
  const std::size_t rows = model.rows.rows(), features = model.rows.features();
  const std::size_t classes = model.outcome.classes.size();
  check_shape(rows, features);
  check_names(model);
  check_settings(model.settings);
  check_outcomes("the outcome", model.outcome.values, classes, rows);
  check_weights("the weight", model.weights, rows);
  check_grid(model.grid, model.rows.schema(), true);
  check_codes(model.codes, model.grid, rows);
  check_forest(model.forest, features, classes);
  check_trees({tree_kind(model.forest, rows, classes), model.grid}, model.forest.trees, true);
  check_grid(model.inliers.cuts(), model.rows.schema(), false);
  check_inliers(model.inliers);
  check_trees({kInlierTree, model.inliers.cuts()}, model.inliers.trees(), false);
  check_calibration(model.calibration, classes);
  check_audit(model.audit, model.outcome);
}

}  // namespace cfrules
