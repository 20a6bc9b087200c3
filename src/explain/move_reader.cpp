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

void MoveReader::expect(std::vector<FeatureIndexes> sets) {
  constexpr std::size_t kMostNamed = 256;  // more take longer to look up than they spare
  const std::size_t size = sets.front().size();
  if (sets.size() > kMostNamed) sets.clear();
  expected_[size] = std::move(sets);
}

std::uint64_t MoveReader::mask_of(const FeatureIndexes& features) const {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (std::find(features.begin(), features.end(), candidates_[i]) != features.end()) mask |= std::uint64_t{1} << i;
  return mask;
}

void MoveReader::walk(World world, std::size_t set_size, std::span<const FeatureIndexes> expected,
                      const CodedPerson& person) {
  const MoveAxes axes = context_.moves.axes(candidates_, set_size);
  const bool forest = world == World::forest;
  const MoveLeaves::Source source =
      forest ? MoveLeaves::Source{world, context_.forest.leaf_numbers(), context_.forest.common_first()}
             : MoveLeaves::Source{world, context_.inliers.leaf_numbers()};
  MoveLeaves::Departures departures{set_size, {}};
  for (const FeatureIndexes& features : expected) departures.sets.push_back(mask_of(features));
  scratch_.leaves[forest ? 0 : 1][set_size].walk(source, forest ? person.codes : person.isolation_codes, axes,
                                                 departures);
}

const MoveLeaves* MoveReader::leaves(World world, const MoveSet& set, const CodedPerson& person) {
  const auto is_candidate = [this](std::size_t feature) {
    return std::find(candidates_.begin(), candidates_.end(), feature) != candidates_.end();
  };
  // A feature linked to a candidate need not be one itself.
  if (!share_walks_ || !std::all_of(set.features.begin(), set.features.end(), is_candidate)) return nullptr;
  const std::size_t kind = world == World::forest ? 0 : 1;
  const auto among = [&](const std::vector<FeatureIndexes>& sets) {
    return std::find(sets.begin(), sets.end(), set.features) != sets.end();
  };
  const auto serves = [&](std::size_t size) {
    const auto walked = walked_[kind].find(size);
    return walked != walked_[kind].end() && (walked->second.empty() || among(walked->second));
  };
  const std::size_t size = set.features.size();
  if (serves(size)) return &scratch_.leaves[kind][size];
  if (size == 1 && walked_[kind].contains(2) && walked_[kind][2].empty())
    return &scratch_.leaves[kind][2];  // the same axes
  std::vector<FeatureIndexes> sets;
  if (world == World::forest && among(expected_[size])) sets = expected_[size];
  walk(world, size, sets, person);
  walked_[kind][size] = std::move(sets);
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
