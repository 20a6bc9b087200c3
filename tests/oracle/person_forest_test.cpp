// The forest shrunk to one person against the whole forest, to the bit.
#include "recourse/person_forest.h"

#include <gtest/gtest.h>

#include "support/world.h"

namespace cfrules::test {
namespace {

// As imported forests have them: at some splits missing goes right.
Forest with_missing_right(Forest forest, RandomStream& random) {
  for (Tree& tree : forest.trees)
    for (Node& node : tree.nodes)
      if (!node.is_leaf() && random.below(3) == 0) node.feature |= Node::kMissingRight;
  forest.small_trees = {};
  return forest;
}

TEST(PersonForestOracle, SaysOfEveryMoveWhatTheForestSays) {
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random = test_stream(41, id);
    const World world = random_world(random_options(random), random);
    // Trees that send missing right step down; the others' leaves are looked up.
    const Forest trees = id % 2 == 0 ? world.grown.forest : with_missing_right(world.grown.forest, random);
    const TargetForest forest(trees, world.outcome, world.weights, world.forest.target(), world.forest.map());
    const CodedPerson person = world.random_person(random);
    const std::vector<std::size_t> changed =
        world.random_features(random.below(world.table.features() + 1), random);  // none and all included
    const CellProbability shrunk = shrunk_to_person(forest)(person.codes, changed);
    for (int each = 0; each < 50; ++each) {
      std::vector<Code> codes = person.codes;
      std::vector<Code> cell;
      for (const std::size_t feature : changed) {
        cell.push_back(static_cast<Code>(random.below(world.grid.axis(feature).cuts.size() + 2)));  // missing included
        codes[feature] = cell.back();
      }
      ASSERT_EQ(shrunk(cell), forest.probability(codes)) << "case " << id;
    }
  }
}

}  // namespace
}  // namespace cfrules::test
