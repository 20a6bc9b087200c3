#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cfrules/error.h"
#include "cfrules/table.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

Schema small_schema() {
  return {{"age", Kind::integer, {}},
          {"income", Kind::number, {}},
          {"owner", Kind::boolean, {"no", "yes"}},
          {"job", Kind::category, {"clerk", "cook"}}};
}

std::string complaint(Schema schema, std::vector<std::vector<double>> columns) {
  try {
    static_cast<void>(Table(std::move(schema), std::move(columns)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Table, RowsColumnsAndValuesAreWhatWasGiven) {
  const Table table(small_schema(), {{30, kNaN}, {1.5, 2}, {0, 1}, {1, kNaN}});
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.features(), 4u);
  EXPECT_EQ(table.value(1, 1), 2);
  EXPECT_THAT(table.row(0), testing::ElementsAre(30, 1.5, 0, 1));
  EXPECT_EQ(find_feature(table.schema(), "job"), 3u);
  EXPECT_EQ(find_feature(table.schema(), "none"), 4u);
}

TEST(Table, SelectTakesRowsInTheOrderNamed) {
  const Table table({{"a", Kind::number, {}}, {"b", Kind::number, {}}}, {{1, 2, 3}, {4, 5, 6}});
  const std::vector<std::size_t> rows = {2, 0, 2};
  const Table selected = table.select(rows);
  EXPECT_EQ(selected.schema(), table.schema());
  EXPECT_THAT(selected.column(0), testing::ElementsAre(3, 1, 3));
  EXPECT_THAT(selected.column(1), testing::ElementsAre(6, 4, 6));
}

TEST(Table, AValueThatItsKindDoesNotAllowIsNamedWithItsRow) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint({{"age", Kind::integer, {}}}, {{1, 2.5}}),
            "feature 'age' holds 2.5 in row 2; it takes a whole number, or NaN where the value is missing");
  EXPECT_NE(complaint({{"a", Kind::number, {}}}, {{infinity}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::integer, {}}}, {{-infinity}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::boolean, {"no", "yes"}}}, {{2}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::category, {"x"}}}, {{1}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::category, {"x", "y"}}}, {{0.5}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::category, {"x"}}}, {{-1}}), "accepted");
}

TEST(Table, AMisshapenTableIsRefused) {
  const Feature a{"a", Kind::number, {}};
  EXPECT_EQ(complaint({a, a}, {{1}, {2}}), "two features are called 'a'; names must be unique");
  EXPECT_NE(complaint({{"", Kind::number, {}}}, {{1}}), "accepted");
  EXPECT_NE(complaint({a}, {{1}, {2}}), "accepted");
  EXPECT_NE(complaint({a, {"b", Kind::number, {}}}, {{1}, {2, 3}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::number, {"x"}}}, {{1}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::boolean, {"x"}}}, {{1}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::category, {"x", "x"}}}, {{1}}), "accepted");
  EXPECT_NE(complaint({{"a", Kind::category, {"x", ""}}}, {{1}}), "accepted");
}

TEST(Table, ACellIsWrittenAsAPersonWouldWriteIt) {
  const Schema schema = small_schema();
  EXPECT_EQ(text_of(schema[0], 200000), "200000");
  EXPECT_EQ(text_of(schema[1], 0.1), "0.1");
  EXPECT_EQ(text_of(schema[2], 1), "yes");
  EXPECT_EQ(text_of(schema[3], 0), "clerk");
  EXPECT_EQ(text_of(schema[3], kNaN), "");
  EXPECT_EQ(text_of({"b", Kind::boolean, {}}, 1), "true");
  EXPECT_EQ(name_of(Kind::category), "category");
}

}  // namespace
}  // namespace cfrules
