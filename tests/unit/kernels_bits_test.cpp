#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "kernels/bits.h"

namespace cfrules {
namespace {

constexpr std::size_t kBlocks = 9;
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
    const std::size_t code = codes[(block * kFeatures + side.feature) * kBlockRows + row];
    if (code < side.low || code > std::size_t{side.low} + side.width) return false;
  }
  return true;
}

template <class Code>
void expect_rows_inside(std::size_t most_codes) {
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random(1, Purpose::test, id);
    const std::vector<Code> codes = random_codes<Code>(random, most_codes);
    const std::vector<BlockSide> sides = random_sides(random, most_codes);
    const std::vector<std::uint32_t> blocks{0, 3, 4, 8};
    std::vector<std::uint64_t> masks(blocks.size());
    std::vector<std::uint64_t> twin(blocks.size());
    rows_inside(std::span<const Code>(codes), kFeatures, blocks, sides, masks);
    plain::rows_inside(std::span<const Code>(codes), kFeatures, blocks, sides, twin);
    EXPECT_EQ(masks, twin);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (std::size_t row = 0; row < kBlockRows; ++row)
        ASSERT_EQ(twin[i] >> row & 1, is_inside(codes, blocks[i], row, sides) ? 1u : 0u) << id;
  }
}

TEST(Bits, RowsInsideABoxAreTheOnesFoundOneByOne) { expect_rows_inside<std::uint8_t>(256); }

TEST(Bits, CodesOfTwoBytesAreComparedWhole) { expect_rows_inside<std::uint16_t>(3000); }

TEST(Bits, ManySidesAreNoneTooMany) {
  RandomStream random(2, Purpose::test, 0);
  const std::vector<std::uint8_t> codes = random_codes<std::uint8_t>(random, 10);
  const std::vector<BlockSide> sides(200, {1, 2, 5});
  const std::vector<std::uint32_t> blocks{5};
  std::vector<std::uint64_t> many(1), one(1);
  rows_inside(codes, kFeatures, blocks, sides, many);
  rows_inside(codes, kFeatures, blocks, std::span(sides).first(1), one);
  EXPECT_EQ(many, one);
}

TEST(Bits, CountsAndCommonWordsAreThePlainOnes) {
  for (std::uint64_t id = 0; id < 200; ++id) {
    RandomStream random(3, Purpose::test, id);
    const std::size_t words = 1 + random.below(20);
    std::vector<std::vector<std::uint64_t>> rows;
    for (int i = 0; i < 6; ++i) rows.push_back(random_words(random, words));
    const std::vector<std::uint64_t> marks = random_words(random, words);
    const std::vector<const std::uint64_t*> within{rows[0].data(), rows[1].data()};
    std::vector<const std::uint64_t*> without;
    for (std::size_t i = 2; i < 2 + random.below(4); ++i) without.push_back(rows[i].data());
    const CommonBits bits{within, without, words};
    std::vector<std::uint32_t> found(words), found_twin(words);
    std::vector<std::uint64_t> common(words), common_twin(words);
    const std::size_t count = find_words(bits, found, common);
    ASSERT_EQ(count, plain::find_words(bits, found_twin, common_twin));
    std::size_t next = 0;
    for (std::uint32_t at = 0; at < words; ++at) {
      if (bits.word(at) == 0) continue;
      ASSERT_LT(next, count);
      EXPECT_EQ(found[next], at);
      EXPECT_EQ(found_twin[next], at);
      EXPECT_EQ(common[next], bits.word(at));
      EXPECT_EQ(common_twin[next++], bits.word(at));
    }
    EXPECT_EQ(next, count);
    const std::vector<std::uint32_t> places{0, static_cast<std::uint32_t>(words - 1)};
    const std::vector<std::uint64_t> masks = random_words(random, 2);
    EXPECT_EQ(count_bits(places, masks, marks).all, plain::count_bits(places, masks, marks).all);
    EXPECT_EQ(count_bits(places, masks, marks).marked, plain::count_bits(places, masks, marks).marked);
  }
}

TEST(Bits, RaisingTakesTheLargerOfEach) {
  for (std::uint64_t id = 0; id < 100; ++id) {
    RandomStream random(4, Purpose::test, id);
    std::vector<std::uint16_t> to(1 + random.below(70));
    std::vector<std::uint16_t> from(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = static_cast<std::uint16_t>(random.next32());
      from[i] = static_cast<std::uint16_t>(random.next32());
    }
    std::vector<std::uint16_t> twin = to;
    raise_to(to, from);
    plain::raise_to(twin, from);
    EXPECT_EQ(to, twin);
  }
}

}  // namespace
}  // namespace cfrules
