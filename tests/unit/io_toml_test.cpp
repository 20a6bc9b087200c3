#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cfrules/error.h"
#include "io/json_text.h"
#include "io/toml.h"

namespace cfrules {
namespace {

using testing::HasSubstr;

std::string read(std::string_view text) { return json_text(parse_toml(text, "c.toml")); }

std::string refusal(std::string_view text) {
  try {
    (void)parse_toml(text, "c.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Toml, ConstraintsReadAsTheSameJson) {
  EXPECT_EQ(
      read("max_changes = 3  # at most\n"
           "linked = [[\"city\", 'state']]\n"
           "[features]\n"
           "age = \"immutable\"\n"
           "[features.duration]\n"
           "range = [6, 48]\n"
           "step = 6\n"
           "[features.\"net income\"]\n"
           "cost = 2.5\n"
           "[[implies]]\n"
           "if.job = [\"student\"]\n"
           "then = {income = [-inf, 20_000]}\n"
           "[[implies]]\n"
           "if = {a = [\"b\"]}\n"
           "then = {c = [1, inf]}\n"),
      R"({"max_changes":3,"linked":[["city","state"]],"features":{"age":"immutable","duration":{"range":[6,48],)"
      R"("step":6},"net income":{"cost":2.5}},"implies":[{"if":{"job":["student"]},"then":{"income":[null,20000]}},)"
      R"({"if":{"a":["b"]},"then":{"c":[1,null]}}]})");
}

TEST(Toml, DottedAndQuotedKeysMakeTables) {
  EXPECT_EQ(read("a.b.\"c d\" = true\na.e = false\n"), R"({"a":{"b":{"c d":true},"e":false}})");
}

TEST(Toml, StringsKnowTheirEscapes) {
  EXPECT_EQ(read(R"(a = "x\t\"\\\u00e9")"), "{\"a\":\"x\\t\\\"\\\\\xc3\xa9\"}");
  EXPECT_EQ(read(R"(a = 'C:\new')"), R"({"a":"C:\\new"})");
}

TEST(Toml, ArraysMaySpanLinesAndEndWithAComma) {
  EXPECT_EQ(read("a = [ # one\n  1,\n  2, # two\n]\r\n"), R"({"a":[1,2]})");
}

TEST(Toml, EmptyTextIsAnEmptyObject) { EXPECT_EQ(read(" \n# nothing\n"), "{}"); }

TEST(Toml, MistakesNameLineAndColumn) {
  EXPECT_EQ(refusal("a = 1\nb 2\n"), "c.toml: line 2, column 3: expected '=' but found '2'");
  EXPECT_THAT(refusal("a = 1\na = 2"), HasSubstr("\"a\" is given twice"));
  EXPECT_THAT(refusal("[a]\n[a]\n"), HasSubstr("\"a\" is given twice"));
  EXPECT_THAT(refusal("a = 1\n[a.b]\n"), HasSubstr("\"a\" is given twice"));
  EXPECT_THAT(refusal("a = {b = 1}\na.c = 2"), HasSubstr("\"a\" is given twice"));
  EXPECT_THAT(refusal("a = [1"), HasSubstr("the end of the text"));
  EXPECT_THAT(refusal("a = \"x"), HasSubstr("the end of the string"));
  EXPECT_THAT(refusal("a = \"\\q\""), HasSubstr("escapes"));
  EXPECT_THAT(refusal("a = \"\"\"x\"\"\""), HasSubstr("several lines"));
  EXPECT_THAT(refusal("a = 1979-05-27"), HasSubstr("\"1979-05-27\" is not a value"));
  EXPECT_THAT(refusal("a = 0x1F"), HasSubstr("is not a value"));
  EXPECT_THAT(refusal("a = 012"), HasSubstr("is not a value"));
  EXPECT_THAT(refusal("a = 1__2"), HasSubstr("is not a value"));
  EXPECT_THAT(refusal("a = yes"), HasSubstr("\"yes\" is not a value"));
  EXPECT_THAT(refusal("a = "), HasSubstr("expected a value"));
  EXPECT_THAT(refusal("a = 1 b = 2"), HasSubstr("the end of the line"));
  EXPECT_THAT(refusal("a = [inf, 3]"), HasSubstr("inf its end"));
  EXPECT_THAT(refusal("= 3"), HasSubstr("expected a key"));
  EXPECT_THAT(refusal("a = " + std::string(1000, '[')), HasSubstr("too deeply"));
}

// Keys of a million parts exhausted the stack.
TEST(Toml, KeysOfTooManyPartsAreRefused) {
  std::string key = "a";
  for (int part = 0; part < 100'000; ++part) key += ".a";
  EXPECT_EQ(refusal(key + " = 1"), "c.toml: line 1, column 200003: the key has 100001 parts; at most 64 are possible");
  EXPECT_THAT(refusal("[" + key + "]"), HasSubstr("the key has 100001 parts"));
}

TEST(Toml, TextThatIsNotUtf8IsRefused) {
  EXPECT_EQ(refusal("a = 1\nb = \"\xFF\""), "c.toml: line 2, column 6: the text is not valid UTF-8");
}

TEST(Toml, ALetterThatIsNotExpectedIsShownWhole) { EXPECT_THAT(refusal("a = 1 é"), HasSubstr("but found 'é'")); }

}  // namespace
}  // namespace cfrules
