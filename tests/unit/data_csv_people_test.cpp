#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cfrules/credit.h"
#include "cfrules/csv.h"
#include "cfrules/error.h"
#include "csv_test_file.h"

namespace cfrules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

const Schema kSchema = {{"age", Kind::integer, {}},
                        {"income", Kind::number, {}},
                        {"owner", Kind::boolean, {"false", "true"}},
                        {"job", Kind::category, {"cook", "clerk"}}};
const Outcome kKnown{"decision", {"no", "yes"}, {}};

LabelledTable read(std::string_view text, const PeopleOptions& options = {}, const Outcome& known = kKnown) {
  const CsvTestFile file(text);
  return read_people_csv(file.path(), kSchema, known, options);
}

std::string complaint(std::string_view text, const PeopleOptions& options = {}, const Outcome& known = kKnown) {
  const CsvTestFile file(text);
  try {
    static_cast<void>(read_people_csv(file.path(), kSchema, known, options));
  } catch (const InputError& error) {
    return file.local(error.what());
  }
  return "accepted";
}

TEST(PeopleCsv, ColumnsAreMatchedByNameAndExtraOnesIgnored) {
  const LabelledTable data = read("job,extra,income,owner,age\nclerk,inf,2.5,TRUE,30\n,x,,NA,4.0\n");
  EXPECT_EQ(data.table.schema(), kSchema);
  EXPECT_THAT(data.table.row(0), ElementsAre(30, 2.5, 1, 1));
  EXPECT_THAT(data.table.row(1), ElementsAre(4, IsNan(), IsNan(), IsNan()));
  EXPECT_EQ(data.outcome.rows(), 0u);
  EXPECT_EQ(data.outcome.name, "decision");
}

TEST(PeopleCsv, AnOutcomeColumnIsReadAgainstTheKnownClasses) {
  const LabelledTable data =
      read("age,decision,income,owner,job\n1,yes,2,true,cook\n2,,2,true,cook\n3,no,1,false,cook\n");
  EXPECT_THAT(data.outcome.values, ElementsAre(1, IsNan(), 0));
  EXPECT_EQ(data.table.rows(), 3u);
  EXPECT_EQ(data.dropped, 0u);
  PeopleOptions lenient;
  lenient.unseen_as_missing = true;
  EXPECT_EQ(complaint("age,decision,income,owner,job\n1,perhaps,2,true,cook\n", lenient),
            "t.csv, line 2, column 'decision': 'perhaps' is not among the known classes 'no', 'yes'");
}

TEST(PeopleCsv, ClassesThatAreNumbersOrTruthValuesMatchHoweverWritten) {
  const std::string text = "age,decision,income,owner,job\n1,1.0,2,true,cook\n2,0,2,true,cook\n";
  EXPECT_THAT(read(text, {}, {"decision", {"0", "1"}, {}}).outcome.values, ElementsAre(1, 0));
  const std::string words = "age,decision,income,owner,job\n1,True,2,true,cook\n2,false,2,true,cook\n";
  EXPECT_THAT(read(words, {}, {"decision", {"FALSE", "TRUE"}, {}}).outcome.values, ElementsAre(1, 0));
}

TEST(PeopleCsv, ANumericOutcomeIsReadAsNumbers) {
  const Outcome price{"decision", {}, {}};
  EXPECT_THAT(read("age,decision,income,owner,job\n1,2.5,2,true,cook\n1,,2,true,cook\n", {}, price).outcome.values,
              ElementsAre(2.5, IsNan()));
}

TEST(PeopleCsv, AbsentFeaturesAreAllNamed) {
  EXPECT_EQ(complaint("age,owner\n1,true\n"),
            "t.csv: the model needs the columns 'income', 'job', not found; the columns are 'age', 'owner'");
}

TEST(PeopleCsv, AnUnseenCategoryIsAnErrorUnlessAskedToCountAsMissing) {
  const std::string text = "age,income,owner,job\n1,2,true,cook\n1,2,true,pilot\n";
  EXPECT_EQ(complaint(text), "t.csv, line 3, column 'job': 'pilot' is not among the known categories 'cook', 'clerk'");
  PeopleOptions options;
  options.unseen_as_missing = true;
  EXPECT_THAT(read(text, options).table.column(3), ElementsAre(0, IsNan()));
}

TEST(PeopleCsv, AValueOfAnotherKindIsNamed) {
  EXPECT_THAT(complaint("age,income,owner,job\n3.5,2,true,cook\n"),
              HasSubstr("line 2, column 'age': '3.5' is not a whole"));
  EXPECT_EQ(complaint("age,income,owner,job\n3,high,true,cook\n"),
            "t.csv, line 2, column 'income': 'high' is not a number");
  EXPECT_THAT(complaint("age,income,owner,job\n3,2,perhaps,cook\n"), HasSubstr("line 2, column 'owner': 'perhaps'"));
}

TEST(PeopleCsv, MissingMarkersOfTheOptionsCount) {
  PeopleOptions options;
  options.csv.missing = {"-9"};
  options.csv.hints = {{"job", std::nullopt, {}, {"unknown"}}, {"elsewhere", Kind::number, {}, {}}};
  const LabelledTable data = read("age,income,owner,job\n-9,-9.0,true,unknown\n", options);
  EXPECT_THAT(data.table.row(0), ElementsAre(IsNan(), IsNan(), 1, IsNan()));
}

TEST(CsvWriter, WhatIsWrittenIsReadBackTheSame) {
  const CreditData credit = credit_table(300, 11);
  const CsvTestFile file(to_csv(credit.table, &credit.outcome));
  const LabelledTable back = read_people_csv(file.path(), credit.table.schema(), credit.outcome, {});
  EXPECT_EQ(back.outcome.values, credit.outcome.values);
  for (std::size_t f = 0; f < credit.table.features(); ++f)
    for (std::size_t row = 0; row < credit.table.rows(); ++row)
      if (!(std::isnan(back.table.value(row, f)) && std::isnan(credit.table.value(row, f)))) {
        ASSERT_EQ(back.table.value(row, f), credit.table.value(row, f));
      }
}

TEST(CsvWriter, CellsAreQuotedWhereTheyMustBe) {
  const Table table({{"a,b", Kind::category, {"x\"y", " z", "two\nlines", "plain"}}, {"n", Kind::number, {}}},
                    {{0, 1, 2, 3}, {0.1, 200000, std::nan(""), -1}});
  EXPECT_EQ(to_csv(table), "\"a,b\",n\n\"x\"\"y\",0.1\n\" z\",200000\n\"two\nlines\",\nplain,-1\n");
}

TEST(CsvWriter, AMissingCellAloneInItsRowIsNoBlankLine) {
  const Table table({{"n", Kind::number, {}}}, {{1, std::nan("")}});
  EXPECT_EQ(to_csv(table), "n\n1\n\"\"\n");
}

TEST(CsvWriter, AnOutcomeOfAnotherLengthIsRefused) {
  const Outcome outcome{"y", {}, {1, 2}};
  EXPECT_THROW(static_cast<void>(to_csv(Table({{"n", Kind::number, {}}}, {{1}}), &outcome)), InputError);
}

}  // namespace
}  // namespace cfrules
