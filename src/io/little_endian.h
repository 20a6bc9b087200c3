// Numbers as files hold them: least byte first, at any address.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace cfrules {

template <class T>
[[nodiscard]] T swap_bytes(T value) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

// Either way: it is its own inverse.
template <class T>
[[nodiscard]] T to_little(T value) {
  static_assert(std::is_arithmetic_v<T>);
  if constexpr (std::endian::native == std::endian::little)
    return value;
  else
    return swap_bytes(value);
}

template <class T>
[[nodiscard]] T load_little(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return to_little(value);
}

template <class T>
void store_little(std::byte* at, T value) {
  value = to_little(value);
  std::memcpy(at, &value, sizeof value);
}

}  // namespace cfrules
