#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.h"
#include "forest/small_nodes.h"
#include "region/cell_walk.h"
#include "region/region.h"
#include "region/walk.h"
#include "support/hand_forest.h"

namespace cfrules::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Writes down what a walk says.
struct Diary {
  struct Bound {
    std::size_t depth;
    std::size_t feature;
    Interval codes;
    std::size_t other;
    bool operator==(const Bound&) const = default;
  };
  void bound(std::size_t depth, std::size_t feature, Interval codes, std::size_t other) {
    bounds.push_back({depth, feature, codes, other});
  }
  bool enter(std::size_t /*feature*/, Interval part, const Node& /*node*/, bool /*left*/) {
    parts.push_back(part);
    return part.low <= part.high;
  }
  void leave(std::size_t /*feature*/) { ++left; }
  void leaf(std::size_t node, std::size_t depth) {
    leaves.push_back(node);
    depths.push_back(depth);
  }

  std::vector<Bound> bounds;
  std::vector<Interval> parts;
  std::vector<std::size_t> leaves;
  std::vector<std::size_t> depths;
  std::size_t left = 0;
};

Diary walk_of(const Sketch& sketch, const Grid& grid, const std::vector<Interval>& sides) {
  const Forest forest = forest_of({sketch}, grid, CodeMatrix{0, grid.features(), {}});
  Diary diary;
  const auto side = [&](std::size_t feature) { return sides[feature]; };
  walk(forest.trees.front().nodes, side, diary);
  return diary;
}

// x0 <= 10 ? node 1 : node 2. The cut has code 1: codes up to 1 go left.
const Sketch kStump = split(0, 10, leaf(), leaf());
const Grid kStumpGrid({Axis{{5, 10, 20}, {}}});

TEST(Walk, ARegionBelowTheCutGoesLeftAndBoundsTheCellFromAbove) {
  const Diary diary = walk_of(kStump, kStumpGrid, {{1, 2}});
  EXPECT_THAT(diary.leaves, ElementsAre(1));
  EXPECT_THAT(diary.bounds, ElementsAre(Diary::Bound{0, 0, {0, 2}, 2}));
  EXPECT_THAT(diary.parts, IsEmpty());
}

TEST(Walk, ARegionAboveTheCutGoesRightAndBoundsTheCellFromBelow) {
  const Diary diary = walk_of(kStump, kStumpGrid, {{3, 4}});
  EXPECT_THAT(diary.leaves, ElementsAre(2));
  EXPECT_THAT(diary.bounds, ElementsAre(Diary::Bound{0, 0, {3, kTop}, 1}));
}

TEST(Walk, ARegionAcrossTheCutGoesBothWaysAndLeavesTheCellAsItIs) {
  const Diary diary = walk_of(kStump, kStumpGrid, {{2, 3}});
  EXPECT_THAT(diary.leaves, ElementsAre(1, 2));
  EXPECT_THAT(diary.bounds, IsEmpty());
  EXPECT_THAT(diary.parts, ElementsAre(Interval{2, 2}, Interval{3, 3}));
  EXPECT_EQ(diary.left, 2u);
}

TEST(Walk, MissingLiesBelowEveryCut) {
  const Diary diary = walk_of(kStump, kStumpGrid, {{kMissing, kMissing}});
  EXPECT_THAT(diary.leaves, ElementsAre(1));
  EXPECT_THAT(diary.bounds, ElementsAre(Diary::Bound{0, 0, {0, 2}, 2}));
}

// The paper's tree: X0 = 1.5 is fixed, X1 lies in [2, 3.5]. The cut at 2.9 is inside that interval.
TEST(Walk, ThePapersCutInsideTheIntervalSendsTheWalkBothWays) {
  const Sketch paper = split(0, 1.0, leaf(), split(1, 2.9, leaf(), split(0, 2.0, leaf(), leaf())));
  const Grid grid = grid_of(2, {paper});
  const Code fixed = grid.code(0, 1.5);
  const Diary diary = walk_of(paper, grid, {{fixed, fixed}, {grid.code(1, 2), grid.code(1, 3.5)}});
  EXPECT_THAT(diary.bounds, ElementsAre(Diary::Bound{0, 0, {2, kTop}, 1}, Diary::Bound{2, 0, {0, 2}, 6}));
  EXPECT_THAT(diary.leaves, ElementsAre(3, 5));
  EXPECT_THAT(diary.depths, ElementsAre(2, 3));
}

Sketch missing_right(Sketch sketch) {
  sketch.missing_right = true;
  return sketch;
}

TEST(Walk, WhereMissingGoesRightItFollowsAndTheCellKeepsMissingRowsOnly) {
  const Diary diary = walk_of(missing_right(kStump), kStumpGrid, {{kMissing, kMissing}});
  EXPECT_THAT(diary.leaves, ElementsAre(2));
  EXPECT_THAT(diary.bounds, ElementsAre(Diary::Bound{0, 0, {0, 0}, 1}));
}

TEST(Walk, WhereMissingGoesRightValuesOnTheLeftShareNoCellWithIt) {
  const Diary diary = walk_of(missing_right(kStump), kStumpGrid, {{1, 2}});
  EXPECT_THAT(diary.leaves, ElementsAre(1));
  EXPECT_THAT(diary.bounds, ElementsAre(Diary::Bound{0, 0, {1, 2}, 2}));
}

TEST(Walk, WhereMissingGoesRightARegionOfMissingAndSmallValuesGoesBothWays) {
  const Diary diary = walk_of(missing_right(kStump), kStumpGrid, {{0, 1}});
  EXPECT_THAT(diary.leaves, ElementsAre(1, 2));
  EXPECT_THAT(diary.bounds, IsEmpty());
}

// Any tree of a few splits on three features of nine codes; of every other tree some send missing right.
std::vector<Node> random_tree(RandomStream& random) {
  const bool some_right = random.below(2) == 0;
  std::vector<Node> nodes(1);
  std::int32_t leaves = 0;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (nodes.size() > 40 || (node > 0 && random.below(5) == 0)) {
      nodes[node].left = ~leaves++;
      continue;
    }
    const std::size_t missing = some_right && random.below(4) == 0 ? Node::kMissingRight : 0;
    nodes[node] = {static_cast<std::int32_t>(nodes.size()), static_cast<std::uint16_t>(random.below(3) | missing),
                   static_cast<Code>(random.below(8))};
    nodes.resize(nodes.size() + 2);
  }
  return nodes;
}

Region random_region(RandomStream& random) {
  Region region = Region::at(std::vector<Code>(3));
  for (std::size_t feature = 0; feature < 3; ++feature) {
    const auto low = static_cast<Code>(random.below(9));
    region.limit(feature, {low, static_cast<Code>(low + random.below(9u - low))});
  }
  return region;
}

template <class AnyNode>
void expect_cells_of_walk(std::span<const AnyNode> nodes, const Region& region, const Diary& diary) {
  CellWalkRoom room;
  std::vector<Excluded> excluded;
  CellWalk<AnyNode> cell(nodes, region, Estimator::paper, room, &excluded);
  EXPECT_EQ(cell.levels(), 1u);
  const std::size_t depth = *std::max_element(diary.depths.begin(), diary.depths.end());
  EXPECT_TRUE(cell.reach(depth));
  EXPECT_FALSE(cell.reach(depth + 1));
  ASSERT_EQ(cell.levels(), depth + 1);

  std::vector<std::uint16_t> tight((depth + 1) * 2 * 3, 0);
  const LevelBounds bounds{tight, 3};
  for (const Diary::Bound& bound : diary.bounds) bounds.add(bound.depth + 1, bound.feature, bound.codes);
  bounds.settle();
  EXPECT_THAT(cell.bounds().tight, testing::ElementsAreArray(tight));
  std::vector<std::pair<std::size_t, std::size_t>> expected, found;
  for (const Diary::Bound& bound : diary.bounds) expected.push_back({bound.depth, bound.other});
  for (const Excluded& out : excluded) found.push_back({out.depth, out.node});
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
}

TEST(CellWalk, FindsLevelByLevelWhatTheWalkFindsBranchByBranch) {
  std::size_t small = 0;
  for (std::uint64_t id = 0; id < 500; ++id) {
    SCOPED_TRACE(id);
    RandomStream random(1, Purpose::test, id);
    Tree tree;
    tree.nodes = random_tree(random);
    const Region region = random_region(random);
    Diary diary;
    const auto side = [&](std::size_t feature) { return region.side(feature); };
    walk(std::span<const Node>(tree.nodes), side, diary);
    expect_cells_of_walk(std::span<const Node>(tree.nodes), region, diary);
    const SmallTrees trees = small_nodes(std::span(&tree, 1));
    if (trees.empty()) continue;
    ++small;
    expect_cells_of_walk(std::span<const SmallNode>(trees.front()), region, diary);
  }
  EXPECT_GT(small, 200u);
}

}  // namespace
}  // namespace cfrules::test
