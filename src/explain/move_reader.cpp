#include "explain/move_reader.h"

#include <algorithm>

namespace cfrules {

MoveReader::MoveReader(const Context& context, const std::vector<std::size_t>& candidates,
                       std::span<const CodedPerson* const> people)
    : context_(context),
      candidates_(candidates),
      share_walks_(people.size() == 1 && candidates.size() <= MoveLeaves::kMostCandidates) {
  // Where missing may go right (imported trees), a missing value's way is no interval: such people are walked set by
  // set.
  for (const std::size_t feature : candidates)
    if (share_walks_ && context.forest.missing_may_go_right() && people.front()->codes[feature] == kMissing)
      share_walks_ = false;
}

MoveLeaves MoveReader::walk(World world, std::size_t set_size, const CodedPerson& person) const {
  const MoveAxes axes = context_.moves.axes(candidates_, set_size);
  const bool forest = world == World::forest;
  const MoveLeaves::Source source =
      forest ? MoveLeaves::Source{world, context_.forest.forest().trees, context_.forest.all_first(),
                                  context_.forest.all_second(), context_.moves.last_codes()}
             : MoveLeaves::Source{world,
                                  context_.inliers.trees(),
                                  context_.moves.path_values(),
                                  {},
                                  context_.moves.last_isolation_codes()};
  return {source, forest ? person.codes : person.isolation_codes, axes, set_size};
}

const MoveLeaves* MoveReader::leaves(World world, const MoveSet& set, const CodedPerson& person) {
  const auto is_candidate = [this](std::size_t feature) {
    return std::find(candidates_.begin(), candidates_.end(), feature) != candidates_.end();
  };
  // A feature linked to a candidate need not be one itself.
  if (!share_walks_ || !std::all_of(set.features.begin(), set.features.end(), is_candidate)) return nullptr;
  auto& shared = shared_[world == World::forest ? 0 : 1];
  const std::size_t size = set.features.size();
  if (const auto two = shared.find(2); size == 1 && two != shared.end()) return &two->second;  // the same axes
  auto found = shared.find(size);
  if (found == shared.end()) found = shared.emplace(size, walk(world, size, person)).first;
  return &found->second;
}

const BoxSums& MoveReader::sums(const MoveSet& set, const CodedPerson& person) {
  const MoveLeaves* shared = leaves(World::forest, set, person);
  shared != nullptr ? shared->sums(set.axes, sums_) : sum_moves(context_.forest, set.axes, person.codes, sums_);
  return sums_;
}

const BoxSums& MoveReader::paths(const MoveSet& set, const CodedPerson& person) {
  const MoveLeaves* shared = leaves(World::isolation, set, person);
  shared != nullptr ? shared->sums(set.axes, sums_)
                    : sum_paths(context_.inliers, set.axes, person.isolation_codes, sums_);
  return sums_;
}

}  // namespace cfrules
