#include "region/move_grid.h"

#include <algorithm>

#include "region/difference_grid.h"
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

// "Everything stays, the axes are free": gives the walk its sides and turns leaves into boxes of bins. Sides narrow on the
// way down, so no leaf is met that the region does not reach. `Isolation` says whose codes the trees speak.
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
    const MoveAxis::Run run = bins(axis_of_[feature], part);
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
    on_leaf_(node, std::span<const MoveAxis::Run>(boxes_));
  }

 private:
  static constexpr std::uint8_t kFixed = 0xFF;

  [[nodiscard]] MoveAxis::Run bins(std::size_t axis, Interval part) const {
    return Isolation ? axes_[axis]->of_isolation_codes(part) : axes_[axis]->of_codes(part);
  }

  const MoveAxes& axes_;
  std::vector<std::uint8_t> axis_of_;  // per feature
  OnLeaf on_leaf_;
  std::vector<Interval> sides_;  // per feature, of the region at this point of the walk
  std::vector<Interval> trail_;
  std::vector<MoveAxis::Run> boxes_;
};

}  // namespace

SumGrid sum_grid(const TargetForest& forest, const MoveAxes& axes, std::span<const Code> codes) {
  DifferenceGrid first(axes);
  DifferenceGrid second(forest.numeric() ? axes : MoveAxes{});
  std::size_t tree = 0;
  const auto on_leaf = [&](std::size_t node, std::span<const MoveAxis::Run> box) {
    const std::size_t leaf = forest.forest().trees[tree].nodes[node].leaf_id();
    first.add(box, forest.first(tree)[leaf]);
    if (forest.numeric()) second.add(box, forest.second(tree)[leaf]);
  };
  MoveVisitor<false, decltype(on_leaf)> visitor(axes, codes, on_leaf);
  for (; tree < forest.forest().trees.size(); ++tree) visitor.run(forest.forest().trees[tree]);
  SumGrid grid{first.totals(), {}};
  if (forest.numeric()) grid.second = second.totals();
  return grid;
}

std::vector<Fixed> path_grid(const IsolationForest& inliers, const MoveAxes& axes, std::span<const Code> isolation_codes) {
  DifferenceGrid paths(axes);
  const Tree* tree = nullptr;
  const auto on_leaf = [&](std::size_t node, std::span<const MoveAxis::Run> box) {
    paths.add(box, to_fixed(tree->leaf_values[tree->nodes[node].leaf_id()]));
  };
  MoveVisitor<true, decltype(on_leaf)> visitor(axes, isolation_codes, on_leaf);
  for (const Tree& each : inliers.trees()) {
    tree = &each;
    visitor.run(each);
  }
  return paths.totals();
}

}  // namespace cfrules
