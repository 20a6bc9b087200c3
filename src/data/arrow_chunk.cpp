#include "data/arrow_chunk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/decimal.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

template <class Number, class Convert>
void append_as(const ArrowChunk& chunk, std::vector<double>& values, Convert convert) {
  const Number* const numbers = chunk.values<Number>();
  for (std::int64_t i = 0; i < chunk.length; ++i) values.push_back(chunk.missing(i) ? kNaN : convert(numbers[i]));
}

template <class Number>
void append_plain(const ArrowChunk& chunk, std::vector<double>& values) {
  append_as<Number>(chunk, values, [](Number number) { return static_cast<double>(number); });
}

double of_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? kNaN : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

// "d:precision,scale" or "d:precision,scale,bits".
struct DecimalFormat {
  int scale = 0;
  int words = 4;  // of 32 bits
};

DecimalFormat decimal_format(std::string_view format) {
  DecimalFormat read;
  const std::size_t comma = format.find(',');
  const std::size_t second = format.find(',', comma + 1);
  double number = 0;
  if (parse_decimal(format.substr(comma + 1, second - comma - 1), number)) read.scale = static_cast<int>(number);
  if (second != std::string_view::npos && parse_decimal(format.substr(second + 1), number))
    read.words = static_cast<int>(number) / 32;
  return read;
}

// A number in two's complement, lowest word first. Digits go through text, so that 0.1 is the double 0.1.
double of_decimal(const std::uint32_t* words, const DecimalFormat& format) {
  std::array<std::uint32_t, 8> digits{};
  const auto count = static_cast<std::size_t>(format.words);
  std::copy_n(words, count, digits.begin());
  const bool negative = (digits[count - 1] >> 31) != 0;
  std::uint64_t carry = 1;
  for (std::size_t i = 0; negative && i < count; ++i) {
    carry += static_cast<std::uint32_t>(~digits[i]);
    digits[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  std::string text;
  while (std::any_of(digits.begin(), digits.end(), [](std::uint32_t word) { return word != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t i = count; i-- > 0;) {
      rest = (rest << 32) | digits[i];
      digits[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    text.push_back(static_cast<char>('0' + rest));
  }
  if (text.empty()) return 0;
  std::reverse(text.begin(), text.end());
  double value = kNaN;
  (void)parse_decimal((negative ? "-" : "") + text + "e" + std::to_string(-format.scale), value);
  return value;
}

void append_decimals(const ArrowChunk& chunk, std::string_view format, std::vector<double>& values) {
  const DecimalFormat decimal = decimal_format(format);
  const auto* const first = static_cast<const std::uint32_t*>(chunk.array->buffers[1]) + chunk.first * decimal.words;
  for (std::int64_t i = 0; i < chunk.length; ++i)
    values.push_back(chunk.missing(i) ? kNaN : of_decimal(first + i * decimal.words, decimal));
}

std::string_view text_in_view(const ArrowChunk& chunk, std::int64_t i) {
  constexpr std::int32_t kLongestInside = 12;
  const char* const view = static_cast<const char*>(chunk.array->buffers[1]) + 16 * (chunk.first + i);
  std::array<std::int32_t, 4> parts{};  // length, first letters, buffer, offset
  std::memcpy(parts.data(), view, 16);
  const auto length = static_cast<std::size_t>(parts[0]);
  if (parts[0] <= kLongestInside) return {view + 4, length};
  return {static_cast<const char*>(chunk.array->buffers[2 + parts[2]]) + parts[3], length};
}

template <class Offset>
std::string_view text_between(const ArrowChunk& chunk, std::int64_t i) {
  const Offset* const offsets = chunk.values<Offset>();
  if (offsets[i] == offsets[i + 1]) return {};
  return {static_cast<const char*>(chunk.array->buffers[2]) + offsets[i],
          static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
}

}  // namespace

bool is_text_format(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

std::string_view text_at(const ArrowChunk& chunk, std::string_view format, std::int64_t i) {
  if (format == "vu") return text_in_view(chunk, i);
  return format == "u" ? text_between<std::int32_t>(chunk, i) : text_between<std::int64_t>(chunk, i);
}

bool is_integer_format(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != std::string_view::npos;
}

bool is_number_format(std::string_view format) {
  if (is_integer_format(format) || format.starts_with("d:")) return true;
  return format == "e" || format == "f" || format == "g";
}

void append_numbers(const ArrowChunk& chunk, std::string_view format, std::vector<double>& values) {
  switch (format[0]) {
    case 'c':
      return append_plain<std::int8_t>(chunk, values);
    case 'C':
      return append_plain<std::uint8_t>(chunk, values);
    case 's':
      return append_plain<std::int16_t>(chunk, values);
    case 'S':
      return append_plain<std::uint16_t>(chunk, values);
    case 'i':
      return append_plain<std::int32_t>(chunk, values);
    case 'I':
      return append_plain<std::uint32_t>(chunk, values);
    case 'l':
      return append_plain<std::int64_t>(chunk, values);
    case 'L':
      return append_plain<std::uint64_t>(chunk, values);
    case 'e':
      return append_as<std::uint16_t>(chunk, values, of_half);
    case 'f':
      return append_plain<float>(chunk, values);
    case 'g':
      return append_plain<double>(chunk, values);
    default:
      return append_decimals(chunk, format, values);
  }
}

void append_booleans(const ArrowChunk& chunk, std::vector<double>& values) {
  const auto* const bits = static_cast<const std::uint8_t*>(chunk.array->buffers[1]);
  for (std::int64_t i = 0; i < chunk.length; ++i) {
    const std::int64_t at = chunk.first + i;
    values.push_back(chunk.missing(i) ? kNaN : (bits[at / 8] >> (at % 8)) & 1);
  }
}

std::string words_for(std::string_view format) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kWords = {{{"td", "dates"},
                                                                                            {"tt", "times"},
                                                                                            {"ts", "timestamps"},
                                                                                            {"tD", "durations"},
                                                                                            {"ti", "intervals of time"},
                                                                                            {"z", "bytes"},
                                                                                            {"Z", "bytes"},
                                                                                            {"vz", "bytes"},
                                                                                            {"w:", "bytes"},
                                                                                            {"+s", "records"},
                                                                                            {"+m", "maps"},
                                                                                            {"+u", "unions"},
                                                                                            {"+r", "runs"}}};
  for (const auto& [start, words] : kWords)
    if (format.starts_with(start)) return std::string(words);
  return format.starts_with('+') ? "lists" : "the Arrow type \"" + std::string(format) + "\"";
}

}  // namespace cfrules
