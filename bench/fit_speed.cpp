// How long a fit takes: fit_speed [rows] [features] [trees] [depth] [threads]. Two classes, numeric columns.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "base/random.h"
#include "forest/trainer.h"

namespace {

using namespace cfrules;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Of all threads: what a busy machine does not stretch.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

std::size_t argument(int count, char** values, int index, std::size_t otherwise) {
  return index < count ? std::strtoull(values[index], nullptr, 10) : otherwise;
}

Table random_table(std::size_t rows, std::size_t features) {
  Schema schema;
  std::vector<std::vector<double>> columns;
  for (std::size_t feature = 0; feature < features; ++feature) {
    RandomStream random(1, Purpose::demo_data, feature);
    schema.push_back({std::to_string(feature), Kind::number, {}});
    columns.emplace_back(rows);
    for (double& value : columns.back()) value = random.normal();
  }
  return {std::move(schema), std::move(columns)};
}

Outcome random_outcome(const Table& table) {
  RandomStream random(2, Purpose::demo_data, 0);
  Outcome outcome{"y", {"no", "yes"}, std::vector<double>(table.rows())};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    double sum = random.normal();
    for (std::size_t feature = 0; feature < table.features(); ++feature)
      sum += table.value(row, feature) / static_cast<double>(feature + 1);
    outcome.values[row] = sum > 0.3;
  }
  return outcome;
}

}  // namespace

int main(int count, char** values) {
  const Table table = random_table(argument(count, values, 1, 1'000'000), argument(count, values, 2, 20));
  const Outcome outcome = random_outcome(table);
  TrainOptions options;
  options.trees = argument(count, values, 3, 100);
  options.depth = argument(count, values, 4, 10);
  Run run;
  run.threads = static_cast<unsigned>(argument(count, values, 5, 2));

  const double start = seconds();
  const Grid grid = Grid::learn(table, outcome, {}, 255);
  const double learned = seconds();
  const ByteColumns codes = byte_codes(grid, table, run);
  const double coded = seconds();
  const double processor_before = processor_seconds();
  const GrownForest grown = train_forest({codes, outcome.values, 2, {}, {}}, options, run);
  const double grown_at = seconds();
  const double processor = processor_seconds() - processor_before;

  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "cuts %.2f s, codes %.2f s, trees %.2f s (%.2f s of processor), in all %.2f s; peak %.0f MB; out-of-bag accuracy "
      "%.4f\n",
      learned - start, coded - learned, grown_at - coded, processor, grown_at - start,
      static_cast<double>(usage.ru_maxrss) / 1024, grown.out_of_bag_score);
  return 0;
}
