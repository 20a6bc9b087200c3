#include "forest/forest_import.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "cfrules/error.h"
#include "data/numbers.h"
#include "forest/trainer.h"

namespace cfrules {
namespace {

Table two_columns(std::vector<double> a, std::vector<double> b) {
  return Table({{"a", Kind::number, {}}, {"b", Kind::number, {}}}, {std::move(a), std::move(b)});
}

Grid no_categories(std::size_t features) { return Grid(std::vector<Axis>(features)); }

// a <= 0.5 -> leaf; else b <= 2 -> leaf | leaf, with the nodes stored in an odd order.
ImportedTree small_tree() {
  return {.feature = {0, -2, 1, -2, -2},
          .threshold = {0.5, 0, 2, 0, 0},
          .left = {3, -1, 4, -1, -1},
          .right = {2, -1, 1, -1, -1},
          .missing_left = {},
          .value = {}};
}

const Outcome kOutcome{"y", {"no", "yes"}, {0, 1, 1, 0}};

TEST(ForestImport, LaysATreeOutByHand) {
  const Table table = two_columns({0.5, 0.6, 0.6, 9}, {7, 2, 2, 2.5});
  const ImportedForest imported = import_forest({small_tree()}, table, kOutcome, {}, no_categories(2));
  EXPECT_EQ(imported.grid.axis(0).cuts, std::vector<double>{0.5});
  EXPECT_EQ(imported.grid.axis(1).cuts, std::vector<double>{2});
  const Tree& tree = imported.forest.trees[0];
  ASSERT_EQ(tree.nodes.size(), 5u);
  EXPECT_EQ(tree.nodes[0].left, 1);
  EXPECT_TRUE(tree.nodes[1].is_leaf());
  EXPECT_EQ(tree.nodes[2].left, 3);
  EXPECT_EQ(tree.rows, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(tree.node_rows[2].begin, 1u);
  EXPECT_EQ(tree.node_rows[2].end, 4u);
  EXPECT_EQ(tree.leaf_values, (std::vector<double>{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(imported.forest.split_counts, (std::vector<double>{1, 1}));
  // Weight times Gini decrease: root 4 * 1/2 - 3 * 4/9 = 2/3, then 3 * 4/9 - 0 = 4/3.
  EXPECT_NEAR(imported.forest.importance[0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(imported.forest.importance[1], 2.0 / 3, 1e-12);
}

TEST(ForestImport, AnEmptyLeafSaysWhatItsParentsRowsSay) {
  const Table table = two_columns({0.1, 0.6, 0.6, 9}, {7, 1, 1, 2});
  const ImportedForest imported = import_forest({small_tree()}, table, kOutcome, {}, no_categories(2));
  EXPECT_EQ(imported.forest.trees[0].leaf_values, (std::vector<double>{1, 0, 1.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3}));
}

TEST(ForestImport, WeightsCountInTheLeaves) {
  const Table table = two_columns({0.1, 0.6, 0.6, 9}, {7, 1, 1, 2});
  const std::vector<double> weights{1, 0, 1, 3};
  const ImportedForest imported = import_forest({small_tree()}, table, kOutcome, weights, no_categories(2));
  EXPECT_EQ(imported.forest.trees[0].leaf_values[2], 0.75);
}

TEST(ForestImport, GivenValuesFollowTheirLeaves) {
  ImportedTree tree = small_tree();
  tree.value = {{}, {11}, {}, {33}, {44}};
  const Table table = two_columns({0.5, 0.6, 0.6, 9}, {7, 2, 2, 2.5});
  const Outcome outcome{"y", {}, {1, 2, 3, 4}};
  EXPECT_EQ(import_forest({tree}, table, outcome, {}, no_categories(2)).forest.trees[0].leaf_values,
            (std::vector<double>{33, 44, 11}));
}

TEST(ForestImport, MissingGoesWhereTheTreeSendsIt) {
  const Table table = two_columns({kNaN, 0, 1, 1}, {1, 1, 1, 1});
  ImportedTree tree = small_tree();
  EXPECT_EQ(import_forest({tree}, table, kOutcome, {}, no_categories(2)).forest.trees[0].node_rows[1].end, 2u);
  tree.missing_left = {false, true, true, true, true};
  const ImportedForest right = import_forest({tree}, table, kOutcome, {}, no_categories(2));
  EXPECT_EQ(right.forest.trees[0].node_rows[1].end, 1u);
  EXPECT_EQ(right.forest.trees[0].leaf_of(right.grid.codes(table.row(0))), 1u);
}

TEST(ForestImport, ThresholdsOfCategoriesAreInPlaces) {
  const Table table({{"c", Kind::category, {"x", "y", "z"}}}, {{0, 1, 2, 0}});
  const Grid order({Axis{{}, {2, 0, 1}}});  // y, z, x
  const ImportedTree tree{{0, -1, -1}, {0.5, 0, 0}, {1, -1, -1}, {2, -1, -1}, {}, {}};
  const ImportedForest imported = import_forest({tree}, table, kOutcome, {}, order);
  EXPECT_EQ(imported.forest.trees[0].rows, (std::vector<std::uint32_t>{1, 0, 2, 3}));
  EXPECT_EQ(imported.grid.categories(0, {1, 1}), (std::vector<std::uint32_t>{1}));
}

void expect_refused(const std::vector<ImportedTree>& trees, const std::string& sentence) {
  const Table table = two_columns({0.5, 0.6, 0.6, 9}, {7, 2, 2, 2.5});
  try {
    (void)import_forest(trees, table, kOutcome, {}, no_categories(2));
    FAIL() << "accepted: " << sentence;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), sentence);
  }
}

template <class Change>
void expect_change_refused(const Change& change, const std::string& sentence) {
  ImportedTree tree = small_tree();
  change(tree);
  expect_refused({small_tree(), tree}, sentence);
}

TEST(ForestImport, NamesTreeAndNodeOfWhatIsWrong) {
  expect_refused({}, "the forest to import has no trees; at least one is needed");
  expect_refused({ImportedTree{}}, "tree 0 has no nodes; at least the root is needed");
  expect_change_refused(
      [](ImportedTree& tree) { tree.threshold.pop_back(); },
      "tree 1 has 4 entries in 'threshold' but 5 in 'feature'; all arrays must have one entry per node");
  expect_change_refused([](ImportedTree& tree) { tree.feature[2] = 2; },
                        "tree 1, node 2: the feature is 2; features go from 0 to 1");
  expect_change_refused([](ImportedTree& tree) { tree.threshold[0] = kNaN; },
                        "tree 1, node 0: the threshold is nan; it must be a finite number");
  expect_change_refused([](ImportedTree& tree) { tree.left[2] = 5; },
                        "tree 1, node 2: the child 5 does not exist; nodes go from 0 to 4");
  expect_change_refused([](ImportedTree& tree) { tree.left[2] = 0; },
                        "tree 1, node 2: the child 0 is reached a second time; every node has one parent");
  expect_change_refused([](ImportedTree& tree) { tree.right[2] = 4; },
                        "tree 1, node 2: the child 4 is reached a second time; every node has one parent");
  expect_change_refused([](ImportedTree& tree) { tree.right[2] = -1; },
                        "tree 1, node 2: the children are 4 and -1; a split has two and a leaf none (both negative)");
  expect_change_refused([](ImportedTree& tree) { tree.left[2] = tree.right[2] = -1; },
                        "tree 1, node 1: it cannot be reached from the root, node 0");
  expect_change_refused([](ImportedTree& tree) { tree.value = {{}, {1}, {}, {1, 0}, {1, 0}}; },
                        "tree 1, node 1: the leaf has 1 values; it must have 2, one per class or one number");
}

TEST(ForestImport, ATableWithoutRowsIsRefused) {
  EXPECT_THROW((void)import_forest({small_tree()}, two_columns({}, {}), {"y", {"no", "yes"}, {}}, {}, no_categories(2)),
               InputError);
}

TEST(ForestImport, ThresholdsBeyondWhatCodesCanCountAreRefused) {
  std::vector<ImportedTree> trees;
  for (int i = 0; i < 65'001; ++i)
    trees.push_back({{0, -1, -1}, {static_cast<double>(i), 0, 0}, {1, -1, -1}, {2, -1, -1}, {}, {}});
  expect_refused(trees,
                 "the forest to import splits feature 0 at 65001 distinct thresholds; at most 65000 are possible");
}

// Walks call themselves, so a deep tree could exhaust the stack.
TEST(ForestImport, TreesTooDeepToWalkAreRefused) {
  ImportedTree chain;
  for (int i = 0; i < 4096; ++i) {
    chain.feature.insert(chain.feature.end(), {0, -1});
    chain.threshold.insert(chain.threshold.end(), {static_cast<double>(i), 0});
    chain.left.insert(chain.left.end(), {2 * i + 1, -1});
    chain.right.insert(chain.right.end(), {2 * i + 2, -1});
  }
  chain.feature.push_back(-1);
  chain.threshold.push_back(0);
  chain.left.push_back(-1);
  chain.right.push_back(-1);
  expect_refused({chain}, "tree 0 has 4097 levels; at most 4096 are possible");
}

// A trained forest, written out as node arrays with its cuts as thresholds and taken in again, is the same forest.
TEST(ForestImport, ATrainedForestComesBackAsItWas) {
  RandomStream random(31, Purpose::test, 0);
  std::vector<std::vector<double>> columns(3, std::vector<double>(400));
  Outcome outcome{"y", {"no", "yes"}, {}};
  for (std::size_t row = 0; row < 400; ++row) {
    for (auto& column : columns) column[row] = random.below(15) == 0 ? kNaN : random.normal();
    outcome.values.push_back(columns[0][row] + columns[1][row] > 0 ? 1.0 : 0.0);
  }
  const Table table({{"a", Kind::number, {}}, {"b", Kind::number, {}}, {"c", Kind::number, {}}}, columns);
  const Grid grid = Grid::learn(table, outcome, {}, 255);
  TrainOptions options;
  options.trees = 10;
  options.bootstrap = false;
  options.features_per_split = 1;
  options.min_leaf = 3;
  const ByteColumns codes = byte_codes(grid, table, {});
  const Forest forest = train_forest({codes, outcome.values, 2, {}, {}}, options, {}).forest;
  std::vector<ImportedTree> arrays;
  for (const Tree& tree : forest.trees) {
    ImportedTree& array = arrays.emplace_back();
    for (const Node& node : tree.nodes) {
      // A cut of 0 parts missing from all values: any threshold below them all does.
      const double threshold =
          node.is_leaf() ? 0 : (node.cut == 0 ? -1e6 : grid.axis(node.split_feature()).cuts[node.cut - 1u]);
      array.feature.push_back(node.is_leaf() ? -2 : static_cast<std::int64_t>(node.split_feature()));
      array.threshold.push_back(threshold);
      array.left.push_back(node.is_leaf() ? -1 : node.left);
      array.right.push_back(node.is_leaf() ? -1 : node.left + 1);
    }
  }
  const ImportedForest back = import_forest(arrays, table, outcome, {}, no_categories(3));
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    EXPECT_EQ(back.forest.trees[tree].rows, forest.trees[tree].rows);
    EXPECT_EQ(back.forest.trees[tree].leaf_values, forest.trees[tree].leaf_values);
    for (std::size_t node = 0; node < forest.trees[tree].nodes.size(); ++node)
      EXPECT_EQ(back.forest.trees[tree].nodes[node].left, forest.trees[tree].nodes[node].left);
  }
  EXPECT_EQ(back.forest.split_counts, forest.split_counts);
  for (std::size_t feature = 0; feature < 3; ++feature)
    EXPECT_NEAR(back.forest.importance[feature], forest.importance[feature], 1e-9);
}

}  // namespace
}  // namespace cfrules
