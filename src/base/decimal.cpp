#include "base/decimal.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace cfrules {
namespace {

// Within these, digits are easier to read than an exponent, and no double has digits it cannot back.
constexpr double kSmallestPlain = 1e-5;
constexpr double kLargestPlain = 1e16;

// Both are doubles without rounding, so one multiplication or division rounds once: correctly.
constexpr std::uint64_t kLargestExact = std::uint64_t{1} << 53;
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::ptrdiff_t kMostDigits = 19;  // cannot overflow 64 bits

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

const char* read_digits(const char* at, const char* end, std::uint64_t& number) {
  for (; at != end && is_digit(*at); ++at) number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

// digits / 10^decimals as the nearest double, where numbers with 64 bits tell which that is. Both are such numbers without
// rounding, so the quotient is rounded once; rounded again it is the nearest double, unless it lies just halfway between
// two: then it may have been rounded onto the middle.
bool divide_rounded(std::uint64_t digits, std::ptrdiff_t decimals, double& quotient) {
  if constexpr (std::numeric_limits<long double>::digits != 64 || std::endian::native != std::endian::little) {
    return false;
  } else {
    constexpr std::uint64_t kBelowDouble = (std::uint64_t{1} << 11) - 1;  // bits that a double has no room for
    constexpr std::uint64_t kHalfway = std::uint64_t{1} << 10;
    const long double exact = static_cast<long double>(digits) / static_cast<long double>(kPowersOfTen[decimals]);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &exact, sizeof bits);
    quotient = static_cast<double>(exact);
    return (bits & kBelowDouble) != kHalfway;
  }
}

// Plain short decimals, the bulk of any data file. False: not one of those, which says nothing about validity.
bool parse_short(const char* at, const char* end, double& value, bool& whole) {
  if (end - at > kMostDigits + 2) return false;
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  const char* point = read_digits(at, end, digits);
  if (point == at) return false;
  whole = point == end;
  std::ptrdiff_t decimals = 0;
  if (!whole) {
    if (*point != '.') return false;
    const char* last = read_digits(point + 1, end, digits);
    if (last != end) return false;
    decimals = last - (point + 1);
  }
  if ((point - at) + decimals > kMostDigits) return false;
  double size = 0;
  if (digits <= kLargestExact)
    size = static_cast<double>(digits) / kPowersOfTen[decimals];
  else if (!divide_rounded(digits, decimals, size))
    return false;
  value = negative && digits != 0 ? -size : size;
  return true;
}

// For a well-formed decimal out of a double's range: is it too near zero, rather than too large?
bool underflows(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  if (mark != std::string_view::npos && text[mark + 1] == '-') return true;
  return mark == std::string_view::npos && first > point;
}

}  // namespace

std::string shortest_decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const bool plain = std::abs(value) >= kSmallestPlain && std::abs(value) < kLargestPlain;
  char buffer[64];
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr};
}

namespace {

double rounded_to(double value, int digits) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, digits - 1).ptr;
  double rounded = value;
  std::from_chars(buffer, end, rounded);
  return rounded;
}

}  // namespace

double shortest_between(double low, double high) {
  const double middle = low / 2 + high / 2;
  for (int digits = 1; digits <= 17; ++digits) {
    const double rounded = rounded_to(middle, digits);
    if (low <= rounded && rounded < high) return rounded;
    // A tie may have been rounded up onto the open side while the closed side is as short.
    if (rounded_to(low, digits) == low) return low;
  }
  return low;
}

std::optional<double> short_number_up(double from, double to, bool open) {
  constexpr int kCoarsest = 15, kFinest = -15;
  for (int power = kCoarsest; power >= kFinest; --power) {
    const double unit = kPowersOfTen[std::abs(power)];
    const double first = std::ceil(power >= 0 ? from / unit : from * unit);
    if (std::abs(first) >= static_cast<double>(kLargestExact)) return std::nullopt;
    for (const double units : {first, first + 1}) {
      const double value = power >= 0 ? units * unit : units / unit;
      if ((open ? from < value : from <= value) && value <= to) return value == 0 ? 0 : value;
    }
  }
  return std::nullopt;
}

std::size_t digits_of(double value) {
  const std::string decimal = shortest_decimal(value);
  const auto end = decimal.begin() + static_cast<std::ptrdiff_t>(std::min(decimal.find('e'), decimal.size()));
  return static_cast<std::size_t>(std::count_if(decimal.begin(), end, is_digit));
}

// Large numbers are halfway too, when they are whole or end in a half; they have few digits.
bool halfway_between_singles(double value) {
  constexpr std::uint64_t kBelowSingle = (std::uint64_t{1} << 29) - 1;  // bits that single precision has no room for
  constexpr std::uint64_t kHalfway = std::uint64_t{1} << 28;
  constexpr std::size_t kFewDigits = 12;
  using Single = std::numeric_limits<float>;
  const std::uint64_t last = std::bit_cast<std::uint64_t>(value) & kBelowSingle;
  if (last < kHalfway - 1 || last > kHalfway + 1) return false;
  if (!(std::abs(value) < Single::max() && std::abs(value) > Single::min())) return false;
  return digits_of(value) > kFewDigits;
}

bool parse_decimal(std::string_view text, double& value, bool& whole) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return false;
  }
  const char* const end = text.data() + text.size();
  if (parse_short(text.data(), end, value, whole)) return true;
  if (text.empty() || !(is_digit(text.front()) || text.front() == '-' || text.front() == '.')) return false;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end) return false;
  const auto marks = [](char letter) { return letter == '.' || letter == 'e' || letter == 'E'; };
  whole = std::none_of(text.begin(), text.end(), marks);
  if (error == std::errc::result_out_of_range && underflows(text))
    value = 0;
  else if (error != std::errc{})
    return false;
  if (value == 0) value = 0;  // no negative zero
  return std::isfinite(value);
}

bool parse_decimal(std::string_view text, double& value) {
  bool whole = false;
  return parse_decimal(text, value, whole);
}

}  // namespace cfrules
