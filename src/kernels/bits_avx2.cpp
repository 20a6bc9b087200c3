#include "kernels/bit_path.h"
#include "kernels/cpu.h"

#ifdef CFRULES_HAS_X86_PATHS
#include <immintrin.h>

#include <algorithm>
#include <bit>

#define CFRULES_AVX2 __attribute__((target("avx2,popcnt")))
#endif

namespace cfrules {

#ifdef CFRULES_HAS_X86_PATHS

namespace {

// Sides are spread over vectors once. Large tables do not fit into the cache, and no processor guesses which block comes
// next: codes are sent for some blocks before they are compared.
CFRULES_AVX2 std::size_t keep_inside_avx2(BlockCodes<std::uint8_t> codes, const PlacedWords& from,
                                          std::span<const BlockSide> sides, WordRoom to) {
  constexpr std::size_t kMostSides = 64;
  constexpr std::size_t kBlocksAhead = 16;
  struct Side {
    __m256i low;
    __m256i width;
    const std::uint8_t* column;
  };
  Side spread[kMostSides];
  if (sides.size() > kMostSides) return plain_bits().keep_inside_bytes(codes, from, sides, to);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    spread[i] = {_mm256_set1_epi8(static_cast<char>(sides[i].low)), _mm256_set1_epi8(static_cast<char>(sides[i].width)),
                 codes.column(sides[i].feature)};
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.places.size(); ++i) {
    const std::uint32_t place = from.places[i];
    const std::size_t ahead = from.places[std::min(i + kBlocksAhead, from.places.size() - 1)] * kBlockRows;
    for (const Side& side : std::span(spread, sides.size())) _mm_prefetch(side.column + ahead, _MM_HINT_T0);
    __m256i first = _mm256_set1_epi8(-1);
    __m256i second = first;
    for (const Side& side : std::span(spread, sides.size())) {
      const auto* column = reinterpret_cast<const __m256i*>(side.column + place * kBlockRows);
      const __m256i above = _mm256_sub_epi8(_mm256_loadu_si256(column), side.low);
      const __m256i above_too = _mm256_sub_epi8(_mm256_loadu_si256(column + 1), side.low);
      first = _mm256_and_si256(first, _mm256_cmpeq_epi8(_mm256_min_epu8(above, side.width), above));
      second = _mm256_and_si256(second, _mm256_cmpeq_epi8(_mm256_min_epu8(above_too, side.width), above_too));
    }
    const auto low_half = static_cast<std::uint32_t>(_mm256_movemask_epi8(first));
    const auto high_half = static_cast<std::uint32_t>(_mm256_movemask_epi8(second));
    const std::uint64_t word = from.words[i] & (std::uint64_t{high_half} << 32 | low_half);
    to.places[kept] = place;
    to.words[kept] = word;
    kept += word != 0 ? 1 : 0;
  }
  return kept;
}

CFRULES_AVX2 BitCounts count_bits_popcnt(const PlacedWords& words, std::span<const std::uint64_t> marks) {
  BitCounts counts;
  for (std::size_t i = 0; i < words.places.size(); ++i) {
    counts.all += static_cast<std::size_t>(_mm_popcnt_u64(words.words[i]));
    counts.marked += static_cast<std::size_t>(_mm_popcnt_u64(words.words[i] & marks[words.places[i]]));
  }
  return counts;
}

CFRULES_AVX2 inline __m256i common_vector(const CommonBits& bits, std::size_t at) {
  __m256i common = _mm256_set1_epi8(-1);
  for (const std::uint64_t* row : bits.within)
    common = _mm256_and_si256(common, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + at)));
  for (const std::uint64_t* row : bits.without)
    common = _mm256_andnot_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + at)), common);
  return common;
}

constexpr std::size_t kVectorWords = 4;

// Keeps the words from `at` on that have a bit, as many as fill a vector or are left; `found` have been kept before.
CFRULES_AVX2 std::size_t keep_vector(const CommonBits& bits, std::size_t at, WordRoom to, std::size_t found) {
  const auto keep = [&](std::uint64_t word, std::size_t place) {
    to.places[found] = static_cast<std::uint32_t>(place);
    to.words[found] = word;
    found += word != 0 ? 1 : 0;
  };
  if (at + kVectorWords > bits.size) {
    for (std::size_t last = at; last < bits.size; ++last) keep(bits.word(last), last);
    return found;
  }
  const __m256i common = common_vector(bits, at);
  if (_mm256_testz_si256(common, common)) return found;
  alignas(32) std::uint64_t some[kVectorWords];
  _mm256_store_si256(reinterpret_cast<__m256i*>(some), common);
  for (std::size_t word = 0; word < kVectorWords; ++word) keep(some[word], at + word);
  return found;
}

CFRULES_AVX2 std::size_t find_words_avx2(const CommonBits& bits, WordRoom to) {
  std::size_t found = 0;
  for (std::size_t at = 0; at < bits.size; at += kVectorWords) found = keep_vector(bits, at, to, found);
  return found;
}

// Four bits of the filter stand for a vector of words.
CFRULES_AVX2 std::size_t find_filtered_words_avx2(const CommonBits& filter, const CommonBits& bits, WordRoom to) {
  std::size_t found = 0;
  for (std::size_t group = 0; group < filter.size; ++group)
    for (std::uint64_t rest = filter.word(group); rest != 0;) {
      const std::size_t first = static_cast<std::size_t>(std::countr_zero(rest)) / kVectorWords * kVectorWords;
      rest &= ~(std::uint64_t{0xF} << first);
      found = keep_vector(bits, group * kWordBits + first, to, found);
    }
  return found;
}

CFRULES_AVX2 void raise_to_avx2(std::span<std::uint16_t> to, std::span<const std::uint16_t> from) {
  constexpr std::size_t kNumbers = 16;
  std::size_t at = 0;
  for (; at + kNumbers <= to.size(); at += kNumbers) {
    auto* place = reinterpret_cast<__m256i*>(to.data() + at);
    const __m256i other = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from.data() + at));
    _mm256_storeu_si256(place, _mm256_max_epu16(_mm256_loadu_si256(place), other));
  }
  for (; at < to.size(); ++at) to[at] = std::max(to[at], from[at]);
}

}  // namespace

const BitPath* avx2_bits() {
  static const BitPath path{"AVX2",
                            keep_inside_avx2,
                            plain_bits().keep_inside_words,
                            count_bits_popcnt,
                            plain_bits().common_words,
                            find_words_avx2,
                            find_filtered_words_avx2,
                            plain_bits().keep_common,
                            plain_bits().sum_common,
                            raise_to_avx2};
  return has_avx2() ? &path : nullptr;
}

#else

const BitPath* avx2_bits() { return nullptr; }

#endif

}  // namespace cfrules
