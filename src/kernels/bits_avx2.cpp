#include "base/send_for.h"
#include "kernels/bit_path.h"
#include "kernels/cpu.h"

#ifdef CFRULES_HAS_X86_PATHS
#include <immintrin.h>

#include <algorithm>

#define CFRULES_AVX2 __attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt")))
#endif

namespace cfrules {

#ifdef CFRULES_HAS_X86_PATHS

namespace {

// Sides are spread over vectors once.
CFRULES_AVX2 std::size_t keep_inside_avx2(BlockCodes<std::uint8_t> codes, const PlacedWords& from,
                                          std::span<const BlockSide> sides, WordRoom to) {
  constexpr std::size_t kMostSides = 64;
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
    for (const Side& side : std::span(spread, sides.size())) send_for_early(side.column + ahead);
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

constexpr std::size_t kVectorWords = 4;
static_assert(kVectorWords <= kSpareWords);

CFRULES_AVX2 inline __m256i load(const std::uint64_t* words) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}

// Vectors of common words, as many as there are places: each row is looked for once for all of them.
template <std::size_t kCount>
CFRULES_AVX2 inline void common_vectors(const CommonBits& bits, const std::uint32_t* places, __m256i* common) {
  for (std::size_t i = 0; i < kCount; ++i) common[i] = _mm256_set1_epi8(-1);
  for (const std::uint64_t* row : bits.within)
    for (std::size_t i = 0; i < kCount; ++i) common[i] = _mm256_and_si256(common[i], load(row + places[i]));
  for (const std::uint64_t* row : bits.without)
    for (std::size_t i = 0; i < kCount; ++i) common[i] = _mm256_andnot_si256(load(row + places[i]), common[i]);
}

// For each set of lanes of a vector of words: what moves them to its front.
struct Packing {
  alignas(32) std::uint32_t halves[16][2 * kVectorWords];  // where each half of a word comes from
  alignas(16) std::uint32_t lanes[16][kVectorWords];       // the lanes in the set
};
constexpr Packing kPacking = [] {
  Packing packing{};
  for (std::uint32_t set = 0; set < 16; ++set)
    for (std::uint32_t lane = 0, kept = 0; lane < kVectorWords; ++lane) {
      if ((set >> lane & 1) == 0) continue;
      packing.halves[set][2 * kept] = 2 * lane;
      packing.halves[set][2 * kept + 1] = 2 * lane + 1;
      packing.lanes[set][kept++] = lane;
    }
  return packing;
}();

// A bit for each word of a vector that is not zero.
CFRULES_AVX2 inline unsigned lanes_with_bits(__m256i words) {
  const __m256i zero = _mm256_cmpeq_epi64(words, _mm256_setzero_si256());
  return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(zero))) ^ 0xF;
}

// Packs a set of lanes behind what was found; returns how many. A whole vector is written.
CFRULES_AVX2 inline std::size_t pack(__m256i words, unsigned set, std::size_t place, WordRoom to, std::size_t found) {
  const __m256i halves = _mm256_load_si256(reinterpret_cast<const __m256i*>(kPacking.halves[set]));
  const __m128i lanes = _mm_load_si128(reinterpret_cast<const __m128i*>(kPacking.lanes[set]));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.words.data() + found), _mm256_permutevar8x32_epi32(words, halves));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to.places.data() + found),
                   _mm_add_epi32(lanes, _mm_set1_epi32(static_cast<int>(place))));
  return static_cast<std::size_t>(_mm_popcnt_u32(set));
}

constexpr std::size_t kTogether = 4;  // vectors

// The last words of a row, which fill no vector.
CFRULES_AVX2 inline std::size_t find_last_words(const CommonBits& bits, std::size_t from, WordRoom to,
                                                std::size_t found) {
  for (std::size_t at = from; at < bits.size; ++at) {
    const std::uint64_t word = bits.word(at);
    to.places[found] = static_cast<std::uint32_t>(at);
    to.words[found] = word;
    found += word != 0 ? 1 : 0;
  }
  return found;
}

CFRULES_AVX2 std::uint64_t common_words_avx2(const CommonBits& bits, std::span<std::uint64_t> to) {
  constexpr std::size_t kWords = kTogether * kVectorWords;
  std::uint64_t filled = 0;
  const auto store = [&](std::size_t at, __m256i words) CFRULES_AVX2 {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.data() + at), words);
    if (at < kWordBits) filled |= std::uint64_t{lanes_with_bits(words)} << at;
  };
  std::uint32_t at = 0;
  for (; at + kWords <= bits.size; at += kWords) {
    const std::uint32_t places[] = {at, at + 4, at + 8, at + 12};
    __m256i common[kTogether];
    common_vectors<kTogether>(bits, places, common);
    for (std::size_t i = 0; i < kTogether; ++i) store(places[i], common[i]);
  }
  for (; at + kVectorWords <= bits.size; at += kVectorWords) {
    __m256i common;
    common_vectors<1>(bits, &at, &common);
    store(at, common);
  }
  for (; at < bits.size; ++at) {
    to[at] = bits.word(at);
    if (at < kWordBits) filled |= std::uint64_t{to[at] != 0} << at;
  }
  return filled;
}

// A line is two vectors. How many there are nothing predicts, so always two are looked at together: where there is one,
// the first of all stands in for the other and nothing of it is kept.
CFRULES_AVX2 std::size_t find_words_in_lines_avx2(std::span<const std::uint64_t> lines, const CommonBits& bits,
                                                  WordRoom to) {
  static_assert(2 * kVectorWords == kLineWords && kTogether == 4);
  std::size_t found = 0;
  for (std::size_t some = 0; some < lines.size(); ++some) {
    std::uint64_t rest = lines[some];
    const std::size_t first = some * kWordBits * kLineWords;
    const std::size_t whole = (bits.size - first) / kLineWords;
    const bool last = whole < kWordBits && rest >> whole != 0;  // of the row: a line that is not full
    if (last) rest = _bzhi_u64(rest, static_cast<unsigned>(whole));
    while (rest != 0) {
      const auto one = static_cast<std::uint32_t>(first + _tzcnt_u64(rest) * kLineWords);
      rest = _blsr_u64(rest);
      const unsigned kept = rest != 0 ? 0xF : 0;
      const auto other = static_cast<std::uint32_t>(first + _tzcnt_u64(rest) % kWordBits * kLineWords);
      rest = _blsr_u64(rest);
      const std::uint32_t places[] = {one, one + 4, other, other + 4};
      __m256i common[kTogether];
      common_vectors<kTogether>(bits, places, common);
      found += pack(common[0], lanes_with_bits(common[0]), places[0], to, found);
      found += pack(common[1], lanes_with_bits(common[1]), places[1], to, found);
      found += pack(common[2], lanes_with_bits(common[2]) & kept, places[2], to, found);
      found += pack(common[3], lanes_with_bits(common[3]) & kept, places[3], to, found);
    }
    if (last) found = find_last_words(bits, first + whole * kLineWords, to, found);
  }
  return found;
}

// Some words at a time, so that each row is looked for once for all of them.
CFRULES_AVX2 std::size_t keep_common_avx2(const PlacedWords& from, const CommonBits& bits, WordRoom to) {
  std::size_t kept = 0;
  const auto keep = [&]<std::size_t kCount>(std::size_t at) CFRULES_AVX2 {
    std::uint32_t places[kCount];
    std::uint64_t words[kCount];
    for (std::size_t i = 0; i < kCount; ++i) {
      places[i] = from.places[at + i];
      words[i] = from.words[at + i];
    }
    for (const std::uint64_t* row : bits.within)
      for (std::size_t i = 0; i < kCount; ++i) words[i] &= row[places[i]];
    for (const std::uint64_t* row : bits.without)
      for (std::size_t i = 0; i < kCount; ++i) words[i] &= ~row[places[i]];
    for (std::size_t i = 0; i < kCount; ++i) {
      to.places[kept] = places[i];
      to.words[kept] = words[i];
      kept += words[i] != 0 ? 1 : 0;
    }
  };
  std::size_t at = 0;
  for (; at + 4 <= from.places.size(); at += 4) keep.template operator()<4>(at);
  for (; at < from.places.size(); ++at) keep.template operator()<1>(at);
  return kept;
}

// Four bits of a word at a time, the last ones first, become the signs of a vector's lanes, which choose between a sum and
// the same with four numbers added.
CFRULES_AVX2 std::int64_t sum_common_avx2(const CommonBits& bits, std::span<const std::int64_t> numbers) {
  const __m256i to_sign = _mm256_setr_epi64x(3, 2, 1, 0);
  constexpr std::size_t kSums = 4;
  __m256i sums[kSums] = {};
  for (std::size_t at = 0; at < bits.size; ++at) {
    const auto* here = reinterpret_cast<const __m256i*>(numbers.data() + at * kWordBits);
    __m256i word = _mm256_sllv_epi64(_mm256_set1_epi64x(static_cast<std::int64_t>(bits.word(at))), to_sign);
    for (std::size_t four = kWordBits / 4; four-- > 0; word = _mm256_slli_epi64(word, 4)) {
      __m256i& sum = sums[four % kSums];
      const __m256i more = _mm256_add_epi64(sum, _mm256_loadu_si256(here + four));
      sum = _mm256_castpd_si256(
          _mm256_blendv_pd(_mm256_castsi256_pd(sum), _mm256_castsi256_pd(more), _mm256_castsi256_pd(word)));
    }
  }
  alignas(32) std::int64_t lanes[kVectorWords];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes),
                     _mm256_add_epi64(_mm256_add_epi64(sums[0], sums[1]), _mm256_add_epi64(sums[2], sums[3])));
  return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

// The plain steps, of which these processors have single instructions that also count the zeros of zero.
CFRULES_AVX2 void find_neighbours_bmi(const SparseBits& bits, std::span<const BitGap> gaps, BitNeighbours* neighbours) {
  constexpr auto kBits = static_cast<std::uint32_t>(kWordBits);
  for (const BitGap gap : gaps) {
    const std::uint32_t low_at = gap.low / kBits;
    const std::uint64_t before = _bzhi_u64(bits.words[low_at], gap.low % kBits);
    const auto earlier = static_cast<std::uint32_t>(kBits - _lzcnt_u64(_bzhi_u64(bits.filled, low_at)));
    const std::uint64_t no_bit_before = std::uint64_t{0} - std::uint64_t{before == 0};
    const std::uint64_t below = before | ((bits.words - 1)[earlier] & no_bit_before);
    const std::uint32_t up_to = low_at + 1 - ((low_at + 1 - earlier) & static_cast<std::uint32_t>(no_bit_before));

    const std::uint32_t high_at = gap.high / kBits;
    const std::uint64_t after = bits.words[high_at] >> gap.high % kBits << gap.high % kBits;
    const std::uint64_t later_words = bits.filled & ~std::uint64_t{1} << high_at;
    const auto later = std::min(static_cast<std::uint32_t>(_tzcnt_u64(later_words)), kBits - 1);
    const std::uint64_t no_bit_after = std::uint64_t{0} - std::uint64_t{after == 0};
    const std::uint64_t above = after | (bits.words[later] & no_bit_after);
    const std::uint32_t from = high_at + ((later - high_at) & static_cast<std::uint32_t>(no_bit_after));
    *neighbours++ = {static_cast<std::int32_t>(up_to * kBits) - static_cast<std::int32_t>(_lzcnt_u64(below)),
                     static_cast<std::int32_t>(from * kBits + static_cast<std::uint32_t>(_tzcnt_u64(above)))};
  }
}

// Which of 32 intervals hold the value.
CFRULES_AVX2 std::uint32_t inside_avx2(__m256i value, const std::uint8_t* lows, const std::uint8_t* highs) {
  const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(lows));
  const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(highs));
  const __m256i above = _mm256_cmpeq_epi8(_mm256_max_epu8(value, low), value);
  const __m256i below = _mm256_cmpeq_epi8(_mm256_min_epu8(value, high), value);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_and_si256(above, below)));
}

CFRULES_AVX2 void find_outside_avx2(std::span<const IntervalBlock> blocks, const std::uint8_t* values,
                                    std::uint64_t* words) {
  constexpr std::size_t kHalf = kWordBits / 2;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const __m256i value = _mm256_set1_epi8(static_cast<char>(values[i]));
    const IntervalBlock& block = blocks[i];
    const std::uint64_t second = inside_avx2(value, block.low + kHalf, block.high + kHalf);
    words[i] = ~(inside_avx2(value, block.low, block.high) | second << kHalf);
  }
}

// The bit of each word becomes its sign.
CFRULES_AVX2 void gather_bits_avx2(std::span<const std::uint64_t, kGatheredWords> words, std::uint64_t bits,
                                   std::uint16_t* masks) {
  constexpr std::size_t kVectors = kGatheredWords / kVectorWords;
  __m256i vectors[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) vectors[i] = load(&words[i * kVectorWords]);
  for (; bits != 0; bits = _blsr_u64(bits)) {
    const __m128i to_top = _mm_cvtsi64_si128(static_cast<std::int64_t>(kWordBits - 1 - _tzcnt_u64(bits)));
    unsigned mask = 0;
    for (std::size_t i = 0; i < kVectors; ++i) {
      const __m256d signs = _mm256_castsi256_pd(_mm256_sll_epi64(vectors[i], to_top));
      mask |= static_cast<unsigned>(_mm256_movemask_pd(signs)) << i * kVectorWords;
    }
    *masks++ = static_cast<std::uint16_t>(mask);
  }
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
                            common_words_avx2,
                            find_words_in_lines_avx2,
                            keep_common_avx2,
                            find_neighbours_bmi,
                            find_outside_avx2,
                            gather_bits_avx2,
                            sum_common_avx2,
                            raise_to_avx2};
  return has_avx2() ? &path : nullptr;
}

#else

const BitPath* avx2_bits() { return nullptr; }

#endif

}  // namespace cfrules
