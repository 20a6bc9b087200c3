#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "region/conditional.h"
#include "support/hand_forest.h"

namespace cfrules::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// A forest on paper, its rows and what became of them.
struct Paper {
  Paper(const std::vector<std::vector<double>>& rows, const std::vector<Sketch>& sketches,
        std::vector<double> row_weights = {})
      : table(table_of(rows)),
        grid(grid_of(table.features(), sketches)),
        codes(grid.codes(table)),
        forest(forest_of(sketches, grid, codes)),
        weights(std::move(row_weights)),
        conditional(forest, codes, weights) {}

  [[nodiscard]] Region at(const std::vector<double>& person) const { return Region::at(grid.codes(person)); }
  void limit(Region& region, std::size_t feature, double low, double high) const {
    region.limit(feature, {grid.code(feature, low), grid.code(feature, high)});
  }
  [[nodiscard]] std::vector<std::uint32_t> cell(const Region& region, const CellRule& rule) const {
    return conditional.cell(forest.trees.front(), region, rule);
  }

  Table table;
  Grid grid;
  CodeMatrix codes;
  Forest forest;
  std::vector<double> weights;
  Conditional conditional;
};

constexpr CellRule kPaper{Estimator::paper, 1};
constexpr CellRule kUnion{Estimator::leaf_union, 1};
constexpr CellRule kInside{Estimator::inside, 1};

// The paper's figure in two dimensions: the cell of "X0 fixed, X1 free" is a strip of 27 rows, 10 of them in the
// target. (The paper prints 0.58 for it.)
TEST(Conditional, TheCellOfThePapersFigureHoldsTenOfTwentySevenInTheTarget) {
  std::vector<std::vector<double>> rows;
  std::vector<std::uint8_t> hits;
  const auto put = [&](std::size_t count, double x0, double x1, bool hit) {
    for (std::size_t i = 0; i < count; ++i) {
      rows.push_back({x0, x1 + 0.01 * static_cast<double>(i)});
      hits.push_back(hit ? 1 : 0);
    }
  };
  put(12, 0.5, 1, true);   // left of the strip
  put(10, 1.5, 1, true);   // in the strip
  put(17, 1.5, 3, false);  // in the strip, the other side of the cut on X1
  put(9, 2.5, 1, false);   // right of it
  const Paper paper(
      rows, {split(0, 1.0, leaf(), split(1, 2.0, split(0, 2.0, leaf(), leaf()), split(0, 2.0, leaf(), leaf())))});
  Region region = paper.at({1.5, 1});
  region.free(1, paper.grid);
  EXPECT_EQ(paper.cell(region, kPaper).size(), 27u);
  EXPECT_NEAR(paper.conditional.probability(region, hits, kPaper), 10.0 / 27.0, 1e-15);
}

// The paper's tree with X0 = 1.5 and X1 in (2, 3.5]. The second tree only lends its cuts to the grid.
class PapersTree : public testing::Test {
 protected:
  PapersTree() : region(paper.at({1.5, 2.5})) { paper.limit(region, 1, 2.1, 3.5); }

  Paper paper{{{1.5, 1}, {1.5, 2.5}, {1.5, 3}, {1.5, 9}, {0.5, 2.5}, {2.5, 3}, {2.5, 1}},
              {split(0, 1.0, leaf(), split(1, 2.9, leaf(), split(0, 2.0, leaf(), leaf()))),
               split(1, 2.0, leaf(), split(1, 3.5, leaf(), leaf()))}};
  Region region;
};

TEST_F(PapersTree, ACutInsideTheIntervalDoesNotBoundTheCell) {
  EXPECT_THAT(paper.cell(region, kPaper), UnorderedElementsAre(0, 1, 2, 3));
}

TEST_F(PapersTree, TheUnionIsTheRowsOfBothLeavesReached) {
  EXPECT_THAT(paper.cell(region, kUnion), UnorderedElementsAre(0, 1, 6, 2, 3));
}

TEST_F(PapersTree, InsideLeavesOutTheCellsRowsOutOfTheInterval) {
  EXPECT_THAT(paper.cell(region, kInside), UnorderedElementsAre(1, 2));
}

TEST_F(PapersTree, InsideDoesNotAskForTheFixedValuesThemselves) {
  EXPECT_THAT(paper.cell(paper.at({1.5, 2.5}), kInside), UnorderedElementsAre(0, 1, 6));
}

TEST_F(PapersTree, InsideWithNoRowInTheIntervalSaysWhatTheCellSays) {
  const Paper empty({{1.5, 1}, {1.5, 9}, {0.5, 1}}, {split(0, 1.0, leaf(), split(1, 2.9, leaf(), leaf())),
                                                     split(1, 2.0, leaf(), split(1, 3.5, leaf(), leaf()))});
  EXPECT_THAT(empty.cell(region, kInside), UnorderedElementsAre(0, 1));
}

TEST_F(PapersTree, InsideBacksOffAmongTheRowsOfTheInterval) {
  EXPECT_THAT(paper.cell(region, {Estimator::inside, 3}), UnorderedElementsAre(1, 2, 5));
  EXPECT_THAT(paper.cell(region, {Estimator::inside, 4}), UnorderedElementsAre(1, 2, 5, 4));
  EXPECT_THAT(paper.cell(region, {Estimator::inside, 5}), UnorderedElementsAre(1, 2, 5, 4)) << "there are no more";
}

// One path down: cuts 8, 4, 2, 1 on a person at 0.5. Its cells hold 6, 5, 4, 2 and 1 rows.
TEST(Conditional, BacksOffToTheDeepestCellWithEnoughRows) {
  const Sketch path = split(0, 8, split(0, 4, split(0, 2, split(0, 1, leaf(), leaf()), leaf()), leaf()), leaf());
  const Paper paper({{0.5}, {1.5}, {3}, {3.5}, {6}, {10}}, {path});
  const std::size_t rows_of_cell[] = {1, 1, 2, 4, 4, 5, 6, 6};  // by min_rows; 7 are not to be had
  for (std::size_t min_rows = 0; min_rows < 8; ++min_rows)
    for (const Estimator estimator : {Estimator::paper, Estimator::leaf_union})
      EXPECT_EQ(paper.cell(paper.at({0.5}), {estimator, min_rows}).size(), rows_of_cell[min_rows]) << min_rows;
}

// Two splits of the same level bound one cell: all of a level is given up at once.
TEST(Conditional, GivesUpALevelAsAWhole) {
  const Sketch tree = split(0, 5, split(1, 3, leaf(), leaf()), split(1, 6, leaf(), leaf()));
  const Paper paper({{1, 1}, {9, 1}, {1, 5}, {9, 5}, {9, 8}}, {tree});
  Region region = paper.at({1, 1});
  region.free(0, paper.grid);
  EXPECT_THAT(paper.cell(region, kPaper), UnorderedElementsAre(0, 1));
  EXPECT_THAT(paper.cell(region, {Estimator::paper, 3}), UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(paper.cell(region, kUnion), UnorderedElementsAre(0, 1, 3));
}

TEST(Conditional, RowsWeighByTheShareTheyHaveOfEachTreesCell) {
  const std::vector<std::vector<double>> rows{{1, 1}, {1, 2}, {8, 2}, {9, 2}};
  const std::vector<Sketch> trees{split(0, 5, leaf(), leaf()),
                                  split(1, 1.5, leaf(), leaf())};  // cells {0, 1}, {1, 2, 3}
  const Paper plain(rows, trees);
  const std::vector<double> weights = plain.conditional.row_weights(plain.at({1, 2}), kPaper);
  EXPECT_DOUBLE_EQ(weights[0], 1.0 / 4);
  EXPECT_DOUBLE_EQ(weights[1], 1.0 / 4 + 1.0 / 6);
  EXPECT_DOUBLE_EQ(weights[2], 1.0 / 6);
  EXPECT_DOUBLE_EQ(weights[3], 1.0 / 6);
  const Paper weighted(rows, trees, {1, 3, 1, 4});
  EXPECT_THAT(weighted.conditional.row_weights(weighted.at({1, 2}), kPaper),
              ElementsAre(1.0 / 8, 9.0 / 16, 1.0 / 16, 1.0 / 4));
  const std::vector<std::uint8_t> hits{1, 0, 0, 1};
  EXPECT_DOUBLE_EQ(weighted.conditional.probability(weighted.at({1, 2}), hits, kPaper), 1.0 / 8 + 1.0 / 4);
}

TEST(Conditional, TreesWithoutEstimationRowsDoNotCount) {
  Paper paper({{1}, {1}, {9}}, {split(0, 5, leaf(), leaf()), split(0, 5, leaf(), leaf())});
  const std::vector<std::uint8_t> hits{1, 0, 0};
  paper.forest.trees[1].rows.clear();
  for (RowRange& range : paper.forest.trees[1].node_rows) range = {};
  EXPECT_DOUBLE_EQ(paper.conditional.probability(paper.at({1}), hits, kPaper), 0.5);
  EXPECT_THAT(paper.conditional.row_weights(paper.at({1}), kPaper), ElementsAre(0.5, 0.5, 0));
  paper.forest.trees.erase(paper.forest.trees.begin());
  EXPECT_TRUE(std::isnan(paper.conditional.probability(paper.at({1}), hits, kPaper)));
}

TEST(Conditional, MissingIsBelowEveryValue) {
  const Paper paper({{std::nan("")}, {1}, {9}}, {split(0, 5, leaf(), leaf())});
  EXPECT_THAT(paper.cell(paper.at({std::nan("")}), kPaper), UnorderedElementsAre(0, 1));
}

// Where a tree from elsewhere sends missing right, rows and walk must agree at every level.
TEST(Conditional, FollowsMissingToTheRight) {
  Sketch tree = split(0, 5, split(1, 3, leaf(), leaf()), split(1, 3, leaf(), leaf()));
  tree.missing_right = true;
  const Paper paper({{std::nan(""), 1}, {1, 1}, {9, 1}, {std::nan(""), 9}, {1, 9}, {9, 9}}, {tree});
  EXPECT_THAT(paper.cell(paper.at({std::nan(""), 1}), kPaper), UnorderedElementsAre(0));
  EXPECT_THAT(paper.cell(paper.at({std::nan(""), 1}), {Estimator::paper, 2}), UnorderedElementsAre(0, 3));
  EXPECT_THAT(paper.cell(paper.at({std::nan(""), 1}), kUnion), UnorderedElementsAre(0, 2));
  EXPECT_THAT(paper.cell(paper.at({std::nan(""), 1}), {Estimator::leaf_union, 3}), UnorderedElementsAre(0, 2, 3, 5));
  EXPECT_THAT(paper.cell(paper.at({1, 1}), kPaper), UnorderedElementsAre(1));
  EXPECT_THAT(paper.cell(paper.at({1, 1}), {Estimator::paper, 2}), UnorderedElementsAre(1, 4));
}

}  // namespace
}  // namespace cfrules::test
