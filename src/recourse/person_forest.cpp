#include "recourse/person_forest.h"

#include "recourse/shrunk_forest.h"

namespace cfrules {

PersonProbability shrunk_to_person(const TargetForest& forest) {
  return [&forest](std::span<const Code> person, std::span<const std::size_t> changed) -> CellProbability {
    const ShrunkForest::Source source{forest.forest().trees, forest.all_first(), forest.all_second()};
    return [&forest, shrunk = ShrunkForest(source, person, changed, {})](std::span<const Code> cell) {
      return forest.probability(shrunk.sums(cell));
    };
  };
}

}  // namespace cfrules
