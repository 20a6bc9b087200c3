// How long saving and loading a model take: load_speed FILE [rows] [features] [trees] [depth]. Two classes, numeric
// columns. FILE is written and removed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "forest/trainer.h"
#include "io/checksum.h"
#include "io/model_file.h"
#include "random_table.h"

namespace {

using namespace cfrules;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Of all threads: what a busy machine does not distort.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::size_t argument(int count, char** values, int index, std::size_t otherwise) {
  return index < count ? std::strtoull(values[index], nullptr, 10) : otherwise;
}

std::vector<std::vector<double>> columns_of(const Table& table) {
  std::vector<std::vector<double>> columns;
  for (std::size_t feature = 0; feature < table.features(); ++feature)
    columns.emplace_back(table.column(feature).begin(), table.column(feature).end());
  return columns;
}

Model random_model(std::size_t rows, std::size_t features, std::size_t trees, std::size_t depth) {
  Model model;
  Run run;
  model.rows = bench::random_table(rows, features);
  model.outcome = bench::random_outcome(model.rows, bench::OutcomeKind::classes);
  model.grid = Grid::learn(model.rows, model.outcome, {}, 255);
  model.codes = model.grid.codes(model.rows);
  TrainOptions options;
  options.trees = trees;
  options.depth = depth;
  const ByteColumns codes = byte_codes(model.grid, model.rows, run);
  GrownForest grown = train_forest({codes, model.outcome.values, 2, {}, {}}, options, run);
  model.forest = std::move(grown.forest);
  model.inliers = IsolationForest::grow(columns_of(model.rows), {}, run);
  for (double& said : grown.out_of_bag.means) said = said == said ? said : 0.5;
  model.calibration = {"out-of-bag rows", 2, std::move(grown.out_of_bag.means), model.outcome.values, {}};
  return model;
}

}  // namespace

int main(int count, char** values) {
  if (count < 2) return std::fprintf(stderr, "load_speed FILE [rows] [features] [trees] [depth]\n"), 2;
  const std::string path = values[1];
  {
    const Model model = random_model(argument(count, values, 2, 1'000'000), argument(count, values, 3, 20),
                                     argument(count, values, 4, 20), argument(count, values, 5, 10));
    const double start = seconds();
    save_model(model, path, true);
    std::printf("saved %.0f MB in %.2f s\n", static_cast<double>(std::filesystem::file_size(path)) / 1e6,
                seconds() - start);
  }
  for (int round = 0; round < 5; ++round) {
    const double start = seconds(), cpu_start = cpu_seconds();
    const Model model = load_model(path);
    std::printf("loaded %zu rows in %.3f s (%.3f s of CPU)\n", model.rows.rows(), seconds() - start,
                cpu_seconds() - cpu_start);
  }
  const std::vector<std::byte> bytes(std::size_t{1} << 26);
  const double start = cpu_seconds();
  const std::uint64_t sum = checksum(bytes);
  std::printf("checksum %.1f GB/s (%llx)\n", static_cast<double>(bytes.size()) / 1e9 / (cpu_seconds() - start),
              static_cast<unsigned long long>(sum));
  std::filesystem::remove(path);
  return 0;
}
