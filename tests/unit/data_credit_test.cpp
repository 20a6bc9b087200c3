#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cfrules/credit.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

double share(const Table& table, auto&& holds) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) count += holds(row) ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(table.rows());
}

std::vector<double> law_of(const Table& table) {
  std::vector<double> law(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row)
    law[row] = credit_approval_probability(table.schema(), table.row(row));
  return law;
}

std::vector<double> plain_person() {
  // age, income, savings, debt, duration, employment_years, housing, purpose, job, guarantor, prior_defaults
  return {40, 30000, 1000, 0, 36, 5, 2, 1, 1, 0, 0};
}

TEST(Credit, MoreRowsContinueTheSameTable) {
  const CreditData few = credit_table(50, 7);
  const CreditData many = credit_table(80, 7);
  for (std::size_t row = 0; row < 50; ++row) {
    EXPECT_EQ(few.outcome.values[row], many.outcome.values[row]);
    for (std::size_t f = 0; f < few.table.features(); ++f)
      EXPECT_EQ(text_of(few.table.schema()[f], few.table.value(row, f)),
                text_of(many.table.schema()[f], many.table.value(row, f)));
  }
  EXPECT_NE(credit_table(50, 8).outcome.values, few.outcome.values);
}

TEST(Credit, OutcomesFollowTheLaw) {
  const CreditData data = credit_table(20000, 1);
  const std::vector<double> law = law_of(data.table);
  for (int tenth = 0; tenth < 10; ++tenth) {
    double stated = 0, approved = 0, people = 0;
    for (std::size_t row = 0; row < law.size(); ++row) {
      if (std::min(static_cast<int>(law[row] * 10), 9) != tenth) continue;
      stated += law[row];
      approved += data.outcome.values[row] == 0 ? 1 : 0;
      ++people;
    }
    EXPECT_NEAR(approved / people, stated / people, 4 * std::sqrt(0.25 / people)) << tenth;
  }
}

TEST(Credit, TheLawIsSharpAndBalanced) {
  const CreditData data = credit_table(10000, 3);
  const std::vector<double> law = law_of(data.table);
  const double approved = share(data.table, [&](std::size_t row) { return data.outcome.values[row] == 0; });
  EXPECT_GT(approved, 0.45);
  EXPECT_LT(approved, 0.62);
  EXPECT_GT(share(data.table, [&](std::size_t row) { return law[row] < 0.1; }), 0.2);
  EXPECT_GT(share(data.table, [&](std::size_t row) { return law[row] > 0.9; }), 0.35);
}

TEST(Credit, MissingCellsAreAsManyAsSaid) {
  const Table table = credit_table(20000, 5).table;
  for (std::size_t f = 0; f < table.features(); ++f) {
    const std::string& name = table.schema()[f].name;
    const double expected = name == "savings" ? 0.06 : name == "employment_years" ? 0.03 : 0;
    EXPECT_NEAR(share(table, [&](std::size_t row) { return std::isnan(table.value(row, f)); }), expected, 0.006)
        << name;
  }
}

TEST(Credit, PointsAddUpAsTheDescriptionSays) {
  const Schema schema = credit_table(1, 0).table.schema();
  const auto points = [&](const std::vector<double>& row) {
    const double p = credit_approval_probability(schema, row);
    return std::log(p / (1 - p));
  };
  std::vector<double> row = plain_person();
  EXPECT_NEAR(points(row), -5 + 3 + 1.5, 1e-9);
  const auto with = [&](std::size_t feature, double value) {
    std::vector<double> changed = row;
    changed[feature] = value;
    return points(changed) - points(row);
  };
  EXPECT_NEAR(with(2, 2000), 2.5, 1e-9);
  EXPECT_NEAR(with(2, 5000), 5, 1e-9);
  EXPECT_NEAR(with(2, std::nan("")), 0, 1e-9);
  EXPECT_NEAR(with(3, 7510), -2, 1e-9);
  EXPECT_NEAR(with(3, 15010), -5, 1e-9);
  EXPECT_NEAR(with(4, 24), 3, 1e-9);
  EXPECT_NEAR(with(4, 54), -3, 1e-9);
  EXPECT_NEAR(with(5, std::nan("")), -1.5, 1e-9);
  EXPECT_NEAR(with(6, 1), 1.5, 1e-9);
  EXPECT_NEAR(with(7, 0), -1.5, 1e-9);
  EXPECT_NEAR(with(9, 1), 3, 1e-9);
  EXPECT_NEAR(with(10, 3), -6, 1e-9);
  EXPECT_NEAR(with(0, 70), 0, 1e-9);
  EXPECT_THAT(credit_law_description(), testing::HasSubstr("starts at -5 points"));
}

TEST(Credit, TheLawFindsColumnsAndCategoriesByName) {
  const Schema schema = credit_table(1, 0).table.schema();
  std::vector<double> row = plain_person();
  Schema other(schema.rbegin(), schema.rend());
  std::vector<double> reversed(row.rbegin(), row.rend());
  const std::size_t housing = find_feature(other, "housing");
  other[housing].categories = {"rent", "own", "free"};
  reversed[housing] = 0;
  EXPECT_EQ(credit_approval_probability(other, reversed), credit_approval_probability(schema, row));
}

TEST(Credit, TheLawRefusesWhatItDoesNotKnow) {
  Schema schema = credit_table(1, 0).table.schema();
  std::vector<double> row = plain_person();
  row[1] = std::nan("");
  EXPECT_THROW(static_cast<void>(credit_approval_probability(schema, row)), InputError);
  schema.pop_back();
  EXPECT_THROW(static_cast<void>(credit_approval_probability(schema, plain_person())), InputError);
}

TEST(Credit, DurationsAreHalfYearsAndIncomesRound) {
  const Table table = credit_table(2000, 9).table;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double months = table.value(row, find_feature(table.schema(), "duration"));
    EXPECT_TRUE(months >= 6 && months <= 72 && std::fmod(months, 6) == 0);
    EXPECT_EQ(std::fmod(table.value(row, find_feature(table.schema(), "income")), 100), 0);
  }
}

}  // namespace
}  // namespace cfrules
