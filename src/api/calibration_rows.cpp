#include "api/calibration_rows.h"

#include <algorithm>

#include "api/row_split.h"
#include "base/parallel.h"
#include "forest/answers.h"

namespace cfrules {

namespace {

std::size_t channels_of(const Forest& forest, bool numeric) { return numeric ? 2 : forest.outputs; }

std::vector<double> said_of(const Forest& forest, const Grid& grid, const Table& table,
                            std::span<const std::size_t> rows, bool numeric, const Run& run) {
  const std::size_t channels = channels_of(forest, numeric);
  std::vector<double> said(rows.size() * channels);
  parallel_for(rows.size(), {run.threads, run.stop, {}}, [&](std::size_t i) {
    mean_answers(forest, grid.codes(table.row(rows[i])), std::span(said).subspan(i * channels, channels));
  });
  return said;
}

ByteColumns codes_taken(const ByteColumns& codes, std::span<const std::size_t> rows) {
  ByteColumns some{rows.size(), {}};
  for (const std::vector<std::uint8_t>& column : codes.columns) {
    auto& part = some.columns.emplace_back();
    for (const std::size_t row : rows) part.push_back(column[row]);
  }
  return some;
}

}  // namespace

CalibrationSample out_of_bag_sample(const OutOfBag& out_of_bag, std::span<const double> outcome,
                                    std::span<const double> weights, std::size_t first, std::string source) {
  CalibrationSample sample{std::move(source), out_of_bag.channels, {}, {}, {}};
  for (std::size_t row = first; row < outcome.size(); ++row) {
    if (out_of_bag.trees[row] == 0) continue;
    const auto said = std::span(out_of_bag.means).subspan(row * sample.channels, sample.channels);
    sample.said.insert(sample.said.end(), said.begin(), said.end());
    sample.outcome.push_back(outcome[row]);
    if (!weights.empty()) sample.weights.push_back(weights[row]);
  }
  return sample;
}

CalibrationSample fresh_sample(const Forest& forest, const Grid& grid, const FitOptions& options, bool numeric,
                               const Run& run) {
  const std::vector<std::size_t> known = known_rows(options.fresh_outcome);
  return {kFreshRows,
          channels_of(forest, numeric),
          said_of(forest, grid, *options.fresh, known, numeric, run),
          taken(options.fresh_outcome, known),
          {}};
}

CalibrationSample simulated_sample(const ByteColumns& codes, const Model& model, const TrainOptions& options,
                                   const Run& run) {
  const bool numeric = model.outcome.numeric();
  const RowSplit split(codes.rows, std::max<std::size_t>(1, codes.rows * 4 / 5),
                       RandomStream(options.seed, Purpose::audit, 0));
  const auto [grown_on, asked] = std::pair(split.aside(), split.rest());
  const ByteColumns part = codes_taken(codes, grown_on);
  std::vector<double> labels = taken(model.outcome.values, grown_on);
  const std::vector<double> weights = taken(model.weights, grown_on);
  TrainOptions stand_in{.trees = 100, .class_weights = {}, .seed = options.seed + 1};
  const auto grow = [&](const TrainOptions& how) {
    return train_forest({part, labels, model.outcome.classes.size(), weights, {}}, how, run).forest;
  };
  const auto answers_of = [&](const Forest& forest, std::span<const std::size_t> rows) {
    return said_of(forest, model.grid, model.rows, rows, numeric, run);
  };
  const Forest explained = grow(stand_in);
  const std::size_t channels = channels_of(explained, numeric);
  const std::vector<double> memory = answers_of(explained, grown_on);
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = decision(std::span(memory).subspan(i * channels, channels), numeric);
  CalibrationSample sample{"a simulated model (right for forests, not for networks)",
                           channels,
                           answers_of(grow(options), asked),
                           {},
                           taken(model.weights, asked)};
  const std::vector<double> truth = answers_of(explained, asked);
  for (std::size_t i = 0; i < asked.size(); ++i)
    sample.outcome.push_back(decision(std::span(truth).subspan(i * channels, channels), numeric));
  return sample;
}

}  // namespace cfrules
