#include "kernels/bits.h"

#include <algorithm>
#include <bit>

#include "kernels/bit_path.h"

namespace cfrules {

namespace {

template <class Number>
std::size_t keep_inside_plain(BlockCodes<Number> codes, const PlacedWords& from, std::span<const BlockSide> sides,
                              WordRoom to) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.places.size(); ++i) {
    const std::uint32_t place = from.places[i];
    std::uint64_t word = from.words[i];
    for (const BlockSide& side : sides) {
      const Number* column = codes.column(side.feature) + place * kBlockRows;
      std::uint64_t inside = 0;
      for (std::size_t row = 0; row < kBlockRows; ++row) {
        const bool in = static_cast<Number>(column[row] - side.low) <= side.width;
        inside |= std::uint64_t{in} << row;
      }
      word &= inside;
    }
    to.places[kept] = place;
    to.words[kept] = word;
    kept += word != 0 ? 1 : 0;
  }
  return kept;
}

BitCounts count_bits_plain(const PlacedWords& words, std::span<const std::uint64_t> marks) {
  BitCounts counts;
  for (std::size_t i = 0; i < words.places.size(); ++i) {
    counts.all += static_cast<std::size_t>(std::popcount(words.words[i]));
    counts.marked += static_cast<std::size_t>(std::popcount(words.words[i] & marks[words.places[i]]));
  }
  return counts;
}

std::uint64_t common_words_plain(const CommonBits& bits, std::span<std::uint64_t> to) {
  std::uint64_t filled = 0;
  for (std::size_t at = 0; at < bits.size; ++at) {
    to[at] = bits.word(at);
    if (at < kWordBits) filled |= std::uint64_t{to[at] != 0} << at;
  }
  return filled;
}

std::size_t find_words_in_lines_plain(std::span<const std::uint64_t> lines, const CommonBits& bits, WordRoom to) {
  std::size_t found = 0;
  for (std::size_t some = 0; some < lines.size(); ++some)
    for (std::uint64_t rest = lines[some]; rest != 0; rest &= rest - 1) {
      const std::size_t line = some * kWordBits + static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t end = std::min((line + 1) * kLineWords, bits.size);
      for (std::size_t at = line * kLineWords; at < end; ++at) {
        const std::uint64_t word = bits.word(at);
        to.places[found] = static_cast<std::uint32_t>(at);
        to.words[found] = word;
        found += word != 0 ? 1 : 0;
      }
    }
  return found;
}

std::size_t keep_common_plain(const PlacedWords& from, const CommonBits& bits, WordRoom to) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < from.places.size(); ++i) {
    const std::uint32_t place = from.places[i];
    const std::uint64_t word = from.words[i] & bits.word(place);
    to.places[kept] = place;
    to.words[kept] = word;
    kept += word != 0 ? 1 : 0;
  }
  return kept;
}

void find_outside_plain(std::span<const IntervalBlock> blocks, const std::uint8_t* values, std::uint64_t* words) {
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const std::uint8_t value = values[block];
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < kWordBits; ++i) {
      const bool outside = (value < blocks[block].low[i]) | (value > blocks[block].high[i]);
      word |= std::uint64_t{outside} << i;
    }
    words[block] = word;
  }
}

// Nothing predicts which word has the bit: no branches, and bits that keep words from being zero where that makes no
// difference. Compilers make a branch of `?:` here.
std::uint64_t either(bool first, std::uint64_t one, std::uint64_t other) {
  return other ^ ((one ^ other) & (std::uint64_t{0} - std::uint64_t{first}));
}

std::int32_t first_bit(const SparseBits& bits, std::size_t begin) {
  constexpr std::uint64_t kLast = std::uint64_t{1} << (kWordBits - 1);
  const std::size_t at = begin / kWordBits;
  const std::uint64_t here = bits.words[at] & ~std::uint64_t{0} << begin % kWordBits;
  const auto later = static_cast<std::size_t>(std::countr_zero((bits.filled & ~std::uint64_t{1} << at) | kLast));
  const std::size_t from = either(here != 0, at, later);
  const std::uint64_t word = either(here != 0, here, bits.words[later]);
  return static_cast<std::int32_t>(from * kWordBits) + std::countr_zero(word | kLast);
}

std::int32_t past_last_bit(const SparseBits& bits, std::size_t end) {
  const std::size_t at = end / kWordBits;
  const std::uint64_t here = bits.words[at] & ((std::uint64_t{1} << end % kWordBits) - 1);
  const std::uint64_t filled = bits.filled & ((std::uint64_t{1} << at) - 1);
  const auto earlier = kWordBits - 1 - static_cast<std::size_t>(std::countl_zero(filled << 1 | 1));  // words up to it
  const std::size_t up_to = either(here != 0, at + 1, earlier);
  const std::uint64_t word = either(here != 0, here, (bits.words - 1)[earlier]);
  return static_cast<std::int32_t>(up_to * kWordBits) - std::countl_zero(word | 1);
}

void find_neighbours_plain(const SparseBits& bits, std::span<const BitGap> gaps, BitNeighbours* neighbours) {
  for (const BitGap gap : gaps) *neighbours++ = {past_last_bit(bits, gap.low), first_bit(bits, gap.high)};
}

void gather_bits_plain(std::span<const std::uint64_t, kGatheredWords> words, std::uint64_t bits, std::uint16_t* masks) {
  for (; bits != 0; bits &= bits - 1) {
    const int bit = std::countr_zero(bits);
    unsigned mask = 0;
    for (std::size_t word = 0; word < kGatheredWords; ++word) mask |= static_cast<unsigned>(words[word] >> bit & 1) << word;
    *masks++ = static_cast<std::uint16_t>(mask);
  }
}

std::int64_t sum_common_plain(const CommonBits& bits, std::span<const std::int64_t> numbers) {
  std::int64_t sum = 0;
  for (std::size_t at = 0; at < bits.size; ++at)
    for (std::uint64_t word = bits.word(at); word != 0; word &= word - 1)
      sum += numbers[at * kWordBits + static_cast<std::size_t>(std::countr_zero(word))];
  return sum;
}

void raise_to_plain(std::span<std::uint16_t> to, std::span<const std::uint16_t> from) {
  for (std::size_t at = 0; at < to.size(); ++at) to[at] = std::max(to[at], from[at]);
}

const BitPath& kFastest = *bit_paths().back();

}  // namespace

const BitPath& plain_bits() {
  static constexpr BitPath path{"plain",
                                keep_inside_plain<std::uint8_t>,
                                keep_inside_plain<std::uint16_t>,
                                count_bits_plain,
                                common_words_plain,
                                find_words_in_lines_plain,
                                keep_common_plain,
                                find_neighbours_plain,
                                find_outside_plain,
                                gather_bits_plain,
                                sum_common_plain,
                                raise_to_plain};
  return path;
}

std::vector<const BitPath*> bit_paths() {
  std::vector<const BitPath*> paths{&plain_bits()};
  for (const BitPath* path : {avx2_bits(), avx512_bits()})
    if (path != nullptr) paths.push_back(path);
  return paths;
}

std::size_t keep_inside(BlockCodes<std::uint8_t> codes, const PlacedWords& from, std::span<const BlockSide> sides,
                        WordRoom to) {
  return kFastest.keep_inside_bytes(codes, from, sides, to);
}

std::size_t keep_inside(BlockCodes<std::uint16_t> codes, const PlacedWords& from, std::span<const BlockSide> sides,
                        WordRoom to) {
  return kFastest.keep_inside_words(codes, from, sides, to);
}

BitCounts count_bits(const PlacedWords& words, std::span<const std::uint64_t> marks) {
  return kFastest.count_bits(words, marks);
}

std::uint64_t common_words(const CommonBits& bits, std::span<std::uint64_t> to) {
  return kFastest.common_words(bits, to);
}

std::size_t find_words(std::span<const std::uint64_t> lines, const CommonBits& bits, WordRoom to) {
  return kFastest.find_words_in_lines(lines, bits, to);
}

std::size_t keep_common(const PlacedWords& from, const CommonBits& bits, WordRoom to) {
  return kFastest.keep_common(from, bits, to);
}

void find_neighbours(const SparseBits& bits, std::span<const BitGap> gaps, BitNeighbours* neighbours) {
  kFastest.find_neighbours(bits, gaps, neighbours);
}

void find_outside(std::span<const IntervalBlock> blocks, const std::uint8_t* values, std::uint64_t* words) {
  kFastest.find_outside(blocks, values, words);
}

void gather_bits(std::span<const std::uint64_t, kGatheredWords> words, std::uint64_t bits, std::uint16_t* masks) {
  kFastest.gather_bits(words, bits, masks);
}

std::int64_t sum_common(const CommonBits& bits, std::span<const std::int64_t> numbers) {
  return kFastest.sum_common(bits, numbers);
}

void raise_to(std::span<std::uint16_t> to, std::span<const std::uint16_t> from) { kFastest.raise_to(to, from); }

}  // namespace cfrules
