#include "forest/small_nodes.h"

#include <gtest/gtest.h>

#include "support/hand_forest.h"

namespace cfrules::test {
namespace {

Tree tree_of(const Sketch& sketch) {
  const Grid grid = grid_of(2, {sketch});
  return forest_of({sketch}, grid, grid.codes(table_of({{0, 0}}))).trees.front();
}

Tree some_tree() { return tree_of(split(0, 1, leaf(), split(1, 5, split(0, 3, leaf(), leaf()), leaf()))); }

TEST(SmallNodes, SayWhatTheNodesSay) {
  const Tree tree = some_tree();
  const auto small = small_nodes(std::span(&tree, 1));
  ASSERT_EQ(small.size(), 1u);
  ASSERT_EQ(small[0].size(), tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    ASSERT_EQ(small[0][i].is_leaf(), node.is_leaf()) << i;
    if (node.is_leaf()) {
      EXPECT_EQ(small[0][i].leaf_id(), node.leaf_id()) << i;
      continue;
    }
    EXPECT_EQ(small[0][i].left, node.left) << i;
    EXPECT_EQ(small[0][i].cut, node.cut) << i;
    EXPECT_EQ(small[0][i].split_feature(), node.split_feature()) << i;
    for (Code code = 0; code < 5; ++code) EXPECT_EQ(small[0][i].goes_left(code), node.goes_left(code)) << i;
  }
}

TEST(SmallNodes, AreNotMadeWhereOneNodeOfOneTreeDoesNotFit) {
  const auto fit_with = [](auto change) {
    std::vector<Tree> trees{some_tree(), some_tree()};
    change(trees[1].nodes[0]);
    return small_nodes(trees).size() == 2;
  };
  EXPECT_TRUE(fit_with([](Node& node) { node.cut = 255; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.cut = 256; }));
  EXPECT_TRUE(fit_with([](Node& node) { node.feature = 254; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.feature = 255; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.feature |= Node::kMissingRight; }));
  EXPECT_TRUE(fit_with([](Node& node) { node.left = 65535; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.left = 65536; }));
  EXPECT_TRUE(fit_with([](Node& node) { node.left = ~65535; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.left = ~65536; }));
}

}  // namespace
}  // namespace cfrules::test
