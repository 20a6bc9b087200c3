#include "kernels/bit_path.h"
#include "kernels/cpu.h"

#ifdef CFRULES_HAS_X86_PATHS
#include <immintrin.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#define CFRULES_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi")))
#endif

namespace cfrules {

#ifdef CFRULES_HAS_X86_PATHS

namespace {

constexpr std::size_t kWords = 8;  // in a vector

// The first `count` lanes of a vector, or all.
[[nodiscard]] __mmask8 first_words(std::size_t count) {
  return static_cast<__mmask8>(count < kWords ? (1u << count) - 1 : 0xFFu);
}

// A comparison of 64 bytes is the mask itself. A side is spread over vectors once for several blocks.
CFRULES_AVX512 void rows_inside_bytes_avx512(BlockCodes<std::uint8_t> codes, std::span<const std::uint32_t> blocks,
                                             std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
  constexpr std::size_t kTogether = 8;
  const auto compare = [&]<class Count>(std::size_t begin, Count count) CFRULES_AVX512 {
    const std::uint8_t* columns[kTogether];
    __mmask64 inside[kTogether];
    for (std::size_t i = 0; i < count; ++i) {
      columns[i] = codes.block(blocks[begin + i]);
      inside[i] = ~__mmask64{0};
    }
    for (const BlockSide& side : sides) {
      const __m512i low = _mm512_set1_epi8(static_cast<char>(side.low));
      const __m512i width = _mm512_set1_epi8(static_cast<char>(side.width));
      for (std::size_t i = 0; i < count; ++i) {
        const __m512i above = _mm512_sub_epi8(_mm512_loadu_si512(columns[i] + side.feature * kBlockRows), low);
        inside[i] &= _mm512_cmple_epu8_mask(above, width);
      }
    }
    for (std::size_t i = 0; i < count; ++i) masks[begin + i] = inside[i];
  };
  std::size_t at = 0;
  for (; at + kTogether <= blocks.size(); at += kTogether)
    compare(at, std::integral_constant<std::size_t, kTogether>{});
  if (at < blocks.size()) compare(at, blocks.size() - at);
}

CFRULES_AVX512 void rows_inside_words_avx512(BlockCodes<std::uint16_t> codes, std::span<const std::uint32_t> blocks,
                                             std::span<const BlockSide> sides, std::span<std::uint64_t> masks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint16_t* block = codes.block(blocks[i]);
    std::uint64_t inside = ~std::uint64_t{0};
    for (const BlockSide& side : sides) {
      const std::uint16_t* column = block + side.feature * kBlockRows;
      const __m512i low = _mm512_set1_epi16(static_cast<short>(side.low));
      const __m512i width = _mm512_set1_epi16(static_cast<short>(side.width));
      const __m512i above = _mm512_sub_epi16(_mm512_loadu_si512(column), low);
      const __m512i above_too = _mm512_sub_epi16(_mm512_loadu_si512(column + kBlockRows / 2), low);
      inside &= std::uint64_t{_mm512_cmple_epu16_mask(above_too, width)} << 32 | _mm512_cmple_epu16_mask(above, width);
    }
    masks[i] = inside;
  }
}

// Packs the lanes that are not zero behind what was found; returns how many.
CFRULES_AVX512 inline std::size_t pack(__m512i words, __m256i places, WordRoom to, std::size_t found) {
  const __mmask8 some = _mm512_test_epi64_mask(words, words);
  const auto count = static_cast<std::size_t>(_mm_popcnt_u32(some));
  const __mmask8 lanes = first_words(count);
  _mm512_mask_storeu_epi64(to.words.data() + found, lanes, _mm512_maskz_compress_epi64(some, words));
  _mm256_mask_storeu_epi32(to.places.data() + found, lanes, _mm256_maskz_compress_epi32(some, places));
  return count;
}

// The common words of the first lanes from a place on; the other lanes are zero.
CFRULES_AVX512 inline __m512i common_lanes(const CommonBits& bits, std::size_t at, __mmask8 lanes) {
  __m512i common = _mm512_maskz_set1_epi64(lanes, -1);
  for (const std::uint64_t* row : bits.within)
    common = _mm512_and_si512(common, _mm512_maskz_loadu_epi64(lanes, row + at));
  for (const std::uint64_t* row : bits.without)
    common = _mm512_maskz_andnot_epi64(lanes, _mm512_maskz_loadu_epi64(lanes, row + at), common);
  return common;
}

CFRULES_AVX512 void common_words_avx512(const CommonBits& bits, std::span<std::uint64_t> to) {
  for (std::size_t at = 0; at < bits.size; at += kWords) {
    const __mmask8 lanes = first_words(bits.size - at);
    _mm512_mask_storeu_epi64(to.data() + at, lanes, common_lanes(bits, at, lanes));
  }
}

CFRULES_AVX512 std::size_t find_words_avx512(const CommonBits& bits, WordRoom to) {
  std::size_t found = 0;
  __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (std::size_t at = 0; at < bits.size; at += kWords) {
    const __mmask8 lanes = first_words(bits.size - at);
    const __m512i common = common_lanes(bits, at, lanes);
    if (_mm512_test_epi64_mask(common, common) != 0) found += pack(common, places, to, found);
    places = _mm256_add_epi32(places, _mm256_set1_epi32(kWords));
  }
  return found;
}

// A byte of the filter stands for a vector of words.
CFRULES_AVX512 std::size_t find_filtered_words_avx512(const CommonBits& filter, const CommonBits& bits, WordRoom to) {
  const __m256i first_places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < filter.size; begin += kWords) {
    alignas(64) std::uint64_t wanted[kWords];
    const std::size_t words = std::min(kWords, filter.size - begin);
    _mm512_store_si512(wanted, common_lanes(filter, begin, first_words(words)));
    for (std::size_t i = 0; i < words; ++i)
      for (std::uint64_t rest = wanted[i]; rest != 0;) {
        const auto first = static_cast<std::size_t>(_tzcnt_u64(rest)) / kWords * kWords;
        rest &= ~(std::uint64_t{0xFF} << first);
        const std::size_t at = (begin + i) * kWordBits + first;
        const __m512i common = common_lanes(bits, at, first_words(bits.size - at));
        if (_mm512_test_epi64_mask(common, common) == 0) continue;
        const __m256i places = _mm256_add_epi32(first_places, _mm256_set1_epi32(static_cast<int>(at)));
        found += pack(common, places, to, found);
      }
  }
  return found;
}

CFRULES_AVX512 std::size_t keep_common_avx512(const PlacedWords& from, const CommonBits& bits, WordRoom to) {
  const __m512i nothing = _mm512_setzero_si512();
  std::size_t kept = 0;
  for (std::size_t at = 0; at < from.places.size(); at += kWords) {
    const __mmask8 lanes = first_words(from.places.size() - at);
    const __m256i places = _mm256_maskz_loadu_epi32(lanes, from.places.data() + at);
    __m512i common = _mm512_maskz_loadu_epi64(lanes, from.words.data() + at);
    for (const std::uint64_t* row : bits.within)
      common = _mm512_and_si512(common, _mm512_mask_i32gather_epi64(nothing, lanes, places, row, sizeof *row));
    for (const std::uint64_t* row : bits.without)
      common = _mm512_maskz_andnot_epi64(lanes, _mm512_mask_i32gather_epi64(nothing, lanes, places, row, sizeof *row),
                                         common);
    kept += pack(common, places, to, kept);
  }
  return kept;
}

// A byte of the word is the mask of eight numbers.
CFRULES_AVX512 std::int64_t sum_common_avx512(const CommonBits& bits, std::span<const std::int64_t> numbers) {
  __m512i sums[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  for (std::size_t at = 0; at < bits.size; ++at) {
    const std::int64_t* here = numbers.data() + at * kWordBits;
    std::uint64_t word = bits.word(at);
    for (std::size_t byte = 0; byte < 8; ++byte, word >>= 8)
      sums[byte % 2] = _mm512_mask_add_epi64(sums[byte % 2], static_cast<__mmask8>(word), sums[byte % 2],
                                             _mm512_loadu_si512(here + byte * 8));
  }
  alignas(64) std::int64_t lanes[kWords];
  _mm512_store_si512(lanes, _mm512_add_epi64(sums[0], sums[1]));
  return std::accumulate(lanes, lanes + kWords, std::int64_t{0});
}

}  // namespace

const BitPath* avx512_bits() {
  const BitPath* narrower = avx2_bits();
  if (narrower == nullptr || !has_avx512()) return nullptr;
  static const BitPath path{
      "AVX-512",           rows_inside_bytes_avx512, rows_inside_words_avx512,   narrower->count_bits,
      common_words_avx512, find_words_avx512,        find_filtered_words_avx512, keep_common_avx512,
      sum_common_avx512,   narrower->raise_to};
  return &path;
}

#else

const BitPath* avx512_bits() { return nullptr; }

#endif

}  // namespace cfrules
