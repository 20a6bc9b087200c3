#include "io/number_array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace cfrules {
namespace {

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kNegativeZero = std::uint64_t{1} << 63;

template <class Whole>
constexpr Whole kMissingWhole = std::numeric_limits<Whole>::min();

template <class Whole>
bool fits_whole(double value) {
  if (std::isnan(value)) return true;
  constexpr double kLeast = static_cast<double>(kMissingWhole<Whole>) + 1;
  constexpr double kMost = static_cast<double>(std::numeric_limits<Whole>::max());
  return value >= kLeast && value <= kMost && value == std::trunc(value) &&
         std::bit_cast<std::uint64_t>(value) != kNegativeZero;
}

bool fits_float(double value) {
  if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) return !std::isfinite(value);
  return static_cast<double>(static_cast<float>(value)) == value;
}

template <class Whole>
bool all_fit_whole(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), fits_whole<Whole>);
}

template <class Whole>
void write_whole(ByteWriter& out, std::span<const double> values) {
  out.converted<Whole>(
      values, [](double value) { return std::isnan(value) ? kMissingWhole<Whole> : static_cast<Whole>(value); });
}

template <class Whole>
std::vector<double> read_whole(ByteReader& in, std::uint64_t count) {
  return in.converted<double, Whole>(count, [](Whole stored) {
    return stored == kMissingWhole<Whole> ? kMissingNumber : static_cast<double>(stored);
  });
}

template <class Stored>
std::vector<std::uint32_t> widen_indexes(ByteReader& in, std::uint64_t count) {
  return in.converted<std::uint32_t, Stored>(count, [](Stored stored) { return std::uint32_t{stored}; });
}

}  // namespace

NumberEncoding narrowest_encoding(std::span<const double> values) {
  if (all_fit_whole<std::int8_t>(values)) return NumberEncoding::int8;
  if (all_fit_whole<std::int16_t>(values)) return NumberEncoding::int16;
  if (all_fit_whole<std::int32_t>(values)) return NumberEncoding::int32;
  return std::all_of(values.begin(), values.end(), fits_float) ? NumberEncoding::float32 : NumberEncoding::float64;
}

void write_numbers(ByteWriter& out, std::span<const double> values) {
  const NumberEncoding encoding = narrowest_encoding(values);
  const auto one_nan = [](double value) { return std::isnan(value) ? kMissingNumber : value; };
  out.number(static_cast<std::uint64_t>(encoding));
  switch (encoding) {
    case NumberEncoding::int8:
      return write_whole<std::int8_t>(out, values);
    case NumberEncoding::int16:
      return write_whole<std::int16_t>(out, values);
    case NumberEncoding::int32:
      return write_whole<std::int32_t>(out, values);
    case NumberEncoding::float32:
      return out.converted<float>(values, one_nan);
    case NumberEncoding::float64:
      return out.converted<double>(values, one_nan);
  }
}

std::vector<double> read_numbers(ByteReader& in, std::uint64_t count) {
  const auto encoding = in.number<std::uint64_t>();
  switch (static_cast<NumberEncoding>(encoding)) {
    case NumberEncoding::int8:
      return read_whole<std::int8_t>(in, count);
    case NumberEncoding::int16:
      return read_whole<std::int16_t>(in, count);
    case NumberEncoding::int32:
      return read_whole<std::int32_t>(in, count);
    case NumberEncoding::float32:
      return in.converted<double, float>(count, [](float stored) { return static_cast<double>(stored); });
    case NumberEncoding::float64:
      return in.array<double>(count);
  }
  in.fail("holds numbers in encoding " + std::to_string(encoding) + "; encodings go from 1 to 5");
}

void write_indexes(ByteWriter& out, std::span<const std::uint32_t> values, std::uint64_t limit) {
  const auto same = [](std::uint32_t value) { return value; };
  if (limit <= 1u << 8) return out.converted<std::uint8_t>(values, same);
  if (limit <= 1u << 16) return out.converted<std::uint16_t>(values, same);
  out.array(values);
}

std::vector<std::uint32_t> read_indexes(ByteReader& in, std::uint64_t count, std::uint64_t limit) {
  if (limit <= 1u << 8) return widen_indexes<std::uint8_t>(in, count);
  if (limit <= 1u << 16) return widen_indexes<std::uint16_t>(in, count);
  return in.array<std::uint32_t>(count);
}

}  // namespace cfrules
