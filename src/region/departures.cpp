#include "region/departures.h"

#include <bit>
#include <unordered_map>

#include "region/walk.h"

namespace cfrules {

SetLattice::SetLattice(std::span<const std::vector<std::size_t>> sets, std::size_t features) : slots_(features, kNone) {
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint64_t> asked;
  for (const std::vector<std::size_t>& set : sets) {
    std::uint64_t mask = 0;
    for (const std::size_t feature : set) {
      if (slots_[feature] == kNone) {
        slots_[feature] = static_cast<std::uint32_t>(candidates_.size());
        candidates_.push_back(feature);
      }
      mask |= std::uint64_t{1} << slots_[feature];
    }
    asked.push_back(mask);
  }
  const auto add = [&](std::uint64_t mask) {
    if (known.try_emplace(mask, 0).second) masks_.push_back(mask);
  };
  for (const std::uint64_t mask : asked) add(mask);
  for (std::size_t i = 0; i < masks_.size(); ++i)
    for (std::uint64_t rest = masks_[i]; rest != 0; rest &= rest - 1) add(masks_[i] & ~(rest & -rest));
  if (sets.empty()) add(0);
  std::sort(masks_.begin(), masks_.end(), [](std::uint64_t a, std::uint64_t b) {
    const int one = std::popcount(a), other = std::popcount(b);
    return one != other ? one < other : a < b;
  });
  for (std::uint32_t place = 0; place < masks_.size(); ++place) known[masks_[place]] = place;
  for (const std::uint64_t mask : asked) places_.push_back(known[mask]);

  larger_.assign(masks_.size() * candidates_.size(), kNone);
  for (std::uint32_t place = 0; place < masks_.size(); ++place) {
    smaller_begin_.push_back(smaller_.size());
    for (std::uint64_t rest = masks_[place]; rest != 0; rest &= rest - 1) {
      const std::uint32_t less = known[masks_[place] & ~(rest & -rest)];
      smaller_.push_back(less);
      larger_[less * candidates_.size() + static_cast<std::size_t>(std::countr_zero(rest))] = place;
    }
  }
  smaller_begin_.push_back(smaller_.size());
}

namespace {

class DepartureVisitor {
 public:
  DepartureVisitor(const SetLattice& lattice, const Region& base, std::span<std::uint16_t> tight, std::size_t size)
      : lattice_(lattice), base_(base), tight_(tight), size_(size) {}

  void bound(std::size_t depth, std::size_t feature, Interval codes, std::size_t /*other*/) {
    bounds().add(depth + 1, feature, codes);
    depth_ = depth + 1;
  }

  bool enter(std::size_t feature, Interval part, const Node& node, bool left) {
    std::uint32_t next = place_;
    if (lattice_.holds(feature) && !lattice_.contains(place_, feature)) {
      const Turn turn(base_.side(feature), node);
      if (turn.one_way() && left) bounds().add(depth_ + 1, feature, turn.kept);
      if (!(left ? turn.left : turn.right)) next = lattice_.with(place_, feature);
    }
    if (next == SetLattice::kNone || part.low > part.high) return false;
    path_.push_back({place_, depth_});
    place_ = next;
    ++depth_;
    return true;
  }

  void leave(std::size_t /*feature*/) {
    place_ = path_.back().place;
    depth_ = path_.back().depth;
    path_.pop_back();
  }
  static void leaf(std::size_t /*node*/, std::size_t /*depth*/) {}

 private:
  struct Step {
    std::uint32_t place;
    std::size_t depth;
  };
  [[nodiscard]] LevelBounds bounds() const { return {tight_.subspan(place_ * size_, size_), base_.features()}; }

  const SetLattice& lattice_;
  const Region& base_;
  std::span<std::uint16_t> tight_;
  std::size_t size_;
  std::uint32_t place_ = 0;  // the empty set is the first of the lattice
  std::size_t depth_ = 0;    // of the node the walk stands at
  std::vector<Step> path_;
};

}  // namespace

void Departures::read(const Tree& tree, std::size_t depth) {
  size_ = (depth + 1) * 2 * base_.features();
  tight_.assign(lattice_.size() * size_, 0);
  DepartureVisitor visitor(lattice_, base_, tight_, size_);
  const auto side = [this](std::size_t feature) { return free_.side(feature); };
  walk(tree.nodes, side, visitor);
  for (std::size_t place = 0; place < lattice_.size(); ++place) {
    bounds(place).settle();
    for (const std::uint32_t less : lattice_.smaller(place)) bounds(place).meet(bounds(less));
  }
}

}  // namespace cfrules
