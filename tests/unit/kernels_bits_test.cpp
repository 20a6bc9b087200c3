#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "kernels/bit_path.h"

namespace cfrules {
namespace {

constexpr std::size_t kBlocks = 21;
constexpr std::size_t kFeatures = 5;

template <class Code>
std::vector<Code> random_codes(RandomStream& random, std::size_t codes) {
  std::vector<Code> drawn(kBlocks * kFeatures * kBlockRows);
  for (Code& code : drawn) code = static_cast<Code>(random.below(codes));
  return drawn;
}

std::vector<BlockSide> random_sides(RandomStream& random, std::size_t codes) {
  std::vector<BlockSide> sides(random.below(7));
  for (BlockSide& side : sides) {
    const std::size_t low = random.below(codes);
    side = {static_cast<std::uint32_t>(random.below(kFeatures)), static_cast<std::uint16_t>(low),
            static_cast<std::uint16_t>(random.below(codes - low))};
  }
  return sides;
}

std::vector<std::uint64_t> random_words(RandomStream& random, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words) word = random.next64() & random.next64();
  return words;
}

template <class Code>
bool is_inside(const std::vector<Code>& codes, std::size_t block, std::size_t row,
               const std::vector<BlockSide>& sides) {
  for (const BlockSide& side : sides) {
    const std::size_t code = codes[(side.feature * kBlocks + block) * kBlockRows + row];
    if (code < side.low || code > std::size_t{side.low} + side.width) return false;
  }
  return true;
}

using Words = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

Words first_of(std::size_t count, const std::vector<std::uint32_t>& places, const std::vector<std::uint64_t>& words) {
  Words pairs;
  for (std::size_t i = 0; i < count; ++i) pairs.push_back({places[i], words[i]});
  return pairs;
}

Words keep_inside_by(const BitPath& path, const std::vector<std::uint8_t>& codes, const PlacedWords& from,
                     std::span<const BlockSide> sides) {
  std::vector<std::uint32_t> places(from.places.size() + kSpareWords);
  std::vector<std::uint64_t> words(places.size());
  return first_of(path.keep_inside_bytes({codes, kBlocks}, from, sides, {places, words}), places, words);
}

// Where the words are.
Words keep_inside_by(const BitPath& path, const std::vector<std::uint16_t>& codes, const PlacedWords& from,
                     std::span<const BlockSide> sides) {
  const std::size_t size = from.places.size();
  std::vector<std::uint32_t> places(from.places.begin(), from.places.end());
  std::vector<std::uint64_t> words(from.words.begin(), from.words.end());
  places.resize(size + kSpareWords);
  words.resize(size + kSpareWords);
  const PlacedWords here{std::span(places).first(size), std::span(words).first(size)};
  return first_of(path.keep_inside_words({codes, kBlocks}, here, sides, {places, words}), places, words);
}

template <class Code>
void expect_rows_inside(std::size_t most_codes) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 300; ++id) {
      RandomStream random(1, Purpose::test, id);
      const std::vector<Code> codes = random_codes<Code>(random, most_codes);
      const std::vector<BlockSide> sides = random_sides(random, most_codes);
      std::vector<std::uint32_t> blocks;
      for (std::uint32_t block = 0; block < kBlocks; ++block)
        if (random.below(4) != 0) blocks.push_back(block);
      const std::vector<std::uint64_t> words = random_words(random, blocks.size());
      Words expected;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        std::uint64_t inside = 0;
        for (std::size_t row = 0; row < kBlockRows; ++row)
          inside |= std::uint64_t{is_inside(codes, blocks[i], row, sides)} << row;
        if ((words[i] & inside) != 0) expected.push_back({blocks[i], words[i] & inside});
      }
      ASSERT_EQ(keep_inside_by(*path, codes, {blocks, words}, sides), expected) << path->name << id;
    }
}

TEST(Bits, RowsInsideABoxAreTheOnesFoundOneByOne) { expect_rows_inside<std::uint8_t>(256); }

TEST(Bits, CodesOfTwoBytesAreComparedWhole) {
  expect_rows_inside<std::uint16_t>(3000);
  expect_rows_inside<std::uint16_t>(65536);
}

TEST(Bits, ManySidesAreNoneTooMany) {
  RandomStream random(2, Purpose::test, 0);
  const std::vector<std::uint8_t> codes = random_codes<std::uint8_t>(random, 10);
  const std::vector<BlockSide> sides(200, {1, 2, 5});
  const std::vector<std::uint32_t> blocks{5};
  const std::vector<std::uint64_t> words{~std::uint64_t{0}};
  for (const BitPath* path : bit_paths())
    EXPECT_EQ(keep_inside_by(*path, codes, {blocks, words}, sides),
              keep_inside_by(*path, codes, {blocks, words}, std::span(sides).first(1)))
        << path->name;
}

// Some rows of bits, of which two should be common and up to four should not.
struct BitRows {
  explicit BitRows(RandomStream& random) : size(1 + random.below(40)) {
    for (int i = 0; i < 6; ++i) rows.push_back(random_words(random, size));
    within = {rows[0].data(), rows[1].data()};
    for (std::size_t i = 2; i < 2 + random.below(5); ++i) without.push_back(rows[i].data());
  }
  [[nodiscard]] CommonBits common() const { return {within, without, size}; }

  std::size_t size;
  std::vector<std::vector<std::uint64_t>> rows;
  std::vector<const std::uint64_t*> within;
  std::vector<const std::uint64_t*> without;
};

TEST(Bits, CommonWordsAreTheOnesFoundOneByOne) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 300; ++id) {
      RandomStream random(3, Purpose::test, id);
      const BitRows rows(random);
      Words expected;
      for (std::uint32_t at = 0; at < rows.size; ++at)
        if (rows.common().word(at) != 0) expected.push_back({at, rows.common().word(at)});
      std::vector<std::uint32_t> places(rows.size + kSpareWords);
      std::vector<std::uint64_t> words(places.size());
      const std::uint64_t lines = (std::uint64_t{1} << (rows.size + kLineWords - 1) / kLineWords) - 1;  // all
      const std::size_t count = path->find_words_in_lines({&lines, 1}, rows.common(), {places, words});
      ASSERT_EQ(first_of(count, places, words), expected) << path->name << id;
    }
}

TEST(Bits, AllCommonWordsAreTheOnesFoundOneByOne) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 300; ++id) {
      RandomStream random(7, Purpose::test, id);
      const BitRows rows(random);
      std::vector<std::uint64_t> expected, words(rows.size);
      std::uint64_t filled = 0;
      for (std::size_t at = 0; at < rows.size; ++at) {
        expected.push_back(rows.common().word(at));
        if (at < kWordBits) filled |= std::uint64_t{expected[at] != 0} << at;
      }
      EXPECT_EQ(path->common_words(rows.common(), words), filled) << path->name << id;
      ASSERT_EQ(words, expected) << path->name << id;
    }
}

// All lines are looked at that have a bit, and some others.
TEST(Bits, WordsInLinesAreAllThereAre) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 300; ++id) {
      RandomStream random(8, Purpose::test, id);
      const std::size_t size = 1 + random.below(1200);
      const std::vector<std::uint64_t> ones = random_words(random, size), others = random_words(random, size);
      std::vector<std::uint64_t> few(size, 0);
      std::vector<std::uint64_t> lines(words_of_bits((size + kLineWords - 1) / kLineWords), 0);
      Words expected;
      for (std::uint32_t at = 0; at < size; ++at) {
        if (random.below(60) == 0) few[at] = ones[at];
        const std::uint64_t word = few[at] & ~others[at];
        if (word != 0) expected.push_back({at, word});
        const std::size_t line = at / kLineWords;
        if (word != 0 || random.below(20) == 0) lines[line / kWordBits] |= std::uint64_t{1} << line % kWordBits;
      }
      const std::vector<const std::uint64_t*> within{few.data()}, without{others.data()};
      std::vector<std::uint32_t> places(size + kSpareWords);
      std::vector<std::uint64_t> words(places.size());
      const std::size_t count = path->find_words_in_lines(lines, {within, without, size}, {places, words});
      ASSERT_EQ(first_of(count, places, words), expected) << path->name << id;
    }
}

TEST(Bits, NumbersAtCommonBitsAreSummedAsOneByOne) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 300; ++id) {
      RandomStream random(6, Purpose::test, id);
      const BitRows rows(random);
      std::vector<std::int64_t> numbers;
      for (std::size_t i = 0; i < rows.size * 64; ++i)
        numbers.push_back(static_cast<std::int64_t>(random.next32()) * 65'537 - (std::int64_t{1} << 46));
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if ((rows.common().word(i / 64) >> i % 64 & 1) != 0) expected += numbers[i];
      ASSERT_EQ(path->sum_common(rows.common(), numbers), expected) << path->name << id;
    }
}

TEST(Bits, WordsAreKeptWhereTheyHaveSomethingInCommonAlsoInPlace) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 300; ++id) {
      RandomStream random(4, Purpose::test, id);
      const BitRows rows(random);
      std::vector<std::uint32_t> places;
      for (std::uint32_t at = 0; at < rows.size; ++at)
        if (random.below(3) != 0) places.push_back(at);
      std::vector<std::uint64_t> words = random_words(random, places.size());
      Words expected;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::uint64_t word = words[i] & rows.common().word(places[i]);
        if (word != 0) expected.push_back({places[i], word});
      }
      const std::size_t size = places.size();
      places.resize(size + kSpareWords);
      words.resize(size + kSpareWords);
      std::vector<std::uint32_t> kept_places(places.size());
      std::vector<std::uint64_t> kept(places.size());
      const PlacedWords from{std::span(places).first(size), std::span(words).first(size)};
      const std::size_t count = path->keep_common(from, rows.common(), {kept_places, kept});
      ASSERT_EQ(first_of(count, kept_places, kept), expected) << path->name << id;
      ASSERT_EQ(path->keep_common(from, rows.common(), {places, words}), count);
      ASSERT_EQ(first_of(count, places, words), expected) << path->name << id;
    }
}

TEST(Bits, CountsAreTheOnesOfSingleBits) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 100; ++id) {
      RandomStream random(5, Purpose::test, id);
      const std::vector<std::uint64_t> words = random_words(random, random.below(20));
      const std::vector<std::uint64_t> marks = random_words(random, 2 * words.size());
      std::vector<std::uint32_t> places;
      BitCounts expected;
      for (std::uint32_t i = 0; i < words.size(); ++i) {
        places.push_back(2 * i + 1);
        for (int bit = 0; bit < 64; ++bit) {
          expected.all += words[i] >> bit & 1;
          expected.marked += words[i] >> bit & marks[places[i]] >> bit & 1;
        }
      }
      const BitCounts counts = path->count_bits({places, words}, marks);
      EXPECT_EQ(counts.all, expected.all) << path->name;
      EXPECT_EQ(counts.marked, expected.marked) << path->name;
    }
}

TEST(Bits, IntervalsThatDoNotHoldAValueAreTheOnesFoundOneByOne) {
  RandomStream random(1, Purpose::demo_data, 12);
  for (int round = 0; round < 200; ++round) {
    const std::size_t most = round % 2 == 0 ? 256 : 4;  // narrow ones have many ties
    std::vector<IntervalBlock> blocks(random.below(9));
    std::vector<std::uint8_t> values;
    for (IntervalBlock& block : blocks) {
      for (std::size_t i = 0; i < kWordBits; ++i) {
        block.low[i] = static_cast<std::uint8_t>(random.below(most));
        block.high[i] = static_cast<std::uint8_t>(random.below(most));  // below low: nothing is inside
      }
      values.push_back(static_cast<std::uint8_t>(random.below(most)));
    }
    for (const BitPath* path : bit_paths()) {
      std::vector<std::uint64_t> words(blocks.size(), 7);
      path->find_outside(blocks, values.data(), words.data());
      for (std::size_t block = 0; block < blocks.size(); ++block)
        for (std::size_t i = 0; i < kWordBits; ++i)
          ASSERT_EQ(words[block] >> i & 1,
                    values[block] < blocks[block].low[i] || values[block] > blocks[block].high[i] ? 1u : 0u)
              << path->name;
    }
  }
}

TEST(Bits, NeighboursAreTheNearestBitsOutsideAGap) {
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random(10, Purpose::test, id);
    const std::size_t size = 1 + random.below(kMostSparseWords);
    std::vector<std::uint64_t> words(kMostSparseWords + 2, 0);
    std::set<std::int32_t> set;
    for (std::size_t bits = random.below(id % 2 == 0 ? 4 : 200); bits > 0; --bits) {
      const std::size_t bit = random.below(size * kWordBits);
      words[1 + bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits;
      set.insert(static_cast<std::int32_t>(bit));
    }
    SparseBits bits{words.data() + 1, 0};
    for (std::size_t at = 0; at < size; ++at) bits.filled |= std::uint64_t{bits.words[at] != 0} << at;
    std::vector<BitGap> gaps;
    for (std::size_t i = 0; i < 40; ++i)
      gaps.push_back({static_cast<std::uint32_t>(random.below(size * kWordBits)),
                      static_cast<std::uint32_t>(random.below(size * kWordBits))});
    gaps.push_back({0, 0});
    for (const BitPath* path : bit_paths()) {
      std::vector<BitNeighbours> found(gaps.size());
      path->find_neighbours(bits, gaps, found.data());
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        const auto after = set.lower_bound(static_cast<std::int32_t>(gaps[i].high));
        const auto before = set.lower_bound(static_cast<std::int32_t>(gaps[i].low));
        if (before == set.begin())
          EXPECT_LE(found[i].below, 0) << path->name;
        else
          EXPECT_EQ(found[i].below, *std::prev(before) + 1) << path->name;
        if (after == set.end())
          EXPECT_GE(found[i].above, static_cast<std::int32_t>(kMostSparseWords * kWordBits)) << path->name;
        else
          EXPECT_EQ(found[i].above, *after) << path->name;
      }
    }
  }
}

TEST(Bits, GatheringTellsWhatEachWordSaysAtEachBit) {
  for (std::uint64_t id = 0; id < 200; ++id) {
    RandomStream random(9, Purpose::test, id);
    std::array<std::uint64_t, kGatheredWords> words;
    for (std::uint64_t& word : words) word = random.next64();
    const std::uint64_t bits = id == 0 ? 0 : id == 1 ? ~std::uint64_t{0} : random.next64() & random.next64();
    std::vector<std::uint16_t> expected;
    for (std::size_t bit = 0; bit < kWordBits; ++bit) {
      if ((bits >> bit & 1) == 0) continue;
      expected.push_back(0);
      for (std::size_t word = 0; word < kGatheredWords; ++word)
        if ((words[word] >> bit & 1) != 0) expected.back() = static_cast<std::uint16_t>(expected.back() + (1u << word));
    }
    for (const BitPath* path : bit_paths()) {
      std::vector<std::uint16_t> masks(expected.size());
      path->gather_bits(words, bits, masks.data());
      EXPECT_EQ(masks, expected) << path->name;
    }
  }
}

TEST(Bits, RaisingTakesTheLargerOfEach) {
  for (const BitPath* path : bit_paths())
    for (std::uint64_t id = 0; id < 100; ++id) {
      RandomStream random(6, Purpose::test, id);
      std::vector<std::uint16_t> to(1 + random.below(70));
      std::vector<std::uint16_t> from(to.size()), larger(to.size());
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = static_cast<std::uint16_t>(random.next32());
        from[i] = static_cast<std::uint16_t>(random.next32());
        larger[i] = std::max(to[i], from[i]);
      }
      path->raise_to(to, from);
      EXPECT_EQ(to, larger) << path->name;
    }
}

}  // namespace
}  // namespace cfrules
