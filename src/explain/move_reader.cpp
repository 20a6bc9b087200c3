#include "explain/move_reader.h"

#include <algorithm>
#include <bit>

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

void MoveReader::expect(const std::vector<FeatureIndexes>& sets) {
  constexpr std::size_t kMostNamed = 256;  // more take longer to look up than they spare
  if (!share_walks_ || sets.empty() || sets.size() > kMostNamed) return;
  std::vector<std::uint64_t>& masks = expected_[sets.front().size()];
  masks.clear();
  for (const FeatureIndexes& features : sets) masks.push_back(mask_of(features));
}

std::uint64_t MoveReader::mask_of(const FeatureIndexes& features) const {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (std::find(features.begin(), features.end(), candidates_[i]) != features.end()) mask |= std::uint64_t{1} << i;
  return mask;
}

void MoveReader::walk(World world, const MoveLeaves::Departures& departures, const CodedPerson& person) {
  const MoveAxes axes = context_.moves.axes(candidates_, departures.most);
  const bool forest = world == World::forest;
  const MoveLeaves::Source source =
      forest ? MoveLeaves::Source{world, context_.forest.leaf_numbers(),
                                  MoveLeaves::may_scan(axes.size(), departures)
                                      ? context_.forest.pages_for_walk(departures.lead_far())
                                      : nullptr}
             : MoveLeaves::Source{world, context_.inliers.leaf_numbers()};
  scratch_.leaves[forest ? 0 : 1][departures.most].walk(source, forest ? person.codes : person.isolation_codes, axes,
                                                        departures);
}

const MoveLeaves* MoveReader::leaves(World world, const MoveSet& set, const CodedPerson& person) {
  if (!share_walks_) return nullptr;
  const std::size_t size = set.features.size();
  const std::uint64_t mask = mask_of(set.features);
  // A feature linked to a candidate need not be one itself.
  if (static_cast<std::size_t>(std::popcount(mask)) != size) return nullptr;
  const std::size_t kind = world == World::forest ? 0 : 1;
  const auto among = [mask](const std::vector<std::uint64_t>& masks) {
    return std::find(masks.begin(), masks.end(), mask) != masks.end();
  };
  const auto walked = walked_[kind].find(size);
  if (walked != walked_[kind].end() && (walked->second.empty() || among(walked->second)))
    return &scratch_.leaves[kind][size];
  const auto pairs = walked_[kind].find(2);
  if (size == 1 && pairs != walked_[kind].end() && pairs->second.empty())
    return &scratch_.leaves[kind][2];  // the same axes
  MoveLeaves::Departures departures{size, {}};
  if (world == World::forest && among(expected_[size])) departures.sets = expected_[size];
  walk(world, departures, person);
  walked_[kind][size] = std::move(departures.sets);
  return &scratch_.leaves[kind][size];
}

const BoxSums& MoveReader::sums(const MoveSet& set, const CodedPerson& person) {
  const MoveLeaves* shared = leaves(World::forest, set, person);
  shared != nullptr ? shared->sums(set.axes, scratch_.sums)
                    : sum_moves(context_.forest, set.axes, person.codes, scratch_.leaves_of_set, scratch_.sums);
  return scratch_.sums;
}

const BoxSums& MoveReader::paths(const MoveSet& set, const CodedPerson& person) {
  const MoveLeaves* shared = leaves(World::isolation, set, person);
  shared != nullptr ? shared->sums(set.axes, scratch_.sums)
                    : sum_paths(context_.inliers, set.axes, person.isolation_codes, scratch_.leaves_of_set,
                                scratch_.sums);
  return scratch_.sums;
}

}  // namespace cfrules
