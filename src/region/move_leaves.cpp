#include "region/move_leaves.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "base/send_for.h"
#include "region/leaf_scan.h"

namespace cfrules {

namespace {

constexpr std::uint32_t kNotAskedYet = 0xFFFFFFFF;
constexpr std::uint32_t kTooFar = 0xFFFFFFFE;

}  // namespace

// Level by level, and a few trees together where little of each is reached: a step asks for the node it leads to, and by
// the time the next level's turn comes the node is at hand. Depth first, the walk would wait for memory at most of its
// nodes.
//
// A way on which more features may depart has a state, the bins of all candidates: its own, so that it narrows them
// where they are, and only a way that leaves it needs a copy. One that is closed carries the bins of the departed only.
template <class AnyNode>
class LeafCollector {
 public:
  LeafCollector(MoveLeaves& into, const MoveLeaves::Source& source, std::span<const Code> fixed,
                const MoveAxes& candidates, const MoveLeaves::Departures& departures, MoveLeaves::Start start)
      : into_(into),
        source_(source),
        fixed_(fixed),
        candidates_(candidates.size()),
        departures_(departures),
        start_(start),
        stride_((candidates_ + 3) / 4 * 4) {
    for (const MoveAxis* axis : candidates) {
      from_.push_back(source.world == MoveLeaves::World::forest ? axis->from_code() : axis->from_isolation_code());
      everywhere_.push_back({0, static_cast<std::uint16_t>(axis->size())});
    }
    first_ = group_of(start == MoveLeaves::Start::open ? 0 : (std::uint64_t{1} << candidates_) - 1);
  }

  void run() {
    const std::size_t together = start_ == MoveLeaves::Start::open && departures_.lead_far() ? 1 : kTogether;
    const std::size_t trees = source_.leaves.trees.size();
    for (std::size_t first = 0; first < trees; first += together) run(first, std::min(together, trees - first));
  }

 private:
  static constexpr std::uint8_t kNone = MoveLeaves::kNone;
  static constexpr std::size_t kTogether = 8;  // trees

  struct OpenWay {
    const AnyNode* node;
    std::uint32_t tree;  // of those walked together
    std::uint32_t state;
  };
  struct ClosedWay {
    const AnyNode* node;
    std::uint32_t tree;
    std::uint32_t group;
    BoxSide bins[MoveLeaves::kMostClosed];  // of the departed, in the order of their candidates
  };
  template <class Way>
  struct Frontier {
    std::vector<Way> now, next, leaves;

    bool turn() {
      now.swap(next);
      next.clear();
      return !now.empty();
    }
  };

  [[nodiscard]] const AnyNode* root(std::size_t tree) const {
    if constexpr (std::is_same_v<AnyNode, SmallNode>)
      return source_.leaves.small_trees[tree].data();
    else
      return source_.leaves.trees[tree].nodes.data();
  }

  void run(std::size_t first, std::size_t count) {
    first_tree_ = first;
    groups_of_states_.clear();
    for (std::uint32_t tree = 0; tree < count; ++tree) {
      roots_[tree] = root(first + tree);
      if (start_ == MoveLeaves::Start::open) {
        const std::uint32_t state = make_state(first_);
        std::copy(everywhere_.begin(), everywhere_.end(), sides(state));
        open_.next.push_back({roots_[tree], tree, state});
      } else {
        ClosedWay way{roots_[tree], tree, first_, {}};
        std::copy(everywhere_.begin(), everywhere_.end(), way.bins);
        closed_.next.push_back(way);
      }
    }
    while (open_.turn())
      for (const OpenWay& way : open_.now) step(way);
    while (closed_.turn())
      for (const ClosedWay& way : closed_.now) step(way);
    for (const OpenWay& way : open_.leaves) keep(way);
    for (const ClosedWay& way : closed_.leaves) keep(way);
    open_.leaves.clear();
    closed_.leaves.clear();
  }

  void step(const OpenWay& way) {
    const AnyNode& node = *way.node;
    if (node.is_leaf()) return meet(way, open_);
    const std::size_t feature = node.split_feature();
    const std::uint8_t candidate = into_.candidate_of_[feature];
    const bool own_left = node.goes_left(fixed_[feature]);
    if (candidate == kNone) return go(way, own_left, way.state);
    const std::uint32_t group = groups_of_states_[way.state];
    BoxSide& side = sides(way.state)[candidate];
    const auto [left, right] = parts(side, from_[candidate][node.cut + 1]);
    if ((into_.groups_[group].mask >> candidate & 1) != 0) {
      if (right.begin >= right.end) return go(way, true, way.state);
      if (left.begin >= left.end) return go(way, false, way.state);
      side = left;
      go(way, true, way.state);
      return go(way, false, copy(way.state, group, candidate, right));
    }
    side = own_left ? left : right;
    go(way, own_left, way.state);
    const BoxSide other = own_left ? right : left;
    if (other.begin >= other.end) return;  // who departs must arrive somewhere
    const std::uint32_t next = departure(group, candidate);
    if (next == kTooFar) return;
    if (into_.groups_[next].closed)
      close(way, child(way, !own_left), next, candidate, other);
    else
      go(way, !own_left, copy(way.state, next, candidate, other));
  }

  void step(const ClosedWay& way) {
    const AnyNode& node = *way.node;
    if (node.is_leaf()) return meet(way, closed_);
    const std::size_t feature = node.split_feature();
    const std::uint8_t slot = slots_[way.group * fixed_.size() + feature];
    if (slot == kNone) {
      go(way, node.goes_left(fixed_[feature]));
      return;
    }
    const auto [left, right] = parts(way.bins[slot], from_[into_.candidate_of_[feature]][node.cut + 1]);
    if (left.begin < left.end) go(way, true).bins[slot] = left;
    if (right.begin < right.end) go(way, false).bins[slot] = right;
  }

  // Bins on either side of a cut.
  static std::pair<BoxSide, BoxSide> parts(BoxSide bins, std::uint16_t cut) {
    return {{bins.begin, std::min(bins.end, cut)}, {std::max(bins.begin, cut), bins.end}};
  }

  template <class Way>
  [[nodiscard]] const AnyNode* child(const Way& way, bool left) const {
    const AnyNode* const child = roots_[way.tree] + way.node->left + (left ? 0 : 1);
    send_for(child);
    return child;
  }
  void go(const OpenWay& way, bool left, std::uint32_t state) {
    open_.next.push_back({child(way, left), way.tree, state});
  }
  ClosedWay& go(const ClosedWay& way, bool left) {
    closed_.next.push_back(way);
    closed_.next.back().node = child(way, left);
    return closed_.next.back();
  }

  template <class Way>
  void meet(const Way& way, Frontier<Way>& frontier) {
    send_for(said(way));
    frontier.leaves.push_back(way);
  }

  // By the leaf it has come to.
  template <class Way>
  [[nodiscard]] const NumbersId* said(const Way& way) const {
    return &source_.leaves.said[first_tree_ + way.tree][way.node->leaf_id()];
  }

  // The bins of every candidate.
  [[nodiscard]] BoxSide* sides(std::uint32_t state) { return sides_.data() + state * stride_; }

  std::uint32_t make_state(std::uint32_t group) {
    const auto made = static_cast<std::uint32_t>(groups_of_states_.size());
    groups_of_states_.push_back(group);
    if (sides_.size() < (made + 1) * stride_) sides_.resize(2 * (made + 1) * stride_);
    return made;
  }
  // A state of its own for a way that leaves this one, where this candidate has these bins.
  std::uint32_t copy(std::uint32_t state, std::uint32_t group, std::uint8_t candidate, BoxSide bins) {
    const std::uint32_t made = make_state(group);
    std::memcpy(sides(made), sides(state), stride_ * sizeof(BoxSide));
    sides(made)[candidate] = bins;
    return made;
  }

  void close(const OpenWay& from, const AnyNode* node, std::uint32_t group, std::uint8_t last, BoxSide bins) {
    ClosedWay way{node, from.tree, group, {}};
    std::size_t slot = 0;
    for (std::uint64_t rest = into_.groups_[group].mask; rest != 0; rest &= rest - 1) {
      const auto candidate = static_cast<std::size_t>(std::countr_zero(rest));
      way.bins[slot++] = candidate == last ? bins : sides(from.state)[candidate];
    }
    closed_.next.push_back(way);
  }

  void keep(const OpenWay& way) {
    keep(*said(way), groups_of_states_[way.state], {sides(way.state), candidates_});
  }
  void keep(const ClosedWay& way) { keep(*said(way), way.group, {way.bins, departures_.most}); }

  void keep(NumbersId said, std::uint32_t index, std::span<const BoxSide> sides) {
    if (said == kSaysNothing) return;
    MoveLeaves::Group& group = into_.groups_[index];
    group.said.push_back(said);
    BoxSide* const to = group.sides.room(sides.size());
    std::copy(sides.begin(), sides.end(), to);
    group.sides.end_at(to + sides.size());
  }

  std::uint32_t departure(std::uint32_t group, std::uint8_t candidate) {
    std::uint32_t& next = next_[group * candidates_ + candidate];
    if (next != kNotAskedYet) return next;
    const std::uint64_t mask = into_.groups_[group].mask | std::uint64_t{1} << candidate;
    const std::uint32_t found = departures_.allow(mask) ? group_of(mask) : kTooFar;
    return next_[group * candidates_ + candidate] = found;  // not `next`: room for a new group was made
  }

  std::uint32_t group_of(std::uint64_t mask) {
    const std::uint32_t group = into_.group_of(mask, departures_);
    next_.resize(into_.groups_.size() * candidates_, kNotAskedYet);
    slots_.resize(into_.groups_.size() * fixed_.size(), kNone);
    for (std::size_t feature = 0; feature < fixed_.size(); ++feature) {
      const std::uint8_t candidate = into_.candidate_of_[feature];
      if (candidate != kNone && (mask >> candidate & 1) != 0)
        slots_[group * fixed_.size() + feature] = MoveLeaves::slot(mask, candidate);
    }
    return group;
  }

  MoveLeaves& into_;
  const MoveLeaves::Source& source_;
  std::span<const Code> fixed_;
  std::size_t candidates_;
  const MoveLeaves::Departures& departures_;
  MoveLeaves::Start start_;
  std::size_t stride_;  // of states in sides_: whole vectors are copied
  std::vector<const std::uint16_t*> from_;  // per candidate and code: the first bin read there or above
  std::vector<BoxSide> everywhere_;         // per candidate
  std::uint32_t first_;                       // the group ways begin in
  std::vector<std::uint32_t> next_;         // per group and candidate: the group one departure further
  std::vector<std::uint8_t> slots_;         // per group and feature: which of the departed it is, or kNone

  std::size_t first_tree_ = 0;
  std::array<const AnyNode*, kTogether> roots_{};  // of the trees walked together
  std::vector<std::uint32_t> groups_of_states_;
  std::vector<BoxSide> sides_;  // per state and candidate: the bins that lead there; room for more states
  Frontier<OpenWay> open_;
  Frontier<ClosedWay> closed_;
};

std::uint32_t MoveLeaves::group_of(std::uint64_t mask, const Departures& departures) {
  const auto [place, fresh] = group_of_.try_emplace(mask, static_cast<std::uint32_t>(groups_.size()));
  if (fresh) groups_.emplace_back().mask = mask;
  const auto size = static_cast<std::size_t>(std::popcount(mask));
  groups_[place->second].closed = size == departures.most && size <= kMostClosed;
  return place->second;
}

bool MoveLeaves::Departures::allow(std::uint64_t mask) const {
  const auto holds = [mask](std::uint64_t set) { return (mask & ~set) == 0; };
  return static_cast<std::size_t>(std::popcount(mask)) <= most &&
         (sets.empty() || std::any_of(sets.begin(), sets.end(), holds));
}

bool MoveLeaves::Departures::lead_far() const {
  constexpr std::size_t kFewSets = 16;
  return most > 1 && (sets.empty() || sets.size() > kFewSets);
}

bool MoveLeaves::may_scan(std::size_t candidates, const Departures& departures) {
  return candidates <= LeafScan::kMostCandidates && departures.most <= LeafScan::kMostDepartures;
}

void MoveLeaves::walk(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates,
                      const Departures& departures) {
  forget(source, fixed, candidates);
  if (source.pages != nullptr && may_scan(candidates.size(), departures))
    LeafScan(*this, source, fixed, candidates, departures).run();
  else
    collect(source, fixed, candidates, departures, Start::open);
}

void MoveLeaves::walk_set(const Source& source, std::span<const Code> fixed, const MoveAxes& axes) {
  forget(source, fixed, axes);
  collect(source, fixed, axes, {axes.size(), {}}, Start::closed);
}

void MoveLeaves::forget(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates) {
  candidate_of_.assign(fixed.size(), kNone);
  candidates_ = candidates.size();
  leaves_ = source.leaves;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    candidate_of_[candidates[i]->feature()] = static_cast<std::uint8_t>(i);
  for (Group& group : groups_) {
    group.sides.clear();
    group.said.clear();
  }
}

void MoveLeaves::collect(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates,
                         const Departures& departures, Start start) {
  if (source.leaves.small_trees.empty())
    LeafCollector<Node>(*this, source, fixed, candidates, departures, start).run();
  else
    LeafCollector<SmallNode>(*this, source, fixed, candidates, departures, start).run();
}

void MoveLeaves::sums(const MoveAxes& axes, BoxSums& into) const {
  std::uint64_t wanted = 0;
  std::vector<std::uint8_t> columns;
  for (const MoveAxis* axis : axes) {
    columns.push_back(candidate_of_[axis->feature()]);
    wanted |= std::uint64_t{1} << columns.back();
  }
  std::vector<std::uint8_t> closed_columns;  // all of the wanted departed
  for (const std::uint8_t candidate : columns) closed_columns.push_back(slot(wanted, candidate));
  into.reset(shape_of(axes), leaves_.channels);
  into.add_everywhere(leaves_.sum_everywhere());
  for (std::uint64_t mask = wanted;; mask = (mask - 1) & wanted) {  // every subset of the wanted features
    const auto found = group_of_.find(mask);
    if (found != group_of_.end()) {
      const Group& group = groups_[found->second];
      into.add({group.sides.items(), group.closed ? axes.size() : candidates_, group.closed ? closed_columns : columns},
               group.said.items(), leaves_.list);
    }
    if (mask == 0) break;
  }
  into.finish();
}

}  // namespace cfrules
