// Rows in blocks of 64: which of them lie in a box, one bit each, and how many bits are set. Arrays in, arrays out.
//
// Codes lie feature after feature, 64 for each block. A side says: code - low <= width, in unsigned arithmetic, so one
// comparison serves both ends. There are several paths to each answer (bit_path.h); the fastest that
// the processor knows is chosen once at run time, and all give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/bit_rows.h"

namespace cfrules {

inline constexpr std::size_t kWordBits = 64;
[[nodiscard]] constexpr std::size_t words_of_bits(std::size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

inline constexpr std::size_t kBlockRows = kWordBits;

struct BlockSide {
  std::uint32_t feature = 0;
  std::uint16_t low = 0;
  std::uint16_t width = 0;  // high - low
};

struct BitCounts {
  std::size_t all = 0;
  std::size_t marked = 0;
};

// Codes of rows in blocks, one or two bytes each.
template <class Number>
struct BlockCodes {
  std::span<const Number> codes;
  std::size_t blocks = 0;

  [[nodiscard]] const Number* column(std::size_t feature) const {
    return codes.data() + feature * blocks * kBlockRows;
  }
};

// Some words of a row of bits: where they are, and what.
struct PlacedWords {
  std::span<const std::uint32_t> places;
  std::span<const std::uint64_t> words;
};
// Their bits, and those that are also set in marks.
[[nodiscard]] BitCounts count_bits(const PlacedWords& words, std::span<const std::uint64_t> marks);

// Rows of bits, `size` words each: those bits that every row of `within` has and no row of `without`.
struct CommonBits {
  std::span<const std::uint64_t* const> within;
  std::span<const std::uint64_t* const> without;
  std::size_t size = 0;

  [[nodiscard]] std::uint64_t word(std::size_t at) const {
    std::uint64_t common = ~std::uint64_t{0};
    for (const std::uint64_t* row : within) common &= row[at];
    for (const std::uint64_t* row : without) common &= ~row[at];
    return common;
  }
};
// All words that they have in common, also those without a bit. Returns which of the first 64 have one.
std::uint64_t common_words(const CommonBits& bits, std::span<std::uint64_t> to);

// Words of bits, at most kMostSparseWords, with a zero before them and zeros behind them up to one after so many; filled:
// which have any bit.
inline constexpr std::size_t kMostSparseWords = kWordBits - 1;
struct SparseBits {
  const std::uint64_t* words = nullptr;
  std::uint64_t filled = 0;
};
// A gap among the bits: from `low` to before `high`. It may be empty, and `high` may come first.
struct BitGap {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};
// The bits next to a gap.
struct BitNeighbours {
  std::int32_t below = 0;  // one past the last before `low`, or something negative
  std::int32_t above = 0;  // the first from `high` on, or something beyond all bits
};
void find_neighbours(const SparseBits& bits, std::span<const BitGap> gaps, BitNeighbours* neighbours);

// Room for as many words as there may be and some more, which are written over.
inline constexpr std::size_t kSpareWords = 8;
struct WordRoom {
  std::span<std::uint32_t> places;
  std::span<std::uint64_t> words;
};
// The words that are not zero, in the order of their places, where it is known before which may have a bit: those of
// these lines, a bit for each kLineWords words. All return how many there are.
[[nodiscard]] std::size_t find_words(std::span<const std::uint64_t> lines, const CommonBits& bits, WordRoom to);
// What some words have in common with the bits. The room may be where the words are.
[[nodiscard]] std::size_t keep_common(const PlacedWords& from, const CommonBits& bits, WordRoom to);

// The same with the rows of blocks that lie within all sides: a word stands for a block.
[[nodiscard]] std::size_t keep_inside(BlockCodes<std::uint8_t> codes, const PlacedWords& from,
                                      std::span<const BlockSide> sides, WordRoom to);
[[nodiscard]] std::size_t keep_inside(BlockCodes<std::uint16_t> codes, const PlacedWords& from,
                                      std::span<const BlockSide> sides, WordRoom to);

// 64 intervals of bytes.
struct alignas(64) IntervalBlock {
  std::uint8_t low[kWordBits];
  std::uint8_t high[kWordBits];
};
// A word for each block: which of its intervals do not hold values[block].
void find_outside(std::span<const IntervalBlock> blocks, const std::uint8_t* values, std::uint64_t* words);

// What 16 words say at each of these bits, lowest first: masks[i] has bit w where word w has the i-th of them.
inline constexpr std::size_t kGatheredWords = 16;
void gather_bits(std::span<const std::uint64_t, kGatheredWords> words, std::uint64_t bits, std::uint16_t* masks);

// The sum of the numbers that stand at these bits, kWordBits numbers to a word.
[[nodiscard]] std::int64_t sum_common(const CommonBits& bits, std::span<const std::int64_t> numbers);

// to[i] = the larger of to[i] and from[i]; as many of each.
void raise_to(std::span<std::uint16_t> to, std::span<const std::uint16_t> from);

}  // namespace cfrules
