// Takes numbers and arrays out of bytes nobody vouches for: nothing is allocated before the bytes are known to be
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
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

// Goes over stored numbers as a vector's constructor likes it, which then need not fill the vector with zeros first.
template <class T, class Stored, class Convert>
struct StoredNumbers {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = T;

  const std::byte* at;
  const Convert* convert;

  T operator*() const { return (*convert)(load_little<Stored>(at)); }
  StoredNumbers& operator++() {
    at += sizeof(Stored);
    return *this;
  }
  StoredNumbers operator+(difference_type count) const {
    return {at + count * static_cast<difference_type>(sizeof(Stored)), convert};
  }
  difference_type operator-(const StoredNumbers& other) const {
    return (at - other.at) / static_cast<difference_type>(sizeof(Stored));
  }
  bool operator==(const StoredNumbers& other) const { return at == other.at; }
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
    return converted<T, T>(count, [](T value) { return value; });
  }

  // convert(stored) is what is kept.
  template <class T, class Stored, class Convert>
  [[nodiscard]] std::vector<T> converted(std::uint64_t count, const Convert& convert) {
    const std::span<const std::byte> stored = take(count, sizeof(Stored));
    const StoredNumbers<T, Stored, Convert> begin{stored.data(), &convert};
    std::vector<T> values(begin, begin + static_cast<std::ptrdiff_t>(count));
    align();
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
