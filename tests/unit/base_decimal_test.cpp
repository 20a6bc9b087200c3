#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/decimal.h"
#include "base/random.h"

namespace cfrules {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double parsed(std::string_view text) {
  double value = 0;
  return parse_decimal(text, value) ? value : std::nan("");
}

TEST(Decimal, OrdinaryNumbersAreWrittenPlainly) {
  EXPECT_EQ(shortest_decimal(200000), "200000");
  EXPECT_EQ(shortest_decimal(-1e15), "-1000000000000000");
  EXPECT_EQ(shortest_decimal(9007199254740992), "9007199254740992");
  EXPECT_EQ(shortest_decimal(0.1), "0.1");
  EXPECT_EQ(shortest_decimal(0.00001), "0.00001");
  EXPECT_EQ(shortest_decimal(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(shortest_decimal(1e300), "1e+300");
  EXPECT_EQ(shortest_decimal(5e-324), "5e-324");
  EXPECT_EQ(shortest_decimal(-0.0), "0");
  EXPECT_EQ(shortest_decimal(kInfinity), "inf");
  EXPECT_EQ(shortest_decimal(-kInfinity), "-inf");
  EXPECT_EQ(shortest_decimal(std::nan("")), "nan");
}

RC_GTEST_PROP(Decimal, EveryFiniteDoubleReadsBackTheSame, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  RC_ASSERT(parsed(shortest_decimal(value)) == value);
}

RC_GTEST_PROP(Decimal, ShortDecimalsReadExactlyAsTheStandardLibraryReadsThem, ()) {
  const auto digits = [](int most) {
    return *rc::gen::mapcat(rc::gen::inRange(0, most), [](int count) {
      return rc::gen::container<std::string>(static_cast<std::size_t>(count),
                                             rc::gen::inRange('0', static_cast<char>('9' + 1)));
    });
  };
  std::string text =
      *rc::gen::element<std::string>("", "-", "+") + digits(22) + *rc::gen::element<std::string>("", ".");
  text += digits(22) + *rc::gen::element<std::string>("", "", "", "e5", "E-7", "e+300", "e-320");
  const char* const start = text.c_str() + (text.starts_with('+') ? 1 : 0);
  char* stop = nullptr;
  const double expected = std::strtod(start, &stop);
  const bool number = *start != '\0' && *stop == '\0' && std::isfinite(expected);
  double value = 0;
  RC_ASSERT(parse_decimal(text, value) == number);
  if (number) RC_ASSERT(value == expected);
}

// Nineteen digits are as many as are read at once; halfway between two doubles is where rounding twice would show.
TEST(Decimal, DecimalsNearTheMiddleOfTwoDoublesGoToTheNearest) {
  for (std::uint64_t id = 0; id < 20'000; ++id) {
    RandomStream random(1, Purpose::test, id);
    const int power = static_cast<int>(random.below(50)) + 3;
    const double low = std::ldexp(1 + random.uniform(), power);
    const long double middle = (static_cast<long double>(low) + std::nextafter(low, 1e300)) / 2;
    char buffer[64];
    const int whole = static_cast<int>(std::to_string(static_cast<std::uint64_t>(low)).size());
    const int digits = 16 + static_cast<int>(random.below(4));
    std::snprintf(buffer, sizeof buffer, "%.*Lf", std::max(0, digits - whole), middle);
    std::string text = buffer;
    if (random.below(2) == 0) text.back() = static_cast<char>('0' + random.below(10));
    EXPECT_EQ(parsed(text), std::strtod(text.c_str(), nullptr)) << text;
  }
  EXPECT_EQ(parsed("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(parsed("9007199254740995"), 9007199254740996.0);
  EXPECT_EQ(parsed("-9007199254740993.0"), -9007199254740992.0);
  EXPECT_EQ(parsed("9999999999999999999"), 1e19);
}

TEST(Decimal, OnlyAWholeFiniteDecimalIsANumber) {
  for (const char* text :
       {"",    " 1",   "1 ",  "+",    "-",   "+-5",  "--5",      "++5",   "-+5",    ".",   "-.",    "e5", "1e",
        "1e+", "0x10", "inf", "-inf", "nan", "-nan", "infinity", "1e999", "-1e999", "1,5", "1.2.3", "5a", "1_000"})
    EXPECT_TRUE(std::isnan(parsed(text))) << text;
  EXPECT_TRUE(std::isnan(parsed(std::string(400, '9'))));
  EXPECT_EQ(parsed("+5"), 5);
  EXPECT_EQ(parsed("5."), 5);
  EXPECT_EQ(parsed(".5"), 0.5);
  EXPECT_EQ(parsed("-.5e1"), -5);
  EXPECT_EQ(parsed("007"), 7);
}

TEST(Decimal, TooNearZeroIsZeroAndZeroHasNoSign) {
  for (const std::string& text : {std::string("1e-999"), std::string("-1e-999"), "0." + std::string(400, '0') + "1",
                                  std::string("-0"), std::string("-0.000"), std::string("-0e5")}) {
    EXPECT_EQ(parsed(text), 0) << text;
    EXPECT_FALSE(std::signbit(parsed(text))) << text;
  }
}

TEST(Decimal, WholeMeansWrittenWithoutPointAndExponent) {
  double value = 0;
  for (const auto& [text, expected] : {std::pair("12", true),
                                       {"-12", true},
                                       {"12345678901234567890123", true},
                                       {"12.0", false},
                                       {"1e3", false},
                                       {"12.", false}}) {
    bool whole = !expected;
    ASSERT_TRUE(parse_decimal(text, value, whole));
    EXPECT_EQ(whole, expected) << text;
  }
}

int digits_of(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t mantissa = text.find('e');
  return static_cast<int>(mantissa) - (text.find('.') < mantissa ? 1 : 0);
}

TEST(Decimal, TheShortestNumberBetweenTwoIsFound) {
  EXPECT_EQ(shortest_between(2.71828, 3.14159), 3);
  EXPECT_EQ(shortest_between(1, 2), 1);
  EXPECT_EQ(shortest_between(9, 10), 9);
  EXPECT_EQ(shortest_between(-3, -2), -3);
  EXPECT_EQ(shortest_between(1, 4), 2);
  EXPECT_EQ(shortest_between(310.5, 1999.9), 1000);
  EXPECT_EQ(shortest_between(-0.5, 0.5), 0);
  EXPECT_EQ(shortest_between(1, std::nextafter(1, 2)), 1);
}

// Slow twin: all numbers of few digits.
RC_GTEST_PROP(Decimal, NoNumberWithFewerDigitsLiesBetween, ()) {
  const double low = *rc::gen::inRange(-99999, 99999) / 1000.0;
  const double high = low + *rc::gen::inRange(1, 20000) / 1000.0;
  const double found = shortest_between(low, high);
  RC_ASSERT(low <= found && found < high);
  int fewest = 17;
  for (int power = -4; power <= 3; ++power) {
    for (int mantissa = -9999; mantissa <= 9999; ++mantissa) {
      const double value = power < 0 ? mantissa / std::pow(10, -power) : mantissa * std::pow(10, power);
      if (low <= value && value < high && value != 0) fewest = std::min(fewest, digits_of(value));
    }
  }
  RC_ASSERT(digits_of(found) <= fewest);
}

TEST(ShortNumberUp, HasTheFewestPlacesAndIsNearTheStart) {
  EXPECT_EQ(short_number_up(35.500000000000007, 36, true), 36);
  EXPECT_EQ(short_number_up(35.500000000000007, 60, true), 40);
  EXPECT_EQ(short_number_up(0.12362250000000001, 0.123789, true), 0.1237);
  EXPECT_EQ(short_number_up(1.0000000180025095e-35, 0.5, true), 0.1);
  EXPECT_EQ(short_number_up(-35.500000000000007, -35.2, false), -35.5);
  EXPECT_EQ(short_number_up(-0.25, 3, true), 0);
  EXPECT_EQ(short_number_up(36, 36, false), 36);
  EXPECT_EQ(short_number_up(36, 36, true), std::nullopt);
}

RC_GTEST_PROP(ShortNumberUp, LiesWithin, (int start, std::uint16_t width, bool open)) {
  const double from = start / 7919.0, to = from + (width + 1) / 7.0e6;
  const auto found = short_number_up(from, to, open);
  RC_ASSERT(found.has_value());
  RC_ASSERT(*found <= to && (open ? from < *found : from <= *found));
}

}  // namespace
}  // namespace cfrules
