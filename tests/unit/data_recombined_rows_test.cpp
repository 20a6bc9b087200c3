#include "data/recombined_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cfrules/credit.h"

namespace cfrules {
namespace {

const std::vector<std::size_t> kNone;

TEST(RecombinedRows, HoldOnlyValuesThatWereSeen) {
  const Table rows = credit_table(200, 3).table;
  const std::vector<std::size_t> swapped{0, 1, 2};
  const RecombinedRows made = recombine(rows, {500, swapped, 7}, {});
  ASSERT_EQ(made.rows.rows(), 500u);
  for (std::size_t feature = 0; feature < rows.features(); ++feature) {
    std::set<double> seen;
    for (const double value : rows.column(feature)) seen.insert(std::isnan(value) ? -1e9 : value);
    for (const double value : made.rows.column(feature)) EXPECT_TRUE(seen.contains(std::isnan(value) ? -1e9 : value));
  }
}

// Two far clusters: without a donor nobody takes a value from the other side.
TEST(RecombinedRows, TakeFeaturesFromNeighboursOnly) {
  std::vector<std::vector<double>> columns(2);
  for (int i = 0; i < 40; ++i) {
    columns[0].push_back((i < 20 ? 0 : 1000) + i);
    columns[1].push_back((i < 20 ? 0 : 1000) + (i * 7) % 20);
  }
  const Table rows({{"a", Kind::number, {}}, {"b", Kind::number, {}}}, columns);
  const RecombinedRows made = recombine(rows, {400, kNone, 1}, {});
  std::size_t mixed = 0;
  for (std::size_t row = 0; row < made.rows.rows(); ++row) {
    const bool far = made.base[row] >= 20;
    EXPECT_EQ(made.rows.value(row, 0) > 500, far);
    EXPECT_EQ(made.rows.value(row, 1) > 500, far);
    mixed += made.rows.value(row, 0) != rows.value(made.base[row], 0);
  }
  EXPECT_GT(mixed, 200u);
}

TEST(RecombinedRows, SwapSomeOfTheNamedFeaturesWithADonor) {
  std::vector<std::vector<double>> columns(3);
  for (int i = 0; i < 60; ++i) {
    const double side = i < 30 ? 0 : 1000;
    for (auto& column : columns) column.push_back(side + i);
  }
  const Table rows({{"a", Kind::number, {}}, {"b", Kind::number, {}}, {"c", Kind::number, {}}}, columns);
  const std::vector<std::size_t> swapped{1};
  const RecombinedRows made = recombine(rows, {600, swapped, 1}, {});
  std::size_t crossed = 0;
  for (std::size_t row = 0; row < made.rows.rows(); ++row) {
    const bool far = made.base[row] >= 30;
    EXPECT_EQ(made.rows.value(row, 0) > 500, far);
    EXPECT_EQ(made.rows.value(row, 2) > 500, far);
    crossed += (made.rows.value(row, 1) > 500) != far;
  }
  EXPECT_NEAR(static_cast<double>(crossed), 300, 60);
}

TEST(RecombinedRows, DependOnTheSeedAndNotOnTheThreads) {
  const Table rows = credit_table(100, 3).table;
  const auto bytes = [&](std::uint64_t seed, unsigned threads) {
    const RecombinedRows made = recombine(rows, {150, kNone, seed}, {threads, {}, {}});
    return std::vector<double>(made.rows.column(1).begin(), made.rows.column(1).end());
  };
  EXPECT_EQ(bytes(1, 1), bytes(1, 4));
  EXPECT_NE(bytes(1, 1), bytes(2, 1));
}

}  // namespace
}  // namespace cfrules
