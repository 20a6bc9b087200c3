// What the two forests say of every place people may move to on a set of features. For one person the trees are walked
// once per size of sets, for all sets of candidates together; a group's sets are walked one by one.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "explain/context.h"
#include "kernels/box_sums.h"
#include "region/move_grid.h"
#include "region/move_leaves.h"

namespace cfrules {

class MoveReader {
 public:
  // All must outlive this. candidates: features that sets are made of, for the most part.
  MoveReader(const Context& context, const std::vector<std::size_t>& candidates,
             std::span<const CodedPerson* const> people);

  // Sums over the trees, or of path lengths over the isolation trees. Good until the next call.
  [[nodiscard]] const BoxSums& sums(const MoveSet& set, const CodedPerson& person);
  [[nodiscard]] const BoxSums& paths(const MoveSet& set, const CodedPerson& person);

 private:
  using World = MoveLeaves::World;

  [[nodiscard]] const MoveLeaves* leaves(World world, const MoveSet& set, const CodedPerson& person);
  [[nodiscard]] MoveLeaves walk(World world, std::size_t set_size, const CodedPerson& person) const;

  const Context& context_;
  const std::vector<std::size_t>& candidates_;
  bool share_walks_;
  std::map<std::size_t, MoveLeaves> shared_[2];  // by world, then by size of sets
  BoxSums sums_;
};

}  // namespace cfrules
