// Models for the tests of the model file: one written by hand, kept as tests/format/v1.cfr, and random trained ones.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "forest/trainer.h"
#include "io/model_file.h"
#include "io/model_sections.h"

namespace cfrules::testing_data {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Columns that need one, two, four and eight bytes a value, and a float; a category, a boolean; missing values.
inline Table example_rows() {
  return {{{"age", Kind::integer, {}},
           {"income", Kind::number, {}},
           {"ratio", Kind::number, {}},
           {"housing", Kind::category, {"rent", "own", "fr\xC3\xA9\xC3\xA9"}},
           {"member", Kind::boolean, {}},
           {"code", Kind::integer, {}},
           {"score", Kind::number, {}}},
          {{21, 45, kNaN, 127, -127},
           {310, 2000, 32767, -32767, kNaN},
           {0.1, -1e300, 3, kNaN, 5e-324},
           {0, 2, 1, kNaN, 0},
           {1, 0, kNaN, 1, 1},
           {100000, -2147483647, 2147483647, kNaN, 0},
           {0.5, -0.0, 1.25, kNaN, 3}}};
}

inline std::vector<Axis> example_axes() {
  return {{{30.5, 60}, {}}, {{}, {}},  {{0.05}, {}},      {{0.5, 1.5}, {2, 0, 1}},
          {{0.5}, {}},      {{0}, {}}, {{0.25, 1, 2}, {}}};
}

inline Model example_model() {
  Model model;
  model.rows = example_rows();
  model.outcome = {"approved", {"no", "yes, \"later\""}, {0, 1, 1, 0, 1}};
  model.weights = {1, 0.5, 0, 2, 1e-3};
  model.grid = Grid(example_axes());
  model.codes = model.grid.codes(model.rows);
  model.forest.features = 7;
  model.forest.outputs = 2;
  model.forest.importance = {0.25, 0, 0, 0.75, 0, 0, 0};
  model.forest.split_counts = {1, 0, 0, 1, 0, 0, 0};
  model.forest.trees.push_back({{{1, 0, 1}, {~0, 0, 0}, {3, 3 | Node::kMissingRight, 2}, {~1, 0, 0}, {~2, 0, 0}},
                                {1, 0, 0.25, 0.75, 0, 1},
                                {4, 0, 2, 1, 3},
                                {{0, 5}, {0, 3}, {3, 5}, {3, 4}, {4, 5}}});
  model.forest.trees.push_back({{{~0, 0, 0}}, {1.0 / 3, 2.0 / 3}, {2, 3}, {{0, 2}}});
  std::vector<Axis> cuts(7);
  cuts[1].cuts = {1000.5};
  model.inliers = IsolationForest(Grid(cuts), {{{{1, 1, 1}, {~1, 0, 0}, {~0, 0, 0}}, {1, 2.5}, {}, {}}}, 4);
  model.calibration = {"out-of-bag rows", 2, {0.9, 0.1, 0.4, 0.6}, {0, 1}, {1, 0.5}};
  model.settings = {.labels = Labels::predicted,
                    .trees = 2,
                    .depth = std::numeric_limits<std::size_t>::max(),
                    .min_leaf = 1,
                    .cuts = 255,
                    .bootstrap = false,
                    .subsample = 0.632,
                    .class_weights = {1, 2.5},
                    .estimate = EstimateOn::oob,
                    .seed = 0xFEDCBA9876543210,
                    .out_of_bag_score = kNaN,
                    .version = "0.1.0"};
  return model;
}

// Kept as tests/format/v2.cfr.
inline Model audited_model() {
  Model model = example_model();
  model.audit = {"by hand", true, {"yes, \"later\""}, {{0, 3, 0.9, 0.93, 0.85, true, kNaN}, {0, 4, 0.9, kNaN, kNaN, false, 0.25}}};
  return model;
}

inline double random_value(RandomStream& random, Kind kind, std::size_t categories, std::size_t style) {
  if (random.below(8) == 0) return kNaN;
  if (kind == Kind::boolean) return static_cast<double>(random.below(2));
  if (kind == Kind::category) return static_cast<double>(random.below(categories));
  const double whole = static_cast<double>(random.below(std::uint64_t{1} << (7 + 12 * (style % 4)))) - 60;
  if (kind == Kind::integer) return whole;
  if (style % 3 == 0) return static_cast<double>(static_cast<float>(random.normal()));
  return style % 3 == 1 ? random.normal() : whole;
}

inline Table random_rows(RandomStream& random, std::size_t rows) {
  Schema schema;
  std::vector<std::vector<double>> columns;
  const std::size_t features = 1 + random.below(8);
  for (std::size_t feature = 0; feature < features; ++feature) {
    const auto kind = static_cast<Kind>(random.below(4));
    const std::size_t style = random.below(12), categories = kind == Kind::category ? 1 + random.below(9) : 0;
    schema.push_back({"feature " + std::to_string(feature), kind, {}});
    for (std::size_t i = 0; i < categories; ++i) schema.back().categories.push_back("c" + std::to_string(i));
    if (kind == Kind::boolean && style % 2 == 0) schema.back().categories = {"no", "yes"};
    columns.emplace_back();
    for (std::size_t row = 0; row < rows; ++row)
      columns.back().push_back(random_value(random, kind, categories, style));
  }
  return {std::move(schema), std::move(columns)};
}

inline Outcome random_outcome(RandomStream& random, std::size_t rows) {
  Outcome outcome{"outcome", {}, {}};
  const std::size_t classes = random.below(3) == 0 ? 0 : 2 + random.below(3);
  for (std::size_t i = 0; i < classes; ++i) outcome.classes.push_back("class " + std::to_string(i));
  for (std::size_t row = 0; row < rows; ++row)
    outcome.values.push_back(classes == 0 ? random.normal() : static_cast<double>(random.below(classes)));
  return outcome;
}

inline CalibrationSample random_calibration(RandomStream& random, const OutOfBag& out_of_bag, const Outcome& outcome) {
  CalibrationSample sample{"out-of-bag rows", out_of_bag.channels, {}, {}, {}};
  const bool weighted = random.below(2) == 0;
  for (std::size_t row = 0; row < outcome.rows(); ++row) {
    if (out_of_bag.trees[row] == 0) continue;
    for (std::size_t c = 0; c < sample.channels; ++c)
      sample.said.push_back(out_of_bag.means[row * sample.channels + c]);
    sample.outcome.push_back(outcome.values[row]);
    if (weighted) sample.weights.push_back(random.uniform());
  }
  return sample;
}

inline std::vector<std::vector<double>> positions_of(const Model& model) {
  std::vector<std::vector<double>> positions(model.rows.features());
  for (std::size_t feature = 0; feature < positions.size(); ++feature)
    for (const double value : model.rows.column(feature))
      positions[feature].push_back(model.grid.position(feature, value));
  return positions;
}

// Trained as a fit would, of up to most_rows rows.
inline Model random_model(std::uint64_t seed, std::size_t most_rows) {
  RandomStream random(seed, Purpose::test, 0);
  Model model;
  const std::size_t rows = 1 + random.below(most_rows);
  model.rows = random_rows(random, rows);
  model.outcome = random_outcome(random, rows);
  if (random.below(2) == 0)
    for (std::size_t row = 0; row < rows; ++row) model.weights.push_back(row == 0 ? 1.5 : random.uniform());
  model.grid = Grid::learn(model.rows, model.outcome, model.weights, 255);
  model.codes = model.grid.codes(model.rows);
  TrainOptions options;
  options.trees = 1 + random.below(6);
  options.seed = seed;
  options.estimation_rows = static_cast<EstimationRows>(random.below(3));
  const ByteColumns codes = byte_codes(model.grid, model.rows, {});
  GrownForest grown =
      train_forest({codes, model.outcome.values, model.outcome.classes.size(), model.weights, {}}, options, {});
  model.forest = std::move(grown.forest);
  model.inliers =
      IsolationForest::grow(positions_of(model), {.trees = 1 + random.below(5), .sample = 32, .seed = seed}, {});
  if (random.below(3) != 0) model.calibration = random_calibration(random, grown.out_of_bag, model.outcome);
  model.settings.trees = options.trees;
  model.settings.seed = random.next64();
  model.settings.out_of_bag_score = grown.out_of_bag_score;
  model.settings.estimate = static_cast<EstimateOn>(random.below(3));
  model.settings.labels = static_cast<Labels>(random.below(5));
  return model;
}

inline std::span<const std::byte> bytes_of(const std::string& file) { return std::as_bytes(std::span(file)); }

inline Model parse(const std::string& file) { return parse_model(bytes_of(file), "m.cfr"); }

inline void reseal_text(std::string& file) { reseal(std::as_writable_bytes(std::span(file.data(), file.size()))); }

}  // namespace cfrules::testing_data
