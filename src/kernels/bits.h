// Rows in blocks of 64: which of them lie in a box, one bit each, and how many bits are set. Arrays in, arrays out.
//
// A block holds its rows' codes feature after feature, 64 codes each. A side says: code - low <= width, in unsigned
// arithmetic, so one comparison serves both ends. The fast path (AVX2, chosen once at run time) gives the same bits as
// the plain one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cfrules {

inline constexpr std::size_t kBlockRows = 64;

struct BlockSide {
  std::uint32_t feature = 0;
  std::uint16_t low = 0;
  std::uint16_t width = 0;  // high - low
};

struct BitCounts {
  std::size_t all = 0;
  std::size_t marked = 0;
};

// masks[i]: the rows of block blocks[i] that lie within all sides.
void rows_inside(std::span<const std::uint8_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks);
void rows_inside(std::span<const std::uint16_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks);
// Bits of the masks, and those also set in marks[blocks[i]].
[[nodiscard]] BitCounts count_bits(std::span<const std::uint32_t> blocks, std::span<const std::uint64_t> masks,
                                   std::span<const std::uint64_t> marks);

// Rows of bits, `words` words each: those that every row of `within` has and no row of `without`.
struct CommonBits {
  std::span<const std::uint64_t* const> within;  // at least one
  std::span<const std::uint64_t* const> without;
  std::size_t words = 0;

  [[nodiscard]] std::uint64_t word(std::size_t at) const {
    std::uint64_t common = ~std::uint64_t{0};
    for (const std::uint64_t* row : within) common &= row[at];
    for (const std::uint64_t* row : without) common &= ~row[at];
    return common;
  }
};
// The words that are not zero: where (ascending), and what. Room for all words; returns how many there are.
[[nodiscard]] std::size_t find_words(const CommonBits& bits, std::span<std::uint32_t> places,
                                     std::span<std::uint64_t> words);

// to[i] = the larger of to[i] and from[i]; as many of each.
void raise_to(std::span<std::uint16_t> to, std::span<const std::uint16_t> from);

// The plain twins.
namespace plain {
void raise_to(std::span<std::uint16_t> to, std::span<const std::uint16_t> from);
[[nodiscard]] std::size_t find_words(const CommonBits& bits, std::span<std::uint32_t> places,
                                     std::span<std::uint64_t> words);
void rows_inside(std::span<const std::uint8_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks);
void rows_inside(std::span<const std::uint16_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks);
[[nodiscard]] BitCounts count_bits(std::span<const std::uint32_t> blocks, std::span<const std::uint64_t> masks,
                                   std::span<const std::uint64_t> marks);
}  // namespace plain

}  // namespace cfrules
