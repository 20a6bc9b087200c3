// Doubles in the fewest bytes that keep every one of them, bit for bit (any NaN becomes the one NaN: missing).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/byte_reader.h"
#include "io/byte_writer.h"

namespace cfrules {

// Integer encodings hold missing as their least value.
enum class NumberEncoding : std::uint64_t { int8 = 1, int16 = 2, int32 = 3, float32 = 4, float64 = 5 };

[[nodiscard]] NumberEncoding narrowest_encoding(std::span<const double> values);

// The encoding, 8 bytes, then the array. The count is known from elsewhere.
void write_numbers(ByteWriter& out, std::span<const double> values);
[[nodiscard]] std::vector<double> read_numbers(ByteReader& in, std::uint64_t count);

// Whole numbers below limit, in 1, 2 or 4 bytes each: the fewest that hold limit - 1.
void write_indexes(ByteWriter& out, std::span<const std::uint32_t> values, std::uint64_t limit);
[[nodiscard]] std::vector<std::uint32_t> read_indexes(ByteReader& in, std::uint64_t count, std::uint64_t limit);

}  // namespace cfrules
