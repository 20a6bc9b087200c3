#include "region/move_leaves.h"

#include <array>
#include <bit>

#include "region/difference_grid.h"
#include "region/walk.h"

namespace cfrules {

namespace {

constexpr std::uint8_t kNone = 0xFF;

}  // namespace

class LeafCollector {
 public:
  LeafCollector(MoveLeaves& into, std::span<const Code> fixed, std::span<const Code> last_codes, std::size_t candidates, std::size_t departures)
      : into_(into), fixed_(fixed), departures_(departures), open_(candidates, 0) {
    for (std::size_t feature = 0; feature < fixed.size(); ++feature) {
      const bool free = into.candidate_of_[feature] != kNone;
      sides_.push_back(free ? Interval{0, last_codes[feature]} : Interval{fixed[feature], fixed[feature]});
    }
  }

  void run(const Tree& tree, std::span<const Fixed> first, std::span<const Fixed> second) {
    tree_ = &tree;
    first_ = first;
    second_ = second;
    const auto side = [this](std::size_t feature) { return sides_[feature]; };
    walk(tree.nodes, side, *this);
  }

  static void bound(std::size_t, std::size_t, Interval, std::size_t) {}

  bool enter(std::size_t feature, Interval part, const Node& node, bool left) {
    if (part.low > part.high) return false;
    const std::uint8_t candidate = into_.candidate_of_[feature];
    const bool departs = left != node.goes_left(fixed_[feature]);
    const std::uint64_t mask = mask_ | (departs ? std::uint64_t{1} << candidate : 0);
    if (static_cast<std::size_t>(std::popcount(mask)) > departures_) return false;
    trail_.push_back({sides_[feature], mask_});
    mask_ = mask;
    sides_[feature] = part;
    if (open_[candidate]++ == 0) touched_.push_back({candidate, feature});
    return true;
  }

  void leave(std::size_t feature) {
    if (--open_[into_.candidate_of_[feature]] == 0) touched_.pop_back();
    sides_[feature] = trail_.back().side;
    mask_ = trail_.back().mask;
    trail_.pop_back();
  }

  void leaf(std::size_t node, std::size_t /*depth*/) {
    const std::size_t id = tree_->nodes[node].leaf_id();
    const auto begin = static_cast<std::uint32_t>(into_.bounds_.size());
    for (const Touched& each : touched_) into_.bounds_.push_back({each.candidate, sides_[each.feature]});
    if (last_ == nullptr || last_mask_ != mask_) {
      last_ = &into_.by_mask_[mask_];
      last_mask_ = mask_;
    }
    last_->push_back({first_[id], second_.empty() ? 0 : second_[id], begin, static_cast<std::uint32_t>(into_.bounds_.size())});
  }

 private:
  struct Step {
    Interval side;
    std::uint64_t mask;
  };
  struct Touched {
    std::uint8_t candidate;
    std::size_t feature;
  };

  MoveLeaves& into_;
  std::span<const Code> fixed_;
  std::size_t departures_;
  const Tree* tree_ = nullptr;
  std::span<const Fixed> first_, second_;
  std::vector<Interval> sides_;
  std::vector<Step> trail_;
  std::vector<std::uint32_t> open_;  // per candidate: how many splits on it the path has entered
  std::vector<Touched> touched_;  // candidates with a bound, in the order met: the last to come is the first to go
  std::uint64_t mask_ = 0;
  std::vector<MoveLeaves::Leaf>* last_ = nullptr;
  std::uint64_t last_mask_ = 0;
};

MoveLeaves::MoveLeaves(World world, std::span<const Tree> trees, std::span<const std::vector<Fixed>> first,
                       std::span<const std::vector<Fixed>> second, std::span<const Code> fixed, std::span<const Code> last_codes,
                       std::span<const std::size_t> candidates, std::size_t departures)
    : world_(world), two_channels_(!second.empty() && !second.front().empty()), candidate_of_(fixed.size(), kNone) {
  for (std::size_t i = 0; i < candidates.size(); ++i) candidate_of_[candidates[i]] = static_cast<std::uint8_t>(i);
  LeafCollector collector(*this, fixed, last_codes, candidates.size(), departures);
  for (std::size_t tree = 0; tree < trees.size(); ++tree)
    collector.run(trees[tree], first[tree], two_channels_ ? std::span<const Fixed>(second[tree]) : std::span<const Fixed>());
}

SumGrid MoveLeaves::sums(const MoveAxes& axes) const {
  std::uint64_t wanted = 0;
  std::array<std::uint8_t, kMostCandidates> axis_of;
  axis_of.fill(kNone);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::uint8_t candidate = candidate_of_[axes[axis]->feature()];
    wanted |= std::uint64_t{1} << candidate;
    axis_of[candidate] = static_cast<std::uint8_t>(axis);
  }
  DifferenceGrid first(axes);
  DifferenceGrid second(two_channels_ ? axes : MoveAxes{});
  std::vector<MoveAxis::Run> box(axes.size());
  const auto add = [&](const Leaf& leaf) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) box[axis] = {0, static_cast<std::uint32_t>(axes[axis]->size())};
    for (std::uint32_t i = leaf.bounds_begin; i < leaf.bounds_end; ++i) {
      const std::uint8_t axis = axis_of[bounds_[i].candidate];
      if (axis == kNone) continue;
      box[axis] = world_ == World::forest ? axes[axis]->of_codes(bounds_[i].codes) : axes[axis]->of_isolation_codes(bounds_[i].codes);
      if (box[axis].begin >= box[axis].end) return;
    }
    first.add(box, leaf.first);
    if (two_channels_) second.add(box, leaf.second);
  };
  for (std::uint64_t mask = wanted;; mask = (mask - 1) & wanted) {  // every subset of the wanted features
    const auto found = by_mask_.find(mask);
    if (found != by_mask_.end())
      for (const Leaf& leaf : found->second) add(leaf);
    if (mask == 0) break;
  }
  return {first.totals(), two_channels_ ? second.totals() : std::vector<Fixed>()};
}

}  // namespace cfrules
