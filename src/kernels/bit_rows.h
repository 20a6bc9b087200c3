// Memory for rows of bits that kernels read a vector at a time: a vector never lies on two cache lines, which would
// cost two reads from slower memory instead of one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace cfrules {

inline constexpr std::size_t kLineBytes = 64;
inline constexpr std::size_t kLineWords = kLineBytes / sizeof(std::uint64_t);

// Begins at a cache line.
template <class Number>
struct LineAllocator {
  using value_type = Number;

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  [[nodiscard]] Number* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(Number)) throw std::bad_array_new_length();
    return static_cast<Number*>(::operator new(count * sizeof(Number), std::align_val_t{kLineBytes}));
  }
  void deallocate(Number* numbers, std::size_t) { ::operator delete(numbers, std::align_val_t{kLineBytes}); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

using BitRows = std::vector<std::uint64_t, LineAllocator<std::uint64_t>>;

// How far apart rows of so many words have to begin: whole lines, or a part that lines are a multiple of.
[[nodiscard]] constexpr std::size_t row_stride(std::size_t words) {
  return words < kLineWords ? std::bit_ceil(words) : (words + kLineWords - 1) / kLineWords * kLineWords;
}

}  // namespace cfrules
