#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/json.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

Json read(std::string_view text) { return Json::parse(text, "settings.json"); }

std::string complaint(std::string_view text) {
  try {
    static_cast<void>(read(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Json, ADocumentKeepsItsKeysInOrderAndItsTypes) {
  const Json json =
      read("\xEF\xBB\xBF {\"b\": [1, -2.5e1, true, null], \"a\": {\"x\": \"y\"}, \"e\": [], \"o\": {}} \n");
  ASSERT_TRUE(json.object());
  EXPECT_EQ(json.object()->at(0).first, "b");
  EXPECT_EQ(json.object()->at(1).first, "a");
  const Json::Array& items = *json.find("b")->array();
  EXPECT_EQ(*items[0].number(), 1);
  EXPECT_EQ(*items[1].number(), -25);
  EXPECT_EQ(*items[2].boolean(), true);
  EXPECT_TRUE(items[3].is_null());
  EXPECT_EQ(*json.find("a")->find("x")->string(), "y");
  EXPECT_EQ(json.find("missing"), nullptr);
  EXPECT_EQ(json.find("b")->find("a"), nullptr);
  EXPECT_EQ(json.find("b")->type_name(), "an array");
  EXPECT_TRUE(json.find("e")->array()->empty());
  EXPECT_TRUE(json.find("o")->object()->empty());
}

TEST(Json, EscapesAndSurrogatePairsBecomeUtf8) {
  EXPECT_EQ(*read(R"("\"\\\/\b\f\n\r\t")").string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(*read(R"("\u0041\u00e9\u20AC\ud83d\ude00")").string(), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(*read(R"("\u0000")").string(), std::string(1, '\0'));
}

TEST(Json, LoneSurrogatesAreRefused) {
  for (const char* text : {R"("\ud83d")", R"("\ud83dx")", R"("\ude00")", R"("\ud83d\n")", R"("\ud83d\u0041")"})
    EXPECT_THAT(complaint(text), testing::HasSubstr("surrogate")) << text;
}

TEST(Json, TheErrorNamesSourceLineColumnAndWhatWasFound) {
  EXPECT_EQ(complaint("{\"a\": 1,\n \"\xC3\xA9\": 2 x}"),
            "settings.json: line 2, column 9: expected ',' or '}' but found 'x'");
  EXPECT_EQ(complaint("[1, 2"), "settings.json: line 1, column 6: expected ',' or ']' but the text ends");
  EXPECT_EQ(complaint(""), "settings.json: line 1, column 1: expected a JSON value but the text ends");
}

TEST(Json, WhatTheStandardDoesNotAllowIsRefused) {
  for (const char* text :
       {"01",       "-",          "+1",        ".5",     "1.",     "1e",           "1e+",
        "0x10",     "nan",        "inf",       "-inf",   "tru",    "True",         "[1,]",
        "{\"a\":}", "{,}",        "{a:1}",     "'a'",    "\"\n\"", "\"\\x\"",      "\"\\u12g4\"",
        "[1] 2",    "[1 2]",      "{\"a\" 1}", "\"open", "\xFF",   "\"\xC0\xAF\"", "\"\xED\xA0\x80\"",
        "// a\n1",  "{\"a\":1,}", "1e999",     "-1e400"})
    EXPECT_NE(complaint(text), "accepted") << text;
  EXPECT_NE(complaint(std::string_view("1\0", 2)), "accepted");
  EXPECT_NE(complaint(std::string_view("\0", 1)), "accepted");
}

TEST(Json, ANumberTooNearZeroIsZero) { EXPECT_EQ(*read("1e-999").number(), 0); }

TEST(Json, ADuplicateKeyIsRefusedAtItsPlace) {
  EXPECT_EQ(complaint(R"({"a": 1, "\u0061": 2})"), "settings.json: line 1, column 10: the key 'a' is there twice");
}

TEST(Json, SixtyFourLevelsAreReadAndMoreAreRefused) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_NO_THROW(static_cast<void>(read(nested(64))));
  EXPECT_THAT(complaint(nested(65)), testing::HasSubstr("deeper than 64"));
  EXPECT_THAT(complaint(std::string(1000000, '[')), testing::HasSubstr("deeper than 64"));
}

TEST(JsonWriter, CommasAndIndentationAreItsBusiness) {
  const auto write = [](bool pretty) {
    JsonWriter writer(pretty);
    writer.begin_object().key("a").begin_array().value(1).value(2.5).end_array();
    writer.key("b").begin_object().end_object().key("c").null().key("d").value(true).key("e").raw("[1]").end_object();
    return writer.take();
  };
  EXPECT_EQ(write(false), R"({"a":[1,2.5],"b":{},"c":null,"d":true,"e":[1]})");
  EXPECT_EQ(write(true),
            "{\n  \"a\": [\n    1,\n    2.5\n  ],\n  \"b\": {},\n  \"c\": null,\n  \"d\": true,\n  \"e\": [1]\n}");
}

TEST(JsonWriter, NumbersThatJsonCannotHoldBecomeNull) {
  JsonWriter writer;
  writer.begin_array();
  writer.value(std::nan("")).value(std::numeric_limits<double>::infinity()).value(200000.0).value(-0.0);
  writer.value(std::size_t{18446744073709551615u}).end_array();
  EXPECT_EQ(writer.text(), "[null,null,200000,0,18446744073709551615]");
}

TEST(JsonWriter, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  JsonWriter writer;
  writer.value(std::string_view("a\xFF\"\n\x01"));
  EXPECT_EQ(writer.text(), "\"a\xEF\xBF\xBD\\\"\\n\\u0001\"");
}

RC_GTEST_PROP(JsonWriter, WhatItWritesIsReadBackTheSame, (const std::string& raw, double number)) {
  RC_PRE(std::isfinite(number));
  JsonWriter writer(*rc::gen::arbitrary<bool>());
  writer.begin_object().key(raw).value(number).end_object();
  const Json back = read(writer.text());
  RC_ASSERT(*back.object()->front().second.number() == number);
  if (find_invalid_utf8(raw) == std::string_view::npos) RC_ASSERT(back.object()->front().first == raw);
}

}  // namespace
}  // namespace cfrules
