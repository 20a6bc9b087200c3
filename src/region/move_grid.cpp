#include "region/move_grid.h"

#include <algorithm>
#include <numeric>

#include "kernels/box_sums.h"
#include "region/move_leaves.h"
#include "region/walk.h"

namespace cfrules {

std::vector<std::size_t> shape_of(const MoveAxes& axes) {
  std::vector<std::size_t> shape;
  for (const MoveAxis* axis : axes) shape.push_back(axis->size());
  return shape;
}

std::size_t cells_of(const MoveAxes& axes) {
  std::size_t cells = 1;
  for (const MoveAxis* axis : axes) cells *= axis->size();
  return cells;
}

namespace {

// "Everything stays, the axes are free": gives the walk its sides and turns leaves into boxes of bins. Sides narrow on
// the way down, so no leaf is met that the region does not reach. `Isolation` says whose codes the trees speak.
template <bool Isolation, class OnLeaf>
class MoveVisitor {
 public:
  MoveVisitor(const MoveAxes& axes, std::span<const Code> fixed, OnLeaf on_leaf)
      : axes_(axes), axis_of_(fixed.size(), kFixed), on_leaf_(on_leaf), boxes_(axes.size()) {
    for (const Code code : fixed) sides_.push_back({code, code});
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const std::size_t feature = axes[axis]->feature();
      axis_of_[feature] = static_cast<std::uint8_t>(axis);
      sides_[feature] = Isolation ? axes[axis]->isolation_side() : axes[axis]->codes(0, axes[axis]->size() - 1);
    }
  }

  void run(const Tree& tree) {
    const auto side = [this](std::size_t feature) { return sides_[feature]; };
    walk(tree.nodes, side, *this);
  }

  static void bound(std::size_t, std::size_t, Interval, std::size_t) {}

  bool enter(std::size_t feature, Interval part, const Node& /*node*/, bool /*left*/) {
    if (part.low > part.high) return false;
    const BoxSide run = bins(axis_of_[feature], part);
    if (run.begin >= run.end) return false;
    trail_.push_back(sides_[feature]);
    sides_[feature] = part;
    return true;
  }

  void leave(std::size_t feature) {
    sides_[feature] = trail_.back();
    trail_.pop_back();
  }

  void leaf(std::size_t node, std::size_t /*depth*/) {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) boxes_[axis] = bins(axis, sides_[axes_[axis]->feature()]);
    on_leaf_(node, std::span<const BoxSide>(boxes_));
  }

 private:
  static constexpr std::uint8_t kFixed = 0xFF;

  [[nodiscard]] BoxSide bins(std::size_t axis, Interval part) const {
    return Isolation ? axes_[axis]->of_isolation_codes(part) : axes_[axis]->of_codes(part);
  }

  const MoveAxes& axes_;
  std::vector<std::uint8_t> axis_of_;  // per feature
  OnLeaf on_leaf_;
  std::vector<Interval> sides_;  // per feature, of the region at this point of the walk
  std::vector<Interval> trail_;
  std::vector<BoxSide> boxes_;
};

// Boxes of leaves, then their sums.
class BoxesMet {
 public:
  BoxesMet(const MoveAxes& axes, const LeafNumbers& leaves) : axes_(axes), leaves_(leaves) {}

  void add(std::span<const BoxSide> box, NumbersId said) {
    sides_.insert(sides_.end(), box.begin(), box.end());
    said_.push_back(said);
  }

  void sum(BoxSums& into) const {
    std::vector<std::uint8_t> columns(axes_.size());
    std::iota(columns.begin(), columns.end(), std::uint8_t{0});
    into.reset(shape_of(axes_), leaves_.channels);
    into.add_everywhere(leaves_.sum_everywhere());
    into.add({sides_, axes_.size(), columns}, said_, leaves_.list);
    into.finish();
  }

 private:
  const MoveAxes& axes_;
  const LeafNumbers& leaves_;
  std::vector<BoxSide> sides_;
  std::vector<NumbersId> said_;
};

template <bool Isolation>
void sum_leaves(const LeafNumbers& leaves, const MoveAxes& axes, std::span<const Code> codes, BoxSums& into) {
  BoxesMet boxes(axes, leaves);
  std::size_t tree = 0;
  const auto on_leaf = [&](std::size_t node, std::span<const BoxSide> box) {
    boxes.add(box, leaves.said[tree][leaves.trees[tree].nodes[node].leaf_id()]);
  };
  MoveVisitor<Isolation, decltype(on_leaf)> visitor(axes, codes, on_leaf);
  for (; tree < leaves.trees.size(); ++tree) visitor.run(leaves.trees[tree]);
  boxes.sum(into);
}

}  // namespace

void sum_moves(const TargetForest& forest, const MoveAxes& axes, std::span<const Code> codes, MoveLeaves& memory,
               BoxSums& into) {
  if (axes.size() > MoveLeaves::kMostClosed) return sum_leaves<false>(forest.leaf_numbers(), axes, codes, into);
  memory.walk_set({MoveLeaves::World::forest, forest.leaf_numbers()}, codes, axes);
  memory.sums(axes, into);
}

void sum_paths(const IsolationForest& inliers, const MoveAxes& axes, std::span<const Code> isolation_codes,
               MoveLeaves& memory, BoxSums& into) {
  if (axes.size() > MoveLeaves::kMostClosed)
    return sum_leaves<true>(inliers.leaf_numbers(), axes, isolation_codes, into);
  memory.walk_set({MoveLeaves::World::isolation, inliers.leaf_numbers()}, isolation_codes, axes);
  memory.sums(axes, into);
}

SumGrid sum_grid(const TargetForest& forest, const MoveAxes& axes, std::span<const Code> codes) {
  BoxSums sums;
  sum_leaves<false>(forest.leaf_numbers(), axes, codes, sums);
  SumGrid grid;
  const std::vector<std::size_t> shape = shape_of(axes);
  for (std::size_t cell = 0; cell < cells_of(axes); ++cell) {
    const std::size_t place = BoxSums::place_of(shape, cell);
    grid.first.push_back(sums.first(place));
    if (forest.numeric()) grid.second.push_back(sums.second(place));
  }
  return grid;
}

std::vector<Fixed> path_grid(const IsolationForest& inliers, const MoveAxes& axes,
                             std::span<const Code> isolation_codes) {
  BoxSums sums;
  sum_leaves<true>(inliers.leaf_numbers(), axes, isolation_codes, sums);
  std::vector<Fixed> grid;
  const std::vector<std::size_t> shape = shape_of(axes);
  for (std::size_t cell = 0; cell < cells_of(axes); ++cell) grid.push_back(sums.first(BoxSums::place_of(shape, cell)));
  return grid;
}

}  // namespace cfrules
