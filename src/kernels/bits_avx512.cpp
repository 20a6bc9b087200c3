#include "base/send_for.h"
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
static_assert(kWords <= kSpareWords);

// The first `count` lanes of a vector, or all.
[[nodiscard]] __mmask8 first_words(std::size_t count) {
  return static_cast<__mmask8>(count < kWords ? (1u << count) - 1 : 0xFFu);
}

// Packs the lanes that are not zero behind what was found; returns how many. A whole vector is written.
CFRULES_AVX512 inline std::size_t pack(__m512i words, __m256i places, WordRoom to, std::size_t found) {
  const __mmask8 some = _mm512_test_epi64_mask(words, words);
  _mm512_storeu_si512(to.words.data() + found, _mm512_maskz_compress_epi64(some, words));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.places.data() + found),
                      _mm256_maskz_compress_epi32(some, places));
  return static_cast<std::size_t>(_mm_popcnt_u32(some));
}

// Rows within a side, of a column of 64 codes: a comparison of 64 bytes is the mask itself.
struct ByteSide {
  __m512i low;
  __m512i width;

  CFRULES_AVX512 explicit ByteSide(const BlockSide& side)
      : low(_mm512_set1_epi8(static_cast<char>(side.low))), width(_mm512_set1_epi8(static_cast<char>(side.width))) {}
  CFRULES_AVX512 std::uint64_t rows(const std::uint8_t* column) const {
    return _mm512_cmple_epu8_mask(_mm512_sub_epi8(_mm512_loadu_si512(column), low), width);
  }
};

struct WordSide {
  __m512i low;
  __m512i width;

  CFRULES_AVX512 explicit WordSide(const BlockSide& side)
      : low(_mm512_set1_epi16(static_cast<short>(side.low))),
        width(_mm512_set1_epi16(static_cast<short>(side.width))) {}
  CFRULES_AVX512 std::uint64_t rows(const std::uint16_t* column) const {
    const __m512i above = _mm512_sub_epi16(_mm512_loadu_si512(column), low);
    const __m512i above_too = _mm512_sub_epi16(_mm512_loadu_si512(column + kBlockRows / 2), low);
    return std::uint64_t{_mm512_cmple_epu16_mask(above_too, width)} << 32 | _mm512_cmple_epu16_mask(above, width);
  }
};

// A side is spread over vectors once for all blocks of a vector of words, and its codes are sent for some vectors
// before their turn.
template <class Side, class Number>
CFRULES_AVX512 std::size_t keep_inside_avx512(BlockCodes<Number> codes, const PlacedWords& from,
                                              std::span<const BlockSide> sides, WordRoom to) {
  std::size_t kept = 0;
  const std::span<const std::uint32_t> places = from.places;
  const auto keep = [&]<class Count>(std::size_t at, Count count) CFRULES_AVX512 {
    std::size_t blocks[kWords];  // where they begin in a column
    alignas(64) std::uint64_t inside[kWords];
    for (std::size_t i = 0; i < count; ++i) {
      blocks[i] = places[at + i] * kBlockRows;
      inside[i] = from.words[at + i];
    }
    const std::size_t later = std::min(at + kBlocksAhead, places.size());
    const auto ahead = places.subspan(later, std::min(kWords, places.size() - later));
    for (const BlockSide& side : sides) {
      const Side spread(side);
      const Number* column = codes.column(side.feature);
      for (std::size_t i = 0; i < count; ++i) inside[i] &= spread.rows(column + blocks[i]);
      for (const std::uint32_t place : ahead) send_for_early(column + place * kBlockRows);
    }
    const __mmask8 lanes = first_words(count);
    kept += pack(_mm512_maskz_load_epi64(lanes, inside), _mm256_maskz_loadu_epi32(lanes, places.data() + at), to, kept);
  };
  std::size_t at = 0;
  for (; at + kWords <= places.size(); at += kWords) keep(at, std::integral_constant<std::size_t, kWords>{});
  if (at < places.size()) keep(at, places.size() - at);
  return kept;
}

constexpr int kFirstAndNotThird = 0x50;

// The common words of a whole vector from a place on: without lanes to leave out, reading a word and joining it is one
// instruction.
CFRULES_AVX512 inline __m512i common_vector(const CommonBits& bits, std::size_t at) {
  __m512i common = _mm512_set1_epi64(-1);
  for (const std::uint64_t* row : bits.within) common = _mm512_and_si512(common, _mm512_loadu_si512(row + at));
  for (const std::uint64_t* row : bits.without)
    common = _mm512_ternarylogic_epi64(common, common, _mm512_loadu_si512(row + at), kFirstAndNotThird);
  return common;
}

// The same of some places at once: each row is looked for once.
template <std::size_t kCount>
CFRULES_AVX512 inline void common_vectors(const CommonBits& bits, const std::size_t* places, __m512i* common) {
  for (std::size_t i = 0; i < kCount; ++i) common[i] = _mm512_set1_epi64(-1);
  for (const std::uint64_t* row : bits.within)
    for (std::size_t i = 0; i < kCount; ++i)
      common[i] = _mm512_and_si512(common[i], _mm512_loadu_si512(row + places[i]));
  for (const std::uint64_t* row : bits.without)
    for (std::size_t i = 0; i < kCount; ++i)
      common[i] =
          _mm512_ternarylogic_epi64(common[i], common[i], _mm512_loadu_si512(row + places[i]), kFirstAndNotThird);
}

// The common words from a place on, as many as there are; the other lanes are zero.
CFRULES_AVX512 inline __m512i common_lanes(const CommonBits& bits, std::size_t at) {
  if (at + kWords <= bits.size) return common_vector(bits, at);
  const __mmask8 lanes = first_words(bits.size - at);
  __m512i common = _mm512_maskz_set1_epi64(lanes, -1);
  for (const std::uint64_t* row : bits.within)
    common = _mm512_and_si512(common, _mm512_maskz_loadu_epi64(lanes, row + at));
  for (const std::uint64_t* row : bits.without)
    common = _mm512_maskz_andnot_epi64(lanes, _mm512_maskz_loadu_epi64(lanes, row + at), common);
  return common;
}

CFRULES_AVX512 std::uint64_t common_words_avx512(const CommonBits& bits, std::span<std::uint64_t> to) {
  std::uint64_t filled = 0;
  for (std::size_t at = 0; at < bits.size; at += kWords) {
    const __m512i common = common_lanes(bits, at);
    _mm512_mask_storeu_epi64(to.data() + at, first_words(bits.size - at), common);
    if (at < kWordBits) filled |= std::uint64_t{_mm512_test_epi64_mask(common, common)} << at;
  }
  return filled;
}

// A line is a vector. How many there are nothing predicts, so always some are looked at together: where there are
// fewer, the first of all stands in for the others and nothing of it is kept.
CFRULES_AVX512 std::size_t find_words_in_lines_avx512(std::span<const std::uint64_t> lines, const CommonBits& bits,
                                                      WordRoom to) {
  static_assert(kWords == kLineWords);
  constexpr std::size_t kTogether = 4;
  const __m256i first_places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const auto places_from = [&](std::size_t place) CFRULES_AVX512 {
    return _mm256_add_epi32(first_places, _mm256_set1_epi32(static_cast<int>(place)));
  };
  std::size_t found = 0;
  for (std::size_t some = 0; some < lines.size(); ++some) {
    std::uint64_t rest = lines[some];
    const std::size_t first = some * kWordBits * kWords;
    const std::size_t whole = (bits.size - first) / kWords;
    const bool last = whole < kWordBits && rest >> whole != 0;  // of the row: words that fill no vector
    if (last) rest &= (std::uint64_t{1} << whole) - 1;
    while (rest != 0) {
      std::size_t places[kTogether];
      __m512i common[kTogether];
      __mmask8 kept[kTogether];
      for (std::size_t i = 0; i < kTogether; ++i) {
        kept[i] = rest != 0 ? 0xFF : 0;
        places[i] = first + static_cast<std::size_t>(_tzcnt_u64(rest)) % kWordBits * kWords;
        rest &= rest - 1;
      }
      common_vectors<kTogether>(bits, places, common);
      for (std::size_t i = 0; i < kTogether; ++i)
        found += pack(_mm512_maskz_mov_epi64(kept[i], common[i]), places_from(places[i]), to, found);
    }
    if (last) found += pack(common_lanes(bits, first + whole * kWords), places_from(first + whole * kWords), to, found);
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

CFRULES_AVX512 void find_outside_avx512(std::span<const IntervalBlock> blocks, const std::uint8_t* values,
                                        std::uint64_t* words) {
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const __m512i value = _mm512_set1_epi8(static_cast<char>(values[block]));
    words[block] = _mm512_cmplt_epu8_mask(value, _mm512_load_si512(blocks[block].low)) |
                   _mm512_cmpgt_epu8_mask(value, _mm512_load_si512(blocks[block].high));
  }
}

}  // namespace

const BitPath* avx512_bits() {
  const BitPath* narrower = avx2_bits();
  if (narrower == nullptr || !has_avx512()) return nullptr;
  static const BitPath path{
      "AVX-512",
      keep_inside_avx512<ByteSide, std::uint8_t>,
      keep_inside_avx512<WordSide, std::uint16_t>,
      narrower->count_bits,
      common_words_avx512,
      find_words_in_lines_avx512,
      keep_common_avx512,
      narrower->find_neighbours,
      find_outside_avx512,
      narrower->gather_bits,
      sum_common_avx512,
      narrower->raise_to};
  return &path;
}

#else

const BitPath* avx512_bits() { return nullptr; }

#endif

}  // namespace cfrules
