// Appends little-endian numbers and arrays. Arrays begin at, and are padded with zeros to, multiples of 8 bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "io/little_endian.h"

namespace cfrules {

inline constexpr std::size_t kAlignment = 8;

class ByteWriter {
 public:
  template <class T>
  void number(T value) {
    value = to_little(value);
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  template <class T>
  void array(std::span<const T> values) {
    if constexpr (std::endian::native == std::endian::little)
      out_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    else
      for (const T value : values) number(value);
    align();
  }

  // convert(value) is what is stored.
  template <class Stored, class T, class Convert>
  void converted(std::span<const T> values, const Convert& convert) {
    const std::size_t begin = out_.size();
    out_.resize(begin + values.size() * sizeof(Stored));
    auto* at = reinterpret_cast<std::byte*>(out_.data() + begin);
    for (std::size_t i = 0; i < values.size(); ++i)
      store_little(at + i * sizeof(Stored), static_cast<Stored>(convert(values[i])));
    align();
  }

  void text(std::string_view text) {
    out_ += text;
    align();
  }
  void align() { out_.append((kAlignment - out_.size() % kAlignment) % kAlignment, '\0'); }

  void reserve(std::size_t size) { out_.reserve(size); }

  [[nodiscard]] std::string& bytes() { return out_; }

 private:
  std::string out_;
};

}  // namespace cfrules
