#include "explain/move_reader.h"

#include <algorithm>

namespace cfrules {

std::unique_ptr<MoveScratch> ScratchShelf::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<MoveScratch>();
  std::unique_ptr<MoveScratch> scratch = std::move(idle_.back());
  idle_.pop_back();
  return scratch;
}

void ScratchShelf::put_back(std::unique_ptr<MoveScratch> scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(scratch));
}

MoveReader::MoveReader(const Context& context, const std::vector<std::size_t>& candidates,
                       std::span<const CodedPerson* const> people, MoveScratch& scratch)
    : context_(context),
      candidates_(candidates),
      scratch_(scratch),
      share_walks_(people.size() == 1 && candidates.size() <= MoveLeaves::kMostCandidates) {
  // Where missing may go right (imported trees), a missing value's way is no interval: such people are walked set by
  // set.
  for (const std::size_t feature : candidates)
    if (share_walks_ && context.forest.missing_may_go_right() && people.front()->codes[feature] == kMissing)
      share_walks_ = false;
}

void MoveReader::walk(World world, std::size_t set_size, const CodedPerson& person) {
  const MoveAxes axes = context_.moves.axes(candidates_, set_size);
  const bool forest = world == World::forest;
  const MoveLeaves::Source source =
      forest ? MoveLeaves::Source{world, context_.forest.leaf_numbers(), context_.forest.common_first()}
             : MoveLeaves::Source{world, context_.inliers.leaf_numbers()};
  scratch_.leaves[forest ? 0 : 1][set_size].walk(source, forest ? person.codes : person.isolation_codes, axes,
                                                 set_size);
}

const MoveLeaves* MoveReader::leaves(World world, const MoveSet& set, const CodedPerson& person) {
  const auto is_candidate = [this](std::size_t feature) {
    return std::find(candidates_.begin(), candidates_.end(), feature) != candidates_.end();
  };
  // A feature linked to a candidate need not be one itself.
  if (!share_walks_ || !std::all_of(set.features.begin(), set.features.end(), is_candidate)) return nullptr;
  const std::size_t kind = world == World::forest ? 0 : 1;
  std::size_t size = set.features.size();
  if (size == 1 && walked_[kind].contains(2)) size = 2;  // the same axes
  if (walked_[kind].insert(size).second) walk(world, size, person);
  return &scratch_.leaves[kind][size];
}

const BoxSums& MoveReader::sums(const MoveSet& set, const CodedPerson& person) {
  const MoveLeaves* shared = leaves(World::forest, set, person);
  shared != nullptr ? shared->sums(set.axes, scratch_.sums)
                    : sum_moves(context_.forest, set.axes, person.codes, scratch_.sums);
  return scratch_.sums;
}

const BoxSums& MoveReader::paths(const MoveSet& set, const CodedPerson& person) {
  const MoveLeaves* shared = leaves(World::isolation, set, person);
  shared != nullptr ? shared->sums(set.axes, scratch_.sums)
                    : sum_paths(context_.inliers, set.axes, person.isolation_codes, scratch_.sums);
  return scratch_.sums;
}

}  // namespace cfrules
