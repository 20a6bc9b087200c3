#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "kernels/bits.h"
#include "region/cell_lookup.h"
#include "region/cell_walk.h"

namespace cfrules {
namespace {

constexpr std::size_t kFeatures = 4;

// Any tree of up to so many splits; its cuts need not make sense.
Tree random_tree(RandomStream& random, std::size_t splits, std::size_t codes) {
  Tree tree;
  tree.nodes.resize(1);
  std::int32_t leaves = 0;
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes.size() > 2 * splits || (node > 0 && random.below(8) == 0)) {
      tree.nodes[node].left = ~leaves++;
      continue;
    }
    tree.nodes[node] = {static_cast<std::int32_t>(tree.nodes.size()),
                        static_cast<std::uint16_t>(random.below(kFeatures)), static_cast<Code>(random.below(codes))};
    tree.nodes.resize(tree.nodes.size() + 2);
  }
  return tree;
}

// Points, ranges and everything, also beyond the last cut.
Region random_region(RandomStream& random, std::size_t codes) {
  Axis axis;
  for (std::size_t cut = 0; cut < codes + 1; ++cut) axis.cuts.push_back(static_cast<double>(cut));
  const Grid grid(std::vector<Axis>(kFeatures, axis));
  Region region = Region::at(std::vector<Code>(kFeatures));
  for (std::size_t feature = 0; feature < kFeatures; ++feature) {
    const auto low = static_cast<Code>(random.below(codes + 3));
    switch (random.below(4)) {
      case 0:
        region.fix(feature, low);
        break;
      case 1:
        region.limit(feature, {low, static_cast<Code>(low + random.below(codes))});
        break;
      case 2:
        region.limit(feature, {kMissing, static_cast<Code>(codes + 2)});
        break;
      default:
        region.free(feature, grid);
    }
  }
  return region;
}

void expect_same_bounds(std::size_t splits, std::size_t codes, std::uint64_t trees = 300) {
  NodeBitsRoom kept;
  std::vector<std::uint16_t> bounds;
  for (std::uint64_t id = 0; id < trees; ++id) {
    RandomStream random(1, Purpose::test, id);
    const Tree tree = random_tree(random, random.below(splits + 1), codes);
    ASSERT_TRUE(NodeBits::knows(tree));
    const NodeBits nodes(tree, kFeatures);
    SidesMemory sides;
    Region region = random_region(random, codes);
    for (int each = 0; each < 6; ++each) {  // sides that are remembered and sides that are not
      const Estimator estimator = each % 2 == 0 ? Estimator::paper : Estimator::inside;
      region.take(random.below(kFeatures), random_region(random, codes));
      CellWalkRoom room;
      CellWalk<Node> walk(tree.nodes, region, estimator, room);
      walk.finish();
      CellLookup lookup(nodes, region, estimator, sides, kept);
      ASSERT_GE(lookup.levels(), walk.levels());
      for (std::size_t level = lookup.levels(); level-- > 0;) {
        lookup.copy(level, bounds);
        EXPECT_THAT(bounds, testing::ElementsAreArray(walk.level(std::min(level, walk.levels() - 1))))
            << id << " level " << level;
      }
      EXPECT_FALSE(lookup.reach(lookup.levels()));
    }
  }
}

TEST(NodeBits, FindTheBoundsThatAWalkFinds) { expect_same_bounds(30, 12); }

TEST(NodeBits, FindTheBoundsOfTreesOfManySplits) { expect_same_bounds(900, 250); }

TEST(NodeBits, FindTheBoundsOfTreesOfAsManySplitsAsTheyKnow) {
  expect_same_bounds(NodeBits::kMostWords * kWordBits - 2, 2000, 20);
}

TEST(NodeBits, DoNotKnowTreesOfTooManySplits) {
  Tree tree;
  tree.nodes.resize(2 * NodeBits::kMostWords * kWordBits - 1, {~0, 0, 0});
  EXPECT_TRUE(NodeBits::knows(tree));
  tree.nodes.resize(tree.nodes.size() + 2, {~0, 0, 0});
  EXPECT_FALSE(NodeBits::knows(tree));
}

TEST(NodeBits, DoNotKnowTreesWhereMissingGoesRight) {
  Tree tree;
  tree.nodes = {{1, Node::kMissingRight, 2}, {~0, 0, 0}, {~1, 0, 0}};
  EXPECT_FALSE(NodeBits::knows(tree));
  tree.nodes[0].feature = 0;
  EXPECT_TRUE(NodeBits::knows(tree));
}

}  // namespace
}  // namespace cfrules
