// How fast numeric columns are read, the quickest of three times: csv_speed FILE [rows] [features]. FILE is written and
// removed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cfrules/csv.h"
#include "random_table.h"

int main(int count, char** words) {
  using namespace cfrules;
  if (count < 2) return std::fprintf(stderr, "csv_speed FILE [rows] [features]\n"), 2;
  const std::string path = words[1];
  const std::size_t rows = count > 2 ? std::strtoull(words[2], nullptr, 10) : 300'000;
  const std::size_t features = count > 3 ? std::strtoull(words[3], nullptr, 10) : 20;
  {
    const Table table = bench::random_table(rows, features);
    const Outcome outcome = bench::random_outcome(table, bench::OutcomeKind::classes);
    std::ofstream(path, std::ios::binary) << to_csv(table, &outcome);
  }
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  double best = std::numeric_limits<double>::infinity();  // others on the machine only slow it down
  for (int time = 0; time < 3; ++time) {
    const std::clock_t start = std::clock();
    const LabelledTable read = read_training_csv(path, {"y", OutcomeRequest::As::classes}, "", {});
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (read.table.rows() != rows) return std::fprintf(stderr, "%zu rows were read\n", read.table.rows()), 1;
  }
  std::printf("read %.0f MB, %zu rows in %.3f s of processor: %.0f MB/s\n", megabytes, rows, best, megabytes / best);
  std::filesystem::remove(path);
  return 0;
}
