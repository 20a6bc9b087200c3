// Bytes of a fuzzer turned into small choices. Once they are used up every further choice is the first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cfrules::fuzz {

class ByteFeed {
 public:
  ByteFeed(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  [[nodiscard]] std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  [[nodiscard]] std::size_t below(std::size_t count) { return byte() % count; }  // count <= 256
  [[nodiscard]] double whole_below(std::size_t count) { return static_cast<double>(below(count)); }
  [[nodiscard]] bool flip() { return (byte() & 1) != 0; }
  [[nodiscard]] double share() { return byte() / 255.0; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  // What is left, as text.
  [[nodiscard]] std::string_view rest() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace cfrules::fuzz
