#include "small_model.h"

#include <limits>

namespace cfrules::fuzz {
namespace {

constexpr std::size_t kRows = 48;

}  // namespace

Table small_table() {
  std::vector<std::vector<double>> columns(4);
  for (std::size_t row = 0; row < kRows; ++row) {
    columns[0].push_back(static_cast<double>(18 + row * 7 % 50));
    columns[1].push_back(row % 11 == 3 ? std::numeric_limits<double>::quiet_NaN()
                                       : 0.5 * static_cast<double>(row % 13));
    columns[2].push_back(static_cast<double>(row % 3));
    columns[3].push_back(static_cast<double>(row / 2 % 2));
  }
  return {{{"age", Kind::integer, {}},
           {"debt", Kind::number, {}},
           {"housing", Kind::category, {"free", "own", "rent"}},
           {"job", Kind::boolean, {"no", "yes"}}},
          std::move(columns)};
}

Outcome small_outcome(bool numeric) {
  const Table table = small_table();
  Outcome outcome{"paid", {}, {}};
  if (!numeric) outcome.classes = {"no", "yes"};
  for (std::size_t row = 0; row < kRows; ++row) {
    const double points = table.value(row, 0) / 10 + (table.value(row, 2) == 1 ? 2 : 0) + 2 * table.value(row, 3);
    outcome.values.push_back(numeric ? points : (points > 5.5 ? 1 : 0));
  }
  return outcome;
}

Explainer small_model(bool numeric) {
  FitOptions options;
  options.trees = 6;
  options.isolation_trees = 8;
  options.min_leaf = 2;
  return Explainer::fit(small_table(), small_outcome(numeric), {}, options, {.threads = 1, .stop = {}, .progress = {}});
}

}  // namespace cfrules::fuzz
