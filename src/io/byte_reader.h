// Takes numbers and arrays out of bytes nobody vouches for: nothing is allocated before the bytes are known to be
// there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_writer.h"
#include "io/little_endian.h"

namespace cfrules {

// What is wrong inside a model, as the end of a sentence: "section 'tree 3' ends too early". Never leaves the model
// file's functions: they put the file's name in front and throw FormatError.
class Flaw : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ByteReader {
 public:
  // name: of the section, for messages.
  ByteReader(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  template <class T>
  [[nodiscard]] T number() {
    return load_little<T>(take(1, sizeof(T)).data());
  }

  template <class T>
  [[nodiscard]] std::vector<T> array(std::uint64_t count) {
    if constexpr (std::endian::native != std::endian::little)
      return converted<T, T>(count, [](T value) { return value; });
    const std::span<const std::byte> stored = take(count, sizeof(T));
    std::vector<T> values(stored.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), stored.data(), stored.size());
    align();
    return values;
  }

  template <class T, class Stored, class Convert>
  [[nodiscard]] std::vector<T> converted(std::uint64_t count, const Convert& convert) {
    if (count > left() / sizeof(Stored)) fail("ends too early");
    std::vector<T> values(static_cast<std::size_t>(count));
    fill<T, Stored>(values, convert);
    return values;
  }

  // As many as out holds.
  template <class T, class Stored, class Convert>
  void fill(std::span<T> out, const Convert& convert) {
    const std::byte* const stored = take(out.size(), sizeof(Stored)).data();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = convert(load_little<Stored>(stored + i * sizeof(Stored)));
    align();
  }

  // count elements of size bytes each.
  [[nodiscard]] std::span<const std::byte> take(std::uint64_t count, std::size_t size) {
    if (count > left() / size) fail("ends too early");
    const std::span<const std::byte> taken = bytes_.subspan(at_, static_cast<std::size_t>(count) * size);
    at_ += taken.size();
    return taken;
  }

  [[nodiscard]] std::string_view text(std::uint64_t length) {
    const std::span<const std::byte> taken = take(length, 1);
    align();
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  void align() {
    for (const std::byte padding : take((kAlignment - at_ % kAlignment) % kAlignment, 1))
      if (padding != std::byte{0}) fail("has padding that is not zero");
  }

  void expect_end() const {
    if (left() != 0) fail("has " + std::to_string(left()) + " bytes too many");
  }

  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[noreturn]] void fail(const std::string& what) const { throw Flaw("section '" + name_ + "' " + what); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;  // a multiple of 8 wherever an array begins
  std::string name_;
};

}  // namespace cfrules
