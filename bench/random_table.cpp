#include "random_table.h"

#include <algorithm>
#include <string>

#include "base/random.h"

namespace cfrules::bench {

Table random_table(std::size_t rows, std::size_t features) {
  Schema schema;
  std::vector<std::vector<double>> columns;
  for (std::size_t feature = 0; feature < features; ++feature) {
    RandomStream random(1, Purpose::demo_data, feature);
    schema.push_back({"x" + std::to_string(feature), Kind::number, {}});
    columns.emplace_back(rows);
    for (double& value : columns.back()) value = random.normal();
  }
  return {std::move(schema), std::move(columns)};
}

Outcome random_outcome(const Table& table, OutcomeKind kind) {
  RandomStream random(2, Purpose::demo_data, 0);
  Outcome outcome{"y", {}, std::vector<double>(table.rows())};
  if (kind == OutcomeKind::classes) outcome.classes = {"no", "yes"};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    double sum = random.normal();
    for (std::size_t feature = 0; feature < table.features(); ++feature)
      sum += table.value(row, feature) / static_cast<double>(feature + 1);
    outcome.values[row] =
        kind == OutcomeKind::classes ? (sum > 0.3 ? 1.0 : 0.0) : std::clamp(200'000 + 70'000 * sum, 0.0, 500'000.0);
  }
  return outcome;
}

}  // namespace cfrules::bench
