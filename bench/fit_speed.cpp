// How long a fit takes: fit_speed [rows] [features] [trees] [depth] [threads]. Two classes, numeric columns.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "forest/trainer.h"
#include "random_table.h"

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

}  // namespace

int main(int count, char** values) {
  const Table table = bench::random_table(argument(count, values, 1, 1'000'000), argument(count, values, 2, 20));
  const Outcome outcome = bench::random_outcome(table, bench::OutcomeKind::classes);
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
