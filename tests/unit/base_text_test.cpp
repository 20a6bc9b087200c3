#include <gtest/gtest.h>

#include <vector>

#include "base/text.h"

namespace cfrules {
namespace {

TEST(Text, WellFormedUtf8HasNoInvalidByte) {
  EXPECT_EQ(find_invalid_utf8(""), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("plain ascii, longer than a word"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("0123456\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xEF\xBF\xBF \xF4\x8F\xBF\xBF"),
            std::string_view::npos);
}

TEST(Text, TheFirstInvalidByteIsFoundWhereverItStands) {
  for (std::size_t before = 0; before < 20; ++before) {
    const std::string start(before, 'a');
    for (const char* bad :
         {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
          "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3z"})
      EXPECT_EQ(find_invalid_utf8(start + bad), before);
  }
}

TEST(Text, AQuoteForAMessageIsShortAndPrintable) {
  EXPECT_EQ(quote("a\nb\xFF"), "'a?b?'");
  const std::string shown = quote(std::string(59, 'x') + "\xE2\x82\xAC\xE2\x82\xAC");
  EXPECT_EQ(shown, "'" + std::string(59, 'x') + "...'");
  EXPECT_LE(quote(std::string(1000, 'x')).size(), 70u);
}

TEST(Text, AListForAMessageStopsAtTwenty) {
  std::vector<std::string> names(3, "a");
  EXPECT_EQ(quote_list(names), "'a', 'a', 'a'");
  names.resize(25, "b");
  EXPECT_TRUE(quote_list(names).ends_with("'b' and 5 more"));
}

TEST(Text, CaseIsIgnoredForAsciiOnly) {
  EXPECT_TRUE(equal_ignoring_case("NaN", "nAn"));
  EXPECT_FALSE(equal_ignoring_case("NaN", "na"));
  EXPECT_FALSE(equal_ignoring_case("@", "`"));
}

}  // namespace
}  // namespace cfrules
