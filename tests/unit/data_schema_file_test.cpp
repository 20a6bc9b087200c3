#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cfrules/csv.h"
#include "cfrules/error.h"
#include "csv_test_file.h"

namespace cfrules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(std::string_view text) {
  const CsvTestFile file(text, "schema.json");
  try {
    static_cast<void>(read_schema_file(file.path()));
  } catch (const InputError& error) {
    return file.local(error.what());
  }
  return "accepted";
}

TEST(SchemaFile, KindsCategoriesAndMarkersAreRead) {
  const CsvTestFile file(R"({"columns": {"age": "integer",
      "housing": {"kind": "category", "categories": ["own", "rent"], "missing": ["-", -7]}, "free": {"missing": []}}})");
  const std::vector<ColumnHint> hints = read_schema_file(file.path());
  ASSERT_EQ(hints.size(), 3u);
  EXPECT_EQ(hints[0].name, "age");
  EXPECT_EQ(hints[0].kind, Kind::integer);
  EXPECT_EQ(hints[1].kind, Kind::category);
  EXPECT_THAT(hints[1].categories, ElementsAre("own", "rent"));
  EXPECT_THAT(hints[1].missing, ElementsAre("-", "-7"));
  EXPECT_FALSE(hints[2].kind.has_value());
}

TEST(SchemaFile, WhatIsWrongIsNamed) {
  EXPECT_EQ(complaint(R"({"columns": {"age": "int"}})"),
            "schema.json: column 'age': the kind is 'int'; 'number', 'integer', 'boolean' and 'category' are allowed");
  EXPECT_THAT(complaint(R"({"columns": {"age": {"kinds": "integer"}}})"), HasSubstr("the key 'kinds' is unknown"));
  EXPECT_THAT(complaint(R"({"column": {}})"), HasSubstr("the key 'column' is unknown"));
  EXPECT_THAT(complaint(R"({})"), HasSubstr("'columns' is needed"));
  EXPECT_THAT(complaint(R"([])"), HasSubstr("found an array"));
  EXPECT_THAT(complaint(R"({"columns": {"age": 3}})"), HasSubstr("column 'age': found a number"));
  EXPECT_THAT(complaint(R"({"columns": {"a": {"kind": 3}}})"), HasSubstr("the kind is a number"));
  EXPECT_THAT(complaint(R"({"columns": {"a": {"categories": "x"}}})"), HasSubstr("found a string"));
  EXPECT_THAT(complaint(R"({"columns": {"a": {"categories": [1]}}})"),
              HasSubstr("found a number in an array of strings"));
  EXPECT_THAT(complaint(R"({"columns": {"a": {"categories": ["x", "x"]}}})"), HasSubstr("'x' is there twice"));
  EXPECT_THAT(complaint(R"({"columns": {"a": {"kind": "number", "categories": ["x"]}}})"), HasSubstr("no categories"));
  EXPECT_THAT(complaint(R"({"columns": {"a": {"kind": "boolean", "categories": ["x"]}}})"),
              HasSubstr("two categories"));
  EXPECT_THAT(complaint(R"({"columns": )"), HasSubstr("schema.json: line 1, column 13"));
}

}  // namespace
}  // namespace cfrules
