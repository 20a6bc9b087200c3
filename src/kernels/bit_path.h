// The paths to the answers of bits.h.
#pragma once

#include <vector>

#include "kernels/bits.h"

namespace cfrules {

// Large tables do not fit into the cache, and no processor guesses which block comes next: codes are sent for so many
// blocks before they are compared.
inline constexpr std::size_t kBlocksAhead = 32;

struct BitPath {
  const char* name;
  std::size_t (*keep_inside_bytes)(BlockCodes<std::uint8_t>, const PlacedWords&, std::span<const BlockSide>, WordRoom);
  std::size_t (*keep_inside_words)(BlockCodes<std::uint16_t>, const PlacedWords&, std::span<const BlockSide>, WordRoom);
  BitCounts (*count_bits)(const PlacedWords&, std::span<const std::uint64_t>);
  std::uint64_t (*common_words)(const CommonBits&, std::span<std::uint64_t>);
  std::size_t (*find_words_in_lines)(std::span<const std::uint64_t>, const CommonBits&, WordRoom);
  std::size_t (*keep_common)(const PlacedWords&, const CommonBits&, WordRoom);
  void (*find_neighbours)(const SparseBits&, std::span<const BitGap>, BitNeighbours*);
  void (*find_outside)(std::span<const IntervalBlock>, const std::uint8_t*, std::uint64_t*);
  void (*gather_bits)(std::span<const std::uint64_t, kGatheredWords>, std::uint64_t, std::uint16_t*);
  std::int64_t (*sum_common)(const CommonBits&, std::span<const std::int64_t>);
  void (*raise_to)(std::span<std::uint16_t>, std::span<const std::uint16_t>);
};

// Plain C++, which the others are compared with, and where they have nothing better of their own.
[[nodiscard]] const BitPath& plain_bits();
// Null where they are not compiled or the processor does not know the instructions.
[[nodiscard]] const BitPath* avx2_bits();
[[nodiscard]] const BitPath* avx512_bits();

// Those that run here, the fastest last.
[[nodiscard]] std::vector<const BitPath*> bit_paths();

}  // namespace cfrules
