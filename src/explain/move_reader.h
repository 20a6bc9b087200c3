// What the two forests say of every place people may move to on a set of features. For one person the trees are walked
// once per size of sets, for all sets of candidates together; a group's sets are walked one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "explain/context.h"
#include "explain/feature_sets.h"
#include "kernels/box_sums.h"
#include "region/move_grid.h"
#include "region/move_leaves.h"

namespace cfrules {

// Memory that serves one question after the other, for one thread at a time.
struct MoveScratch {
  std::map<std::size_t, MoveLeaves> leaves[2];  // by world, then by size of sets
  MoveLeaves leaves_of_set;
  BoxSums sums;
};

// Scratch that nobody uses just now; the pages it lies on are dear to ask the system for anew. Any number of threads.
class ScratchShelf {
 public:
  [[nodiscard]] std::unique_ptr<MoveScratch> take();
  void put_back(std::unique_ptr<MoveScratch> scratch);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<MoveScratch>> idle_;  // at most one for each thread that was ever at work
};

class MoveReader {
 public:
  // All must outlive this. candidates: features that sets are made of, for the most part.
  MoveReader(const Context& context, const std::vector<std::size_t>& candidates,
             std::span<const CodedPerson* const> people, MoveScratch& scratch);

  // Of the sets of their size only these will be asked for sums, for the time being: the trees are walked for no others.
  void expect(const std::vector<FeatureIndexes>& sets);

  // Sums over the trees, or of path lengths over the isolation trees. Good until the next call.
  [[nodiscard]] const BoxSums& sums(const MoveSet& set, const CodedPerson& person);
  [[nodiscard]] const BoxSums& paths(const MoveSet& set, const CodedPerson& person);
  // For others between two questions.
  [[nodiscard]] MoveScratch& scratch() { return scratch_; }

 private:
  using World = MoveLeaves::World;

  [[nodiscard]] const MoveLeaves* leaves(World world, const MoveSet& set, const CodedPerson& person);
  void walk(World world, const MoveLeaves::Departures& departures, const CodedPerson& person);
  [[nodiscard]] std::uint64_t mask_of(const FeatureIndexes& features) const;  // of candidates

  const Context& context_;
  const std::vector<std::size_t>& candidates_;
  MoveScratch& scratch_;
  bool share_walks_;
  // By size of sets, as masks: those whose leaves are this person's, all of the size where none is named; those expected.
  std::map<std::size_t, std::vector<std::uint64_t>> walked_[2];
  std::map<std::size_t, std::vector<std::uint64_t>> expected_;
};

}  // namespace cfrules
