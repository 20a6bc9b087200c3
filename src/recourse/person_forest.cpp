#include "recourse/person_forest.h"

#include <optional>

#include "recourse/shrunk_forest.h"

namespace cfrules {

namespace {

class PersonForest {
 public:
  PersonForest(const TargetForest& forest, std::span<const Code> person, std::span<const std::size_t> changed)
      : forest_(&forest),
        codes_(person.begin(), person.end()),
        changed_(changed.begin(), changed.end()),
        cells_(changed.size()) {}

  double operator()(std::span<const Code> cell) {
    if (asked_++ < kNotWorthShrinking) return ask_all(cell);
    if (!shrunk_) shrunk_.emplace(forest_->leaf_numbers(), codes_, changed_, std::span<const Interval>{});
    for (std::size_t slot = 0; slot < cell.size(); ++slot) cells_[slot] = shrunk_->cell(slot, cell[slot]);
    return forest_->probability(shrunk_->sums(cells_));
  }

 private:
  static constexpr std::size_t kNotWorthShrinking = 2;  // questions; all trees answer a few in the time it takes

  double ask_all(std::span<const Code> cell) {
    for (std::size_t slot = 0; slot < cell.size(); ++slot) codes_[changed_[slot]] = cell[slot];
    return forest_->probability(codes_);
  }

  const TargetForest* forest_;
  std::vector<Code> codes_;  // the person; at the changed features whatever was asked last
  std::vector<std::size_t> changed_;
  std::size_t asked_ = 0;
  std::optional<ShrunkForest> shrunk_;
  std::vector<Code> cells_;  // of the shrunken forest, for the question asked last
};

}  // namespace

PersonProbability shrunk_to_person(const TargetForest& forest) {
  return [&forest](std::span<const Code> person, std::span<const std::size_t> changed) -> CellProbability {
    return PersonForest(forest, person, changed);
  };
}

}  // namespace cfrules
