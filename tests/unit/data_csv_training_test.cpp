#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <thread>

#include "cfrules/csv.h"
#include "cfrules/error.h"
#include "csv_test_file.h"

namespace cfrules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;
using As = OutcomeRequest::As;

LabelledTable read(std::string_view text, const CsvOptions& options = {}, const OutcomeRequest& outcome = {"y"},
                   const std::string& weights = "") {
  const CsvTestFile file(text);
  return read_training_csv(file.path(), outcome, weights, options);
}

std::string complaint(std::string_view text, const CsvOptions& options = {}, const OutcomeRequest& outcome = {"y"},
                      const std::string& weights = "") {
  const CsvTestFile file(text);
  try {
    static_cast<void>(read_training_csv(file.path(), outcome, weights, options));
  } catch (const InputError& error) {
    return file.local(error.what());
  }
  return "accepted";
}

// A column x of these cells beside an outcome that varies.
std::string column(const std::vector<std::string>& cells) {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < cells.size(); ++i) text += cells[i] + (i % 2 ? ",a\n" : ",b\n");
  return text;
}

Feature kind_of(const std::vector<std::string>& cells, const CsvOptions& options = {}) {
  return read(column(cells), options).table.schema().front();
}

std::vector<std::string> numbers_and(std::size_t count, const std::string& last) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < count; ++i) cells.push_back(std::to_string(i));
  cells.push_back(last);
  return cells;
}

TEST(Csv, KindsAreInferredOverTheWholeColumn) {
  EXPECT_EQ(kind_of({"1", "-2", "+3"}).kind, Kind::integer);
  EXPECT_EQ(kind_of({"1", "2.0"}).kind, Kind::number);
  EXPECT_EQ(kind_of({"1", "1e3"}).kind, Kind::number);
  EXPECT_EQ(kind_of({"9007199254740992", "1"}).kind, Kind::integer);
  EXPECT_EQ(kind_of({"9007199254740994", "1"}).kind, Kind::number);
  EXPECT_EQ(kind_of({"", "NA"}).kind, Kind::number);
  EXPECT_EQ(kind_of({"b", "a", " b "}), (Feature{"x", Kind::category, {"a", "b"}}));
  EXPECT_EQ(kind_of({"TRUE", "False", "true"}), (Feature{"x", Kind::boolean, {"False", "TRUE"}}));
  EXPECT_EQ(kind_of({"True", "NA"}), (Feature{"x", Kind::boolean, {"False", "True"}}));
  EXPECT_EQ(kind_of({"yes", "no"}).kind, Kind::category);
}

std::string refusal_of(const std::vector<std::string>& cells) {
  try {
    static_cast<void>(kind_of(cells));
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Csv, DatesAreNotTakenForNames) {
  for (const char* date :
       {"2024-01-31", "2024/1/5", "31.1.2024", "1/31/24", "2024-01-31 10:00", "2024-01-31T10:00:00Z"})
    EXPECT_THAT(refusal_of({date, "", date}),
                testing::HasSubstr(std::string("line 2, column 'x': '") + date + "' is a date"));
  for (const char* text : {"1-2", "2024-01", "2024-01-31x", "12-34-567", "1.2.3.4", "a-b-c", "2024-01/31", "--"})
    EXPECT_EQ(refusal_of({text, text}), "accepted") << text;
}

TEST(Csv, WholeNumbersThatWouldBeRoundedAreRefused) {
  EXPECT_THAT(refusal_of({"1", "9007199254740993"}),
              testing::HasSubstr("line 3, column 'x': '9007199254740993' is beyond 2^53"));
  EXPECT_THAT(refusal_of({"-12345678901234567890", "3"}), testing::HasSubstr("is beyond 2^53 and would be rounded"));
  EXPECT_EQ(refusal_of({"1000000000000000000000", "3"}), "accepted");
  EXPECT_EQ(refusal_of({"12345678901234567890.5", "3"}), "accepted");
}

TEST(Csv, ValuesArriveInTheirRows) {
  const LabelledTable data = read("i,n,b,c,y\n1,0.5,true,\"x, y\",a\n-2, 1e-3 ,false,é,b\n,,,,a\n");
  EXPECT_EQ(data.table.rows(), 3u);
  EXPECT_THAT(data.table.column(0), ElementsAre(1, -2, IsNan()));
  EXPECT_THAT(data.table.column(1), ElementsAre(0.5, 0.001, IsNan()));
  EXPECT_THAT(data.table.column(2), ElementsAre(1, 0, IsNan()));
  EXPECT_THAT(data.table.column(3), ElementsAre(0, 1, IsNan()));
  EXPECT_THAT(data.table.schema()[3].categories, ElementsAre("x, y", "é"));
  EXPECT_THAT(data.outcome.values, ElementsAre(0, 1, 0));
  EXPECT_TRUE(data.weights.empty());
  EXPECT_EQ(data.dropped, 0u);
}

TEST(Csv, AColumnThatMixesNumbersAndTextsKeepsTheNumbersAsWritten) {
  const LabelledTable data = read("x,z,y\n05,1,a\nA,2,b\n5.0,3,a\n\"q\"\"\",4,b\nA,5,a\nNA,6,b\n");
  EXPECT_EQ(data.table.schema()[0], (Feature{"x", Kind::category, {"05", "5.0", "A", "q\""}}));
  EXPECT_THAT(data.table.column(0), ElementsAre(0, 2, 1, 3, 2, IsNan()));
  EXPECT_THAT(data.table.column(1), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Csv, MissingMarkersCountInAnyCaseAndWithSpaces) {
  const LabelledTable data = read(column({"1", "", " na ", "N/A", "nan", "NULL", "none", "?", "\"\"", "\" NA\""}));
  EXPECT_EQ(data.table.schema()[0].kind, Kind::integer);
  for (std::size_t row = 1; row < 10; ++row) EXPECT_THAT(data.table.value(row, 0), IsNan()) << row;
}

TEST(Csv, AMissingMarkerThatIsANumberMatchesByValue) {
  CsvOptions options;
  options.missing = {"-7", "unknown"};
  const LabelledTable data = read("x,c,y\n-7,-7,a\n-7.0,u,b\n70,Unknown,a\n1,v,b\n", options);
  EXPECT_THAT(data.table.column(0), ElementsAre(IsNan(), IsNan(), 70, 1));
  EXPECT_THAT(data.table.schema()[1].categories, ElementsAre("u", "v"));
  EXPECT_THAT(data.table.column(1), ElementsAre(IsNan(), 0, IsNan(), 1));
}

TEST(Csv, AColumnsOwnMarkersDoNotReachTheOthers) {
  CsvOptions options;
  options.hints = {{"x", std::nullopt, {}, {"-7"}}};
  const LabelledTable data = read("x,z,y\n-7,-7,a\n1,2,b\n", options);
  EXPECT_THAT(data.table.column(0), ElementsAre(IsNan(), 1));
  EXPECT_THAT(data.table.column(1), ElementsAre(-7, 2));
}

TEST(Csv, AFewTextsAmongNumbersAreTakenForAMistake) {
  EXPECT_EQ(complaint(column(numbers_and(10, "abc"))),
            "t.csv: column 'x' is a number except on line 12 where it holds 'abc'; declare it a category in a schema "
            "file, or add 'abc' to the missing markers");
  EXPECT_EQ(complaint(column(numbers_and(9, "abc"))), "accepted");
  CsvOptions options;
  options.missing = {"abc"};
  EXPECT_EQ(complaint(column(numbers_and(10, "abc")), options), "accepted");
  options = {};
  options.hints = {{"x", Kind::category, {}, {}}};
  EXPECT_EQ(kind_of(numbers_and(10, "abc"), options).categories.size(), 11u);
}

TEST(Csv, DecimalCommasThousandsAndInfinitiesAreToldApart) {
  EXPECT_THAT(complaint("x;y\n1,5;a\n2,25;b\n3;a\n"), HasSubstr("on line 2 '1,5' seems to hold a decimal comma"));
  EXPECT_THAT(complaint(column({"\"1,234,567\"", "\"12,000.5\""})), HasSubstr("separators of thousands"));
  EXPECT_THAT(complaint(column({"1 234", "12 000"})), HasSubstr("separators of thousands"));
  EXPECT_THAT(complaint(column({"1.234.567", "2.000.000"})), HasSubstr("separators of thousands"));
  EXPECT_THAT(complaint(column({"1", "2", "-Inf"})), HasSubstr("on line 4 '-Inf' is infinite"));
  EXPECT_THAT(complaint(column({"1", "2", "1e999"})), HasSubstr("on line 4 '1e999' is infinite"));
  EXPECT_EQ(complaint(column({"10.0.0.1", "a"})), "accepted");
}

TEST(Csv, AHintDecidesTheKind) {
  CsvOptions options;
  options.hints = {{"x", Kind::number, {}, {}}};
  EXPECT_EQ(kind_of({"1", "2"}, options).kind, Kind::number);
  EXPECT_EQ(complaint(column({"1", "abc"}), options), "t.csv, line 3, column 'x': 'abc' is not a number");
  EXPECT_THAT(complaint(column({"1", "inf"}), options), HasSubstr("line 3, column 'x': 'inf' is infinite"));
  options.hints = {{"x", Kind::integer, {}, {}}};
  EXPECT_EQ(kind_of({"1.0", "2"}, options).kind, Kind::integer);
  EXPECT_THAT(complaint(column({"1", "3.5"}), options), HasSubstr("line 3, column 'x': '3.5' is not a whole number"));
  options.hints = {{"x", Kind::boolean, {}, {}}};
  EXPECT_EQ(kind_of({"1", "0"}, options), (Feature{"x", Kind::boolean, {"0", "1"}}));
  EXPECT_EQ(kind_of({"Yes", "yes"}, options).categories, (std::vector<std::string>{"No", "Yes"}));
  EXPECT_THAT(complaint(column({"yes", "no", "maybe"}), options), HasSubstr("line 4, column 'x': 'maybe'"));
}

TEST(Csv, ListedCategoriesKeepTheirOrderAndAreTheOnlyOnes) {
  CsvOptions options;
  options.hints = {{"x", Kind::category, {"low", "None", "high"}, {}}};
  const LabelledTable data = read(column({"high", "low", "None", "na"}), options);
  EXPECT_THAT(data.table.schema()[0].categories, ElementsAre("low", "None", "high"));
  EXPECT_THAT(data.table.column(0), ElementsAre(2, 0, 1, IsNan()));
  EXPECT_EQ(complaint(column({"high", "mid"}), options),
            "t.csv, line 3, column 'x': 'mid' is not among the known categories 'low', 'None', 'high'");
}

TEST(Csv, ColumnsThatAreAskedForButAbsentAreNamed) {
  EXPECT_EQ(complaint("x,z\n1,2\n"), "t.csv: the outcome column 'y' is not there; the columns are 'x', 'z'");
  CsvOptions options;
  options.ignore = {"q"};
  EXPECT_THAT(complaint("x,y\n1,2\n", options), HasSubstr("the column to ignore 'q' is not there"));
  options = {};
  options.hints = {{"q", Kind::number, {}, {}}};
  EXPECT_THAT(complaint("x,y\n1,2\n", options), HasSubstr("the column of the schema 'q' is not there"));
  EXPECT_THAT(complaint("x,y\n1,2\n", {}, {"y"}, "w"), HasSubstr("the weights column 'w' is not there"));
  EXPECT_THAT(complaint("x,y\n1,2\n", {}, {"y"}, "y"), HasSubstr("both outcome and weights"));
  options = {};
  options.ignore = {"x"};
  EXPECT_THAT(complaint("x,y\n1,2\n2,3\n", options), HasSubstr("no column is left"));
}

TEST(Csv, IgnoredColumnsAreNotEvenLookedAt) {
  CsvOptions options;
  options.ignore = {"bad"};
  const LabelledTable data = read("bad,x,y\n1,1,a\n2,2,b\ninf,3,a\n", options);
  EXPECT_EQ(data.table.features(), 1u);
  EXPECT_EQ(data.table.schema()[0].name, "x");
}

TEST(Csv, AnOutcomeMustVary) {
  EXPECT_EQ(complaint("x,y\n1,yes\n2,yes\n3,\n"),
            "t.csv: the outcome column 'y' holds only 'yes' in 2 rows; at least two different values are needed");
  EXPECT_THAT(complaint("x,y\n1,\n2,NA\n"), HasSubstr("the outcome column 'y' is missing in all 2 rows"));
  EXPECT_THAT(complaint("x,y\n1,5\n2,5\n"), HasSubstr("holds only '5' in 2 rows"));
}

TEST(Csv, AnOutcomeOfFewWholeNumbersIsClassesInNumericOrder) {
  const LabelledTable data = read("x,y\n1,10\n2,9\n3,-1\n4,10\n");
  EXPECT_THAT(data.outcome.classes, ElementsAre("-1", "9", "10"));
  EXPECT_THAT(data.outcome.values, ElementsAre(2, 1, 0, 2));
  EXPECT_THAT(read("x,y\n1,1.0\n2,0.0\n").outcome.classes, ElementsAre("0", "1"));
  EXPECT_THAT(read("x,y\n1,TRUE\n2,FALSE\n").outcome.classes, ElementsAre("FALSE", "TRUE"));
}

TEST(Csv, AnOutcomeOfManyOrBrokenNumbersIsNumeric) {
  EXPECT_TRUE(read("x,y\n1,0.5\n2,1.5\n").outcome.numeric());
  std::string twenty = "x,y\n";
  for (int i = 1; i <= 20; ++i) twenty += "1," + std::to_string(i) + "\n";
  EXPECT_EQ(read(twenty).outcome.classes.size(), 20u);
  EXPECT_TRUE(read(twenty + "1,21\n").outcome.numeric());
  EXPECT_EQ(read(twenty + "1,21\n", {}, {"y", As::classes}).outcome.classes.size(), 21u);
  EXPECT_TRUE(read(twenty, {}, {"y", As::number}).outcome.numeric());
  EXPECT_THAT(complaint("x,y\n1,2\n2,no\n", {}, {"y", As::number}),
              HasSubstr("line 3, column 'y': 'no' is not a number"));
}

TEST(Csv, RowsWithoutAnOutcomeAreDroppedAndCounted) {
  const LabelledTable data = read("x,w,c,y\n1,1,p,a\n2,2,q,\n3,0,p,b\n4,4,r,?\n", {}, {"y"}, "w");
  EXPECT_EQ(data.dropped, 2u);
  EXPECT_THAT(data.table.column(0), ElementsAre(1, 3));
  EXPECT_EQ(data.table.features(), 2u);
  EXPECT_THAT(data.weights, ElementsAre(1, 0));
  EXPECT_THAT(data.outcome.values, ElementsAre(0, 1));
}

TEST(Csv, WeightsMustBeNumbersOfAtLeastZero) {
  for (const char* bad : {"-1", "", "NA"})
    EXPECT_EQ(complaint(std::string("x,w,y\n1,1,a\n2,") + bad + ",b\n", {}, {"y"}, "w"),
              std::string("t.csv, line 3, column 'w': a weight must be a number from 0 to 1e15, not '") + bad + "'");
  EXPECT_THAT(complaint("x,w,y\n1,1,a\n2,heavy,b\n", {}, {"y"}, "w"), HasSubstr("line 3, column 'w': 'heavy'"));
  EXPECT_THAT(complaint("x,w,y\n1,1,a\n2,inf,b\n", {}, {"y"}, "w"), HasSubstr("infinite"));
  EXPECT_THAT(complaint("x,w,y\n1,0,a\n2,0,b\n", {}, {"y"}, "w"), HasSubstr("all weights in column 'w' are 0"));
}

TEST(Csv, AFileThatCannotBeReadOrHoldsNothingIsNamed) {
  const CsvTestFile file("x,y\n");
  const auto message = [](const std::string& path) -> std::string {
    try {
      static_cast<void>(read_training_csv(path, {"y"}, "", {}));
    } catch (const IoError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_THAT(message(file.path() + ".none"), HasSubstr("cannot open " + file.path() + ".none"));
  EXPECT_THAT(message(file.folder()), HasSubstr("is a directory"));
  EXPECT_EQ(complaint("x,y\n"), "t.csv: the file has a header but no rows");
  EXPECT_EQ(complaint(""), "t.csv: the file is empty; a header line and rows are needed");
}

TEST(Csv, APipeIsReadToItsEnd) {
  const CsvTestFile file("");
  const std::string pipe = file.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] {
    std::ofstream out(pipe);
    out << "x,y\n";
    for (int i = 0; i < 50000; ++i) out << i << (i % 2 ? ",a\n" : ",b\n");
  });
  const LabelledTable data = read_training_csv(pipe, {"y"}, "", {});
  EXPECT_EQ(data.table.rows(), 50000u);
  EXPECT_EQ(data.table.value(49999, 0), 49999);
}

}  // namespace
}  // namespace cfrules
