#include "forest/leaf_pages.h"

#include <gtest/gtest.h>

#include "support/hand_forest.h"
#include "support/world.h"

namespace cfrules::test {
namespace {

std::vector<std::uint8_t> bytes_of(const LeafPages& pages, std::span<const Code> codes) {
  std::vector<std::uint8_t> bytes;
  for (const std::size_t feature : pages.features()) bytes.push_back(static_cast<std::uint8_t>(codes[feature]));
  return bytes;
}

// Leaves whose box holds the person, one per tree.
std::vector<std::size_t> leaves_around(const LeafPages& pages, std::span<const Code> codes, std::size_t trees) {
  const std::vector<std::uint8_t> values = bytes_of(pages, codes);
  std::vector<std::uint64_t> outside(values.size());
  std::vector<std::size_t> found(trees, ~std::size_t{0});
  for (std::size_t page = 0; page < pages.pages().size(); ++page) {
    find_outside(pages.lines(page), values.data(), outside.data());
    std::uint64_t off = 0;
    for (const std::uint64_t word : outside) off |= word;
    find_outside(pages.hulls(page / kWordBits), values.data(), outside.data());
    std::uint64_t hulls_off = 0;
    for (const std::uint64_t word : outside) hulls_off |= word;
    const LeafPages::Page& here = pages.pages()[page];
    for (std::size_t leaf = 0; leaf < here.leaves; ++leaf) {
      if ((off >> leaf & 1) != 0) continue;
      EXPECT_EQ(hulls_off >> page % kWordBits & 1, 0u) << "a hull holds what its leaves hold";
      EXPECT_EQ(found[here.tree], ~std::size_t{0}) << "one leaf of a tree";
      found[here.tree] = here.first_leaf + leaf;
    }
  }
  return found;
}

TEST(LeafPages, ThePageOfALeafSaysWhoReachesIt) {
  std::size_t full = 0;
  for (std::uint64_t id = 0; id < 60; ++id) {
    RandomStream random = test_stream(71, id);
    const World world = random_world(id % 10 == 0 ? large_trees(random) : random_options(random), random);
    const Forest& forest = world.forest.forest();
    const auto pages = LeafPages::of(forest);
    ASSERT_NE(pages, nullptr);
    for (const LeafPages::Page& page : pages->pages()) full += page.leaves == kWordBits ? 1 : 0;
    for (int each = 0; each < 10; ++each) {
      const CodedPerson person = world.random_person(random);
      const std::vector<std::size_t> found = leaves_around(*pages, person.codes, forest.trees.size());
      for (std::size_t tree = 0; tree < forest.trees.size(); ++tree)
        ASSERT_EQ(found[tree], forest.trees[tree].leaf_of(person.codes)) << "case " << id << " tree " << tree;
    }
  }
  EXPECT_GT(full, 0u);  // some trees have more than one page
}

TEST(LeafPages, AreNotMadeWhereASplitDoesNotFit) {
  const auto fit_with = [](auto change) {
    const Sketch sketch = split(0, 1, leaf(), split(1, 5, split(0, 3, leaf(), leaf()), leaf()));
    const Grid grid = grid_of(2, {sketch});
    Forest forest = forest_of({sketch, sketch}, grid, grid.codes(table_of({{0, 0}})));
    change(forest.trees[1].nodes[0]);
    return LeafPages::of(forest) != nullptr;
  };
  EXPECT_TRUE(fit_with([](Node& node) { node.cut = 254; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.cut = 255; }));
  EXPECT_FALSE(fit_with([](Node& node) { node.feature |= Node::kMissingRight; }));
}

}  // namespace
}  // namespace cfrules::test
