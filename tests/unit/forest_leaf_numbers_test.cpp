#include "forest/leaf_numbers.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace cfrules::test {
namespace {

TEST(LeafNumbers, LeavesThatSayTheSameShareTheirNumbers) {
  LeafNumberList list(2);
  list.begin_tree(3);
  list.add(5, 7);
  list.add(5, 8);
  list.add(5, 7);
  list.begin_tree(2);
  list.add(0, 0);
  list.add(5, 8);
  list.end();
  const LeafNumbers numbers = list.of({});
  EXPECT_EQ(numbers.said[0], (std::vector<NumbersId>{1, 2, 1}));
  EXPECT_EQ(numbers.said[1], (std::vector<NumbersId>{kSaysNothing, 2}));
  EXPECT_EQ(std::vector<Fixed>(numbers.list.begin(), numbers.list.end()), (std::vector<Fixed>{0, 0, 5, 7, 5, 8}));
}

TEST(LeafNumbers, EachLeafSaysWhatWasAddedForIt) {
  for (const std::size_t channels : {1u, 2u})
    for (const std::size_t different : {1u, 3u, 1000u, 100000u}) {
      RandomStream random(17, Purpose::test, different);
      const auto draw = [&] { return static_cast<Fixed>(random.below(different)) - static_cast<Fixed>(different / 2); };
      LeafNumberList list(channels);
      std::vector<std::vector<std::pair<Fixed, Fixed>>> added;
      for (std::size_t tree = 0; tree < 5; ++tree) {
        const std::size_t leaves = 1 + random.below(3000);
        list.begin_tree(leaves);
        added.emplace_back();
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
          added.back().emplace_back(draw(), channels == 2 ? draw() << 40 : 0);
          list.add(added.back().back().first, added.back().back().second);
        }
      }
      list.end();
      const LeafNumbers numbers = list.of({});
      for (std::size_t tree = 0; tree < added.size(); ++tree)
        for (std::size_t leaf = 0; leaf < added[tree].size(); ++leaf) {
          const Fixed* const said = numbers.of(tree, leaf);
          ASSERT_EQ(said[0], added[tree][leaf].first);
          ASSERT_EQ(channels == 2 ? said[1] : 0, added[tree][leaf].second);
        }
      EXPECT_LE(numbers.list.size(), channels == 2 ? 2 + 2 * different * different : 1 + different);
    }
}

// All of these have the same hash (undone here step by step), so most find no place: they are said all the same.
TEST(LeafNumbers, NumbersThatFindNoPlaceAreNotShared) {
  std::uint64_t inverse = 1;
  for (int step = 0; step < 6; ++step) inverse *= 2 - 0x9E3779B97F4A7C15 * inverse;  // of the hash's factor
  LeafNumberList list(1);
  list.begin_tree(10'000);
  std::vector<Fixed> added;
  for (std::uint64_t id = 0; id < 10'000; ++id) {
    const std::uint64_t spread = ((std::uint64_t{77} << 32) + id % 5'000) * inverse;
    added.push_back(static_cast<Fixed>((spread ^ spread >> 32) * inverse * inverse));
    list.add(added.back());
  }
  list.end();
  const LeafNumbers numbers = list.of({});
  for (std::size_t leaf = 0; leaf < added.size(); ++leaf) ASSERT_EQ(*numbers.of(0, leaf), added[leaf]);
  EXPECT_GT(numbers.list.size(), 6'000u);  // shared they would be 5,001
}

}  // namespace
}  // namespace cfrules::test
