#include "kernels/bits.h"

#include <algorithm>
#include <bit>

#include "kernels/cpu.h"

#ifdef CFRULES_HAS_AVX2_PATH
#include <immintrin.h>
#endif

namespace cfrules {

namespace {

template <class Byte>
void rows_inside_plain(std::span<const Byte> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                       std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::uint64_t mask = ~std::uint64_t{0};
    for (const BlockSide& side : sides) {
      const Byte* column = codes.data() + (blocks[i] * features + side.feature) * kBlockRows;
      std::uint64_t inside = 0;
      for (std::size_t row = 0; row < kBlockRows; ++row) {
        const bool in = static_cast<Byte>(column[row] - side.low) <= side.width;
        inside |= std::uint64_t{in} << row;
      }
      mask &= inside;
    }
    masks[i] = mask;
  }
}

#ifdef CFRULES_HAS_AVX2_PATH

// Sides are spread over vectors once; most blocks hold no row of the box, and few sides tell.
__attribute__((target("avx2"))) void rows_inside_avx2(std::span<const std::uint8_t> codes, std::size_t features,
                                                      std::span<const std::uint32_t> blocks,
                                                      std::span<const BlockSide> sides,
                                                      std::span<std::uint64_t> masks) {
  constexpr std::size_t kMostSides = 64;
  struct Side {
    __m256i low;
    __m256i width;
    std::size_t column;
  };
  Side spread[kMostSides];
  if (sides.size() > kMostSides) return rows_inside_plain(codes, features, blocks, sides, masks);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    spread[i] = {_mm256_set1_epi8(static_cast<char>(sides[i].low)), _mm256_set1_epi8(static_cast<char>(sides[i].width)),
                 sides[i].feature * kBlockRows};
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint8_t* block = codes.data() + blocks[i] * features * kBlockRows;
    __m256i first = _mm256_set1_epi8(-1);
    __m256i second = first;
    for (const Side& side : std::span(spread, sides.size())) {
      const auto* column = reinterpret_cast<const __m256i*>(block + side.column);
      const __m256i above = _mm256_sub_epi8(_mm256_loadu_si256(column), side.low);
      const __m256i above_too = _mm256_sub_epi8(_mm256_loadu_si256(column + 1), side.low);
      first = _mm256_and_si256(first, _mm256_cmpeq_epi8(_mm256_min_epu8(above, side.width), above));
      second = _mm256_and_si256(second, _mm256_cmpeq_epi8(_mm256_min_epu8(above_too, side.width), above_too));
    }
    const auto low_half = static_cast<std::uint32_t>(_mm256_movemask_epi8(first));
    const auto high_half = static_cast<std::uint32_t>(_mm256_movemask_epi8(second));
    masks[i] = std::uint64_t{high_half} << 32 | low_half;
  }
}

__attribute__((target("popcnt"))) BitCounts count_bits_popcnt(std::span<const std::uint32_t> blocks,
                                                              std::span<const std::uint64_t> masks,
                                                              std::span<const std::uint64_t> marks) {
  BitCounts counts;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    counts.all += static_cast<std::size_t>(_mm_popcnt_u64(masks[i]));
    counts.marked += static_cast<std::size_t>(_mm_popcnt_u64(masks[i] & marks[blocks[i]]));
  }
  return counts;
}

__attribute__((target("avx2"))) std::size_t find_words_avx2(const CommonBits& bits, std::span<std::uint32_t> places,
                                                            std::span<std::uint64_t> words) {
  constexpr std::size_t kWords = 4;
  std::size_t found = 0;
  const auto keep = [&](std::uint64_t word, std::size_t at) {
    places[found] = static_cast<std::uint32_t>(at);
    words[found] = word;
    found += word != 0 ? 1 : 0;
  };
  std::size_t at = 0;
  for (; at + kWords <= bits.words; at += kWords) {
    __m256i common = _mm256_set1_epi8(-1);
    for (const std::uint64_t* row : bits.within)
      common = _mm256_and_si256(common, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + at)));
    for (const std::uint64_t* row : bits.without)
      common = _mm256_andnot_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + at)), common);
    if (_mm256_testz_si256(common, common)) continue;
    alignas(32) std::uint64_t some[kWords];
    _mm256_store_si256(reinterpret_cast<__m256i*>(some), common);
    for (std::size_t word = 0; word < kWords; ++word) keep(some[word], at + word);
  }
  for (; at < bits.words; ++at) keep(bits.word(at), at);
  return found;
}

__attribute__((target("avx2"))) void raise_to_avx2(std::span<std::uint16_t> to, std::span<const std::uint16_t> from) {
  constexpr std::size_t kNumbers = 16;
  std::size_t at = 0;
  for (; at + kNumbers <= to.size(); at += kNumbers) {
    auto* place = reinterpret_cast<__m256i*>(to.data() + at);
    const __m256i other = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from.data() + at));
    _mm256_storeu_si256(place, _mm256_max_epu16(_mm256_loadu_si256(place), other));
  }
  for (; at < to.size(); ++at) to[at] = std::max(to[at], from[at]);
}

const bool kFast = has_avx2();

#endif

}  // namespace

namespace plain {

void raise_to(std::span<std::uint16_t> to, std::span<const std::uint16_t> from) {
  for (std::size_t at = 0; at < to.size(); ++at) to[at] = std::max(to[at], from[at]);
}

std::size_t find_words(const CommonBits& bits, std::span<std::uint32_t> places, std::span<std::uint64_t> words) {
  std::size_t found = 0;
  for (std::size_t at = 0; at < bits.words; ++at) {
    const std::uint64_t word = bits.word(at);
    if (word == 0) continue;
    places[found] = static_cast<std::uint32_t>(at);
    words[found++] = word;
  }
  return found;
}

void rows_inside(std::span<const std::uint8_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
  rows_inside_plain(codes, features, blocks, sides, masks);
}

void rows_inside(std::span<const std::uint16_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
  rows_inside_plain(codes, features, blocks, sides, masks);
}

BitCounts count_bits(std::span<const std::uint32_t> blocks, std::span<const std::uint64_t> masks,
                     std::span<const std::uint64_t> marks) {
  BitCounts counts;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    counts.all += static_cast<std::size_t>(std::popcount(masks[i]));
    counts.marked += static_cast<std::size_t>(std::popcount(masks[i] & marks[blocks[i]]));
  }
  return counts;
}

}  // namespace plain

void raise_to(std::span<std::uint16_t> to, std::span<const std::uint16_t> from) {
#ifdef CFRULES_HAS_AVX2_PATH
  if (kFast) return raise_to_avx2(to, from);
#endif
  plain::raise_to(to, from);
}

void rows_inside(std::span<const std::uint8_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
#ifdef CFRULES_HAS_AVX2_PATH
  if (kFast) return rows_inside_avx2(codes, features, blocks, sides, masks);
#endif
  plain::rows_inside(codes, features, blocks, sides, masks);
}

void rows_inside(std::span<const std::uint16_t> codes, std::size_t features, std::span<const std::uint32_t> blocks,
                 std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
  plain::rows_inside(codes, features, blocks, sides, masks);
}

std::size_t find_words(const CommonBits& bits, std::span<std::uint32_t> places, std::span<std::uint64_t> words) {
#ifdef CFRULES_HAS_AVX2_PATH
  if (kFast) return find_words_avx2(bits, places, words);
#endif
  return plain::find_words(bits, places, words);
}

BitCounts count_bits(std::span<const std::uint32_t> blocks, std::span<const std::uint64_t> masks,
                     std::span<const std::uint64_t> marks) {
#ifdef CFRULES_HAS_AVX2_PATH
  if (kFast) return count_bits_popcnt(blocks, masks, marks);
#endif
  return plain::count_bits(blocks, masks, marks);
}

}  // namespace cfrules
