#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
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

void expect_counts(std::size_t most_prefix_bytes, std::size_t most_rows, std::size_t most_codes) {
  for (std::uint64_t id = 0; id < 120; ++id) {
    RandomStream random(1, Purpose::test, id);
    const Rows rows(1 + random.below(most_rows), 1 + random.below(6), most_codes, random);
    const RowBlocks blocks(rows.codes, {}, {}, most_prefix_bytes);
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

}  // namespace
}  // namespace cfrules
