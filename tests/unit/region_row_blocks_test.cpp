#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "region/cell_counter.h"
#include "region/row_blocks.h"

namespace cfrules {
namespace {

struct Rows {
  CodeMatrix codes;
  std::vector<std::uint8_t> flags;

  Rows(std::size_t rows, std::size_t features, std::size_t most_codes, RandomStream& random)
      : codes{rows, features, std::vector<Code>(rows * features)}, flags(rows) {
    for (Code& code : codes.codes) code = static_cast<Code>(random.below(most_codes));
    for (std::uint8_t& flag : flags) flag = static_cast<std::uint8_t>(random.below(2));
  }

  [[nodiscard]] std::vector<std::uint32_t> list(const std::vector<CodeSide>& box, std::size_t first_members) const {
    std::vector<std::uint32_t> listed;
    for (std::uint32_t row = 0; row < first_members; ++row) {
      const auto holds = [&](const CodeSide& side) { return side.codes.contains(codes.at(row, side.feature)); };
      if (std::all_of(box.begin(), box.end(), holds)) listed.push_back(row);
    }
    return listed;
  }
  [[nodiscard]] BitCounts count(const std::vector<CodeSide>& box, std::size_t first_members) const {
    BitCounts counts;
    for (const std::uint32_t row : list(box, first_members)) {
      ++counts.all;
      counts.marked += flags[row];
    }
    return counts;
  }
};

std::vector<CodeSide> random_box(const Rows& rows, std::size_t most_codes, RandomStream& random) {
  std::vector<CodeSide> box;
  for (std::size_t feature = 0; feature < rows.codes.features; ++feature) {
    if (random.below(2) == 0) continue;
    const auto low = static_cast<Code>(random.below(most_codes));
    const auto high = random.below(3) == 0 ? Code{0xFFFF} : static_cast<Code>(random.below(most_codes + 3));
    box.push_back({feature, {random.below(3) == 0 ? Code{0} : low, high}});  // some hold nothing
  }
  return box;
}

// The same with some sides narrower.
std::vector<CodeSide> box_inside(std::vector<CodeSide> box, RandomStream& random) {
  for (CodeSide& side : box) {
    side.codes.low = static_cast<Code>(side.codes.low + random.below(20));
    if (random.below(2) == 0) side.codes.high = static_cast<Code>(side.codes.high - std::min<Code>(side.codes.high, 9));
  }
  return box;
}

// How often codes are said to be asked about: most never.
AskedSides random_ends(std::size_t features, std::size_t most_codes, RandomStream& random) {
  AskedSides asked{{}, std::vector<std::vector<double>>(features)};
  for (std::vector<double>& ends : asked.ends) {
    ends.resize(random.below(most_codes));
    for (double& end : ends) end = random.below(4) == 0 ? random.uniform() : 0.0;
  }
  return asked;
}

void expect_counts(std::size_t most_prefix_bytes, std::size_t most_rows, std::size_t most_codes) {
  for (std::uint64_t id = 0; id < 120; ++id) {
    RandomStream random(1, Purpose::test, id);
    const Rows rows(1 + random.below(most_rows), 1 + random.below(6), most_codes, random);
    const AskedSides asked = id % 2 == 0 ? AskedSides{} : random_ends(rows.codes.features, most_codes, random);
    const RowBlocks blocks(rows.codes, asked, {}, most_prefix_bytes);
    const RowMarks marks = blocks.mark(rows.flags);
    const std::size_t members = random.below(rows.codes.rows + 1);
    std::vector<std::uint32_t> first;
    for (std::uint32_t row = 0; row < members; ++row) first.push_back(row);
    const RowMarks some = blocks.mark_rows(first);
    BlockScratch scratch;
    for (int each = 0; each < 10; ++each) {
      const std::vector<CodeSide> box = random_box(rows, most_codes, random);
      const BitCounts all = blocks.count(box, {}, marks, scratch);
      EXPECT_EQ(all.all, rows.count(box, rows.codes.rows).all) << id;
      EXPECT_EQ(all.marked, rows.count(box, rows.codes.rows).marked) << id;
      EXPECT_EQ(blocks.count(box, some, marks, scratch).all, rows.count(box, members).all) << id;
      EXPECT_EQ(blocks.count(box, some, marks, scratch).marked, rows.count(box, members).marked) << id;
      const std::vector<CodeSide> inside = box_inside(box, random);
      EXPECT_EQ(blocks.narrow(inside, marks, scratch).all, rows.count(inside, members).all) << id;
      EXPECT_EQ(blocks.narrow(inside, marks, scratch).marked, rows.count(inside, members).marked) << id;
      scratch.accept_narrower();
      const std::vector<CodeSide> innermost = box_inside(inside, random);
      EXPECT_EQ(blocks.narrow(innermost, marks, scratch).marked, rows.count(innermost, members).marked) << id;
      std::vector<std::uint32_t> listed;
      blocks.list(scratch.found, listed);
      std::sort(listed.begin(), listed.end());
      EXPECT_EQ(listed, rows.list(inside, members)) << id;
      EXPECT_EQ(blocks.rows_in(box), rows.list(box, rows.codes.rows)) << id;
    }
  }
}

constexpr std::size_t kNoBytes = 0;            // all codes share their bits
constexpr std::size_t kFewBytes = 4'000;       // some do
constexpr std::size_t kManyBytes = 1'000'000;  // none does

TEST(RowBlocks, CountWhatLiesInABox) { expect_counts(kNoBytes, 700, 200); }

TEST(RowBlocks, CountCodesOfTwoBytes) {
  expect_counts(kNoBytes, 700, 2000);
  expect_counts(kFewBytes, 700, 2000);
}

TEST(RowBlocks, CountByPrefixBits) { expect_counts(kManyBytes, 700, 200); }

TEST(RowBlocks, CountWhereCodesShareTheirBits) {
  expect_counts(kFewBytes, 700, 200);
  expect_counts(kFewBytes, 60, 200);
}

// With 70,000 rows a word does not hold a bit for each line.
TEST(RowBlocks, CountAcrossGroupsOfLines) {
  RandomStream random(2, Purpose::test, 0);
  const Rows rows(70'000, 3, 250, random);
  for (const std::size_t most_prefix_bytes : {std::size_t{0}, std::size_t{200'000}, std::size_t{10'000'000}}) {
    const RowBlocks blocks(rows.codes, {}, {}, most_prefix_bytes);
    const RowMarks marks = blocks.mark(rows.flags);
    BlockScratch scratch;
    for (int each = 0; each < 30; ++each) {
      const std::vector<CodeSide> box = random_box(rows, 250, random);
      EXPECT_EQ(blocks.count(box, {}, marks, scratch).all, rows.count(box, rows.codes.rows).all);
    }
  }
}

TEST(RowBlocks, ExpectWhatIndependentFeaturesWouldHold) {
  const CodeMatrix codes{8, 2, {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 3, 0, 3, 3}};
  const RowBlocks blocks(codes, {});
  EXPECT_DOUBLE_EQ(blocks.expected({}), 8);
  const std::vector<CodeSide> first{{0, {1, 2}}};
  EXPECT_DOUBLE_EQ(blocks.expected(first), 4);
  const std::vector<CodeSide> both{{0, {1, 0xFFFF}}, {1, {1, 1}}};
  EXPECT_DOUBLE_EQ(blocks.expected(both), 8 * (6.0 / 8) * (3.0 / 8));
  const std::vector<CodeSide> beyond{{1, {7, 9}}};
  EXPECT_DOUBLE_EQ(blocks.expected(beyond), 0);
}

PrefixBits bits_of(const CodeMatrix& codes, const AskedSides& asked, std::size_t rows_of_bits) {
  std::vector<std::uint32_t> order(codes.rows);
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<Code> last(codes.features, 99);
  return {codes, order, last, asked, rows_of_bits * row_stride(words_of_bits(codes.rows)) * sizeof(std::uint64_t), {}};
}

TEST(PrefixBits, HaveRowsOfTheCodesAskedAboutMost) {
  RandomStream random(3, Purpose::test, 0);
  const Rows rows(64, 2, 100, random);
  AskedSides asked{{}, {std::vector<double>(99, 0.0), {}}};
  for (const std::size_t code : {10, 11, 12, 70}) asked.ends[0][code] = 1;
  const PrefixBits few = bits_of(rows.codes, asked, 8);
  EXPECT_FALSE(few.exact());
  for (const Code code : std::initializer_list<Code>{10, 11, 12, 70}) {
    EXPECT_TRUE(few.decides({0, {0, code}}));
    EXPECT_TRUE(few.decides({0, {static_cast<Code>(code + 1), 99}}));
  }
  EXPECT_FALSE(few.decides({0, {0, 40}}));
  EXPECT_FALSE(few.decides({0, {11, 40}}));
  EXPECT_TRUE(few.decides({0, {11, 70}}));
  EXPECT_TRUE(few.decides({1, {0, 99}}));
  const PrefixBits many = bits_of(rows.codes, asked, 200);
  EXPECT_TRUE(many.exact());
  EXPECT_TRUE(many.decides({1, {17, 40}}));
}

// Levels of boxes, each inside the one before.
struct Levels {
  std::vector<std::uint16_t> tight;
  LevelBounds bounds;

  Levels(std::size_t levels, std::size_t features, std::size_t most_codes, RandomStream& random)
      : tight(levels * 2 * features, 0), bounds{tight, features} {
    for (std::size_t level = 1; level < levels; ++level) {
      const auto low = static_cast<Code>(random.below(most_codes / 2));
      const auto high = static_cast<Code>(low + random.below(most_codes));
      bounds.add(level, random.below(features), {low, high});
    }
    bounds.settle();
  }
  [[nodiscard]] std::vector<CodeSide> box(std::size_t level, std::span<const std::size_t> open) const {
    std::vector<CodeSide> box;
    for (std::size_t feature = 0; feature < bounds.features; ++feature)
      if (std::find(open.begin(), open.end(), feature) == open.end()) box.push_back({feature, bounds.side(level, feature)});
    return box;
  }
};

// Whether the first level is a guess (where bits do not tell all codes apart) or where the last answer was.
void expect_deepest(std::size_t most_prefix_bytes) {
  for (std::uint64_t id = 0; id < 60; ++id) {
    RandomStream random(4, Purpose::test, id);
    const Rows rows(1 + random.below(900), 2 + random.below(5), 50, random);
    const RowBlocks blocks(rows.codes, {}, {}, most_prefix_bytes);
    ASSERT_EQ(blocks.large(), most_prefix_bytes == kNoBytes);
    const RowMarks marks = blocks.mark(rows.flags);
    CellCounter counter(blocks);
    if (id % 3 == 0) counter.remember();
    for (int each = 0; each < 20; ++each) {
      const Levels levels(1 + random.below(9), rows.codes.features, 50, random);
      const std::size_t min_rows = 1 + random.below(12);
      const std::vector<std::size_t> open(random.below(2), random.below(rows.codes.features));
      const CountedCell found = counter.deepest(levels.bounds, {{}, marks, min_rows, open});
      std::size_t deepest = levels.bounds.levels() - 1;
      while (deepest > 0 && rows.list(levels.box(deepest, open), rows.codes.rows).size() < min_rows) --deepest;
      EXPECT_EQ(found.level, deepest) << id;
      EXPECT_EQ(found.rows.all, rows.count(levels.box(deepest, open), rows.codes.rows).all) << id;
      EXPECT_EQ(found.rows.marked, rows.count(levels.box(deepest, open), rows.codes.rows).marked) << id;
    }
  }
}

TEST(CellCounter, FindsTheDeepestLevelWithEnoughRows) { expect_deepest(kManyBytes); }

TEST(CellCounter, FindsItByAGuessWhereTheTableIsLarge) { expect_deepest(kNoBytes); }

}  // namespace
}  // namespace cfrules
