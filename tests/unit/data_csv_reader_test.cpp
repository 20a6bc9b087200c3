#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cfrules/error.h"
#include "data/csv_reader.h"

namespace cfrules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

Rows records(std::string_view text, char delimiter = 0) {
  CsvReader reader(text, "x.csv", delimiter);
  Rows rows = {reader.header()};
  while (reader.next()) {
    rows.emplace_back();
    for (const Field& field : reader.fields()) rows.back().emplace_back(field.text);
  }
  return rows;
}

std::string complaint(std::string_view text, char delimiter = 0) {
  try {
    static_cast<void>(records(text, delimiter));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CsvReader, AllLineEndsEndARecordEvenMixed) {
  const Rows expected = {{"a", "b"}, {"1", "2"}, {"3", "4"}, {"5", "6"}};
  EXPECT_EQ(records("a,b\n1,2\n3,4\n5,6\n"), expected);
  EXPECT_EQ(records("a,b\r\n1,2\r\n3,4\r\n5,6\r\n"), expected);
  EXPECT_EQ(records("a,b\r1,2\r3,4\r5,6\r"), expected);
  EXPECT_EQ(records("a,b\r\n1,2\r3,4\n5,6"), expected);
}

TEST(CsvReader, QuotesHoldDelimitersNewlinesAndDoubledQuotes) {
  EXPECT_EQ(records("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\r\nlines\",\"\"\n"),
            (Rows{{"a", "b"}, {"x,y", "say \"hi\""}, {"two\r\nlines", ""}}));
  EXPECT_EQ(records("a,b\n \"x\" , \"y\"\n"), (Rows{{"a", "b"}, {"x", "y"}}));
  EXPECT_EQ(records("a,b\n5\" pipe,y\"\n"), (Rows{{"a", "b"}, {"5\" pipe", "y\""}}));
}

TEST(CsvReader, LinesAreCountedAsAnEditorShowsThem) {
  CsvReader reader("a,b\n\n\"1\n\r\n\r2\",x\r\n   \n3,4\n", "x.csv", 0);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 3u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 8u);
  EXPECT_EQ(reader.place(1), "x.csv, line 8, column 'b'");
  EXPECT_FALSE(reader.next());
  reader.rewind();
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 3u);
}

TEST(CsvReader, AByteOrderMarkIsNoPartOfTheHeader) {
  EXPECT_EQ(records("\xEF\xBB\xBF"
                    "a\n1\n")
                .front()
                .front(),
            "a");
}

TEST(CsvReader, TheMostPlausibleDelimiterIsTaken) {
  EXPECT_EQ(records("a;b;c\n1,5;2;3\n").front().size(), 3u);
  EXPECT_EQ(records("a\tb\n1\t2\n").front().size(), 2u);
  EXPECT_EQ(records("a|b|c\n1|2|3\n").front().size(), 3u);
  EXPECT_EQ(records("one\n1\n2\n").front().size(), 1u);
  EXPECT_EQ(records("\"a;b;c\",d\n1,2\n").front().size(), 2u);
  EXPECT_EQ(records("name, first, last|age\nx|3\n").front().size(), 2u);
  EXPECT_EQ(records("a:b\n1:2\n", ':').front().size(), 2u);
  EXPECT_EQ(records("a b\n1 2\n", ' ').front().size(), 2u);
  EXPECT_THAT(complaint("a\n1\n", '"'), HasSubstr("delimiter"));
}

TEST(CsvReader, ARaggedRowSaysWhatWasExpectedAndSeen) {
  EXPECT_EQ(complaint("a,b,c\n1,2,3\n1,2\n"), "x.csv, line 3: 2 fields where the header has 3");
  EXPECT_EQ(complaint("a,b\n1,2,3\n", ','), "x.csv, line 2: 3 fields where the header has 2");
}

TEST(CsvReader, BadQuotesAreNamed) {
  EXPECT_THAT(complaint("a,b\n1,\"x\"y\n", ','),
              HasSubstr("x.csv, line 2, column 'b': after the closing quote stands 'y'"));
  EXPECT_THAT(complaint("a,b\n1,2\n3,\"x\n4,5\n", ','),
              HasSubstr("x.csv, line 3, column 'b': the quote that opens there is never"));
  EXPECT_THAT(complaint("\"a\n"), HasSubstr("line 1, field 1"));
}

TEST(CsvReader, BytesThatAreNoTextAreNamedWithTheirPlace) {
  using namespace std::string_view_literals;
  EXPECT_EQ(complaint("a,b\n\n1,2\n3,4\0\n"sv), "x.csv, line 4, column 'b': the text holds a NUL byte");
  EXPECT_THAT(complaint("a,b\n\"x\"\"\",\"caf\xE9\"\n"),
              HasSubstr("x.csv, line 2, column 'b': the text is not valid UTF-8"));
  EXPECT_THAT(complaint("a,\xE9\n1,2\n"), HasSubstr("x.csv, line 1, field 2: the text is not valid UTF-8"));
  EXPECT_THAT(complaint("\xFF\xFE"
                        "a\0\n\0"sv),
              HasSubstr("UTF-16"));
}

TEST(CsvReader, TheHeaderNeedsNamesThatDiffer) {
  EXPECT_EQ(complaint("a,b,a\n1,2,3\n"), "x.csv, line 1: two columns are called 'a'; names must be unique");
  EXPECT_EQ(complaint(",b\n1,2\n"), "x.csv, line 1: column 1 of the header has no name");
  EXPECT_THAT(complaint(""), HasSubstr("is empty"));
  EXPECT_THAT(complaint("\n  \n\r\n"), HasSubstr("is empty"));
  EXPECT_THAT(complaint("\xEF\xBB\xBF"), HasSubstr("is empty"));
}

// Twin: write cells the long way, read them back.
RC_GTEST_PROP(CsvReader, WhatIsQuotedIsReadBack, ()) {
  const auto cell = rc::gen::container<std::string>(rc::gen::element('a', 'b', ' ', ',', '"', '\n', '\r', ';', '1'));
  const auto width = *rc::gen::inRange<std::size_t>(1, 5);
  const auto rows = *rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(width, cell));
  Rows expected(1);
  std::string text;
  const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n", "\r");
  for (std::size_t i = 0; i < width; ++i) {
    expected[0].emplace_back(1, static_cast<char>('a' + i));
    if (i > 0) text += ',';
    text += expected[0].back();
  }
  for (const auto& row : rows) {
    text += line_end;
    for (std::size_t i = 0; i < width; ++i) {
      text += i ? ",\"" : "\"";
      for (const char letter : row[i]) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
      text += '"';
    }
    expected.push_back(row);
  }
  RC_ASSERT(records(text, ',') == expected);
}

RC_GTEST_PROP(CsvReader, AnyBytesAreReadOrRefusedButNothingElse, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::element('a', ' ', ',', '"', '\n', '\r', ';', '\0', '\t', '|', '\xC3', '\xA9', '\xFF'));
  static_cast<void>(complaint(text));
}

}  // namespace
}  // namespace cfrules
