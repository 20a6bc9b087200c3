// One piece of one Arrow column, read by its format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cfrules/arrow.h"

namespace cfrules {

// Element i of the piece is element first + i of the array's buffers.
struct ArrowChunk {
  const ArrowArray* array = nullptr;
  std::int64_t first = 0;
  std::int64_t length = 0;

  [[nodiscard]] bool missing(std::int64_t i) const {
    if (array->null_count == 0 || array->n_buffers == 0 || array->buffers[0] == nullptr) return false;
    const std::int64_t at = first + i;
    return ((static_cast<const std::uint8_t*>(array->buffers[0])[at / 8] >> (at % 8)) & 1) == 0;
  }
  template <class Value>
  [[nodiscard]] const Value* values() const {
    return static_cast<const Value*>(array->buffers[1]) + first;
  }
};

// "u", "U" and "vu": offsets of four or eight bytes, and views that hold short texts themselves.
[[nodiscard]] bool is_text_format(std::string_view format);
[[nodiscard]] std::string_view text_at(const ArrowChunk& chunk, std::string_view format, std::int64_t i);

// Integers, floats of any width and decimals.
[[nodiscard]] bool is_integer_format(std::string_view format);
[[nodiscard]] bool is_number_format(std::string_view format);
// Appends the piece as doubles, NaN where missing.
void append_numbers(const ArrowChunk& chunk, std::string_view format, std::vector<double>& values);

// Booleans lie in bits.
void append_booleans(const ArrowChunk& chunk, std::vector<double>& values);

// What a format is called in an error: "a timestamp", "a list".
[[nodiscard]] std::string words_for(std::string_view format);

}  // namespace cfrules
