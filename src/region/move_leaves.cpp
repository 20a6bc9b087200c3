#include "region/move_leaves.h"

#include <algorithm>
#include <bit>

#include "region/walk.h"

namespace cfrules {

namespace {

constexpr std::uint8_t kNone = 0xFF;
constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
constexpr std::uint32_t kTooFar = 0xFFFFFFFE;

}  // namespace

class LeafCollector {
 public:
  LeafCollector(MoveLeaves& into, const MoveLeaves::Source& source, std::span<const Code> fixed,
                const MoveAxes& candidates, std::size_t departures)
      : into_(into), source_(source), fixed_(fixed), candidates_(candidates.size()), departures_(departures) {
    for (const Code code : fixed) sides_.push_back({code, code});
    closed_ = sides_;
    for (const MoveAxis* axis : candidates) {
      tables_.push_back(source.world == MoveLeaves::World::forest ? axis->code_tables() : axis->isolation_tables());
      features_.push_back(axis->feature());
      box_.push_back({0, static_cast<std::uint16_t>(axis->size())});
      sides_[axis->feature()] = around(tables_.back(), box_.back(), fixed[axis->feature()]);
    }
    group_ = group_of(0);
    now_ = sides_.data();
  }

  void run(std::size_t tree) {
    tree_ = tree;
    const auto side = [this](std::size_t feature) { return now_[feature]; };
    walk(source_.trees[tree].nodes, side, *this);
  }

  static void bound(std::size_t, std::size_t, Interval, std::size_t) {}

  // A side is kept as narrow as the places in it, so that splits between two of them are no splits.
  bool enter(std::size_t feature, Interval part, const Node& node, bool left) {
    if (part.low > part.high) return false;
    const std::uint8_t candidate = into_.candidate_of_[feature];
    const MoveAxis::Tables& tables = tables_[candidate];
    const BoxSide bins{tables.from[part.low], tables.from[part.high + 1]};
    const Code own = fixed_[feature];
    std::uint32_t group = group_;
    Interval side;
    if (part.contains(own) && left == node.goes_left(own)) {
      side = around(tables, bins, own);
    } else {
      if (bins.begin >= bins.end) return false;  // who departs must arrive somewhere
      group = next_[group * candidates_ + candidate];
      if (group == kUnknown) group = departure(candidate);
      if (group == kTooFar) return false;
      side = {tables.at[bins.begin], tables.at[bins.end - 1]};
    }
    trail_.push_back({now_, now_[feature], box_[candidate], group_});
    if (group != group_ && is_full(group)) close(group);
    now_[feature] = side;
    box_[candidate] = bins;
    group_ = group;
    return true;
  }

  void leave(std::size_t feature) {
    const Step& step = trail_.back();
    if (now_ != step.sides) open();
    now_[feature] = step.side;
    box_[into_.candidate_of_[feature]] = step.bins;
    group_ = step.group;
    trail_.pop_back();
  }

  void leaf(std::size_t node, std::size_t /*depth*/) {
    const std::size_t id = source_.trees[tree_].nodes[node].leaf_id();
    const Fixed number = source_.first[tree_][id] - source_.common;
    if (number == 0 && into_.channels_ == 1) return;  // counted everywhere already
    MoveLeaves::Group& group = into_.groups_[group_];
    group.sides.insert(group.sides.end(), box_.begin(), box_.end());
    group.numbers.push_back(number);
    if (into_.channels_ == 2) group.numbers.push_back(source_.second[tree_][id]);
  }

 private:
  struct Step {
    Interval* sides;
    Interval side;
    BoxSide bins;
    std::uint32_t group;
  };

  static Interval around(const MoveAxis::Tables& tables, BoxSide bins, Code own) {
    if (bins.begin >= bins.end) return {own, own};
    return {std::min(own, tables.at[bins.begin]), std::max(own, tables.at[bins.end - 1])};
  }

  [[nodiscard]] bool is_full(std::uint32_t group) const {
    return static_cast<std::size_t>(std::popcount(into_.groups_[group].mask)) == departures_;
  }

  // Nothing else may depart: every other feature is the person's own again, and its splits go one way.
  void close(std::uint32_t group) {
    for (std::uint64_t rest = into_.groups_[group].mask; rest != 0; rest &= rest - 1) {
      const std::size_t feature = features_[static_cast<std::size_t>(std::countr_zero(rest))];
      closed_[feature] = sides_[feature];
    }
    now_ = closed_.data();
  }

  void open() {
    for (std::uint64_t rest = into_.groups_[group_].mask; rest != 0; rest &= rest - 1) {
      const std::size_t feature = features_[static_cast<std::size_t>(std::countr_zero(rest))];
      closed_[feature] = {fixed_[feature], fixed_[feature]};
    }
    now_ = sides_.data();
  }

  std::uint32_t group_of(std::uint64_t mask) {
    const auto [place, fresh] = into_.group_of_.try_emplace(mask, static_cast<std::uint32_t>(into_.groups_.size()));
    if (fresh) into_.groups_.push_back({mask, {}, {}});
    next_.resize(into_.groups_.size() * candidates_, kUnknown);
    return place->second;
  }

  std::uint32_t departure(std::uint8_t candidate) {
    const std::uint64_t mask = into_.groups_[group_].mask | std::uint64_t{1} << candidate;
    const std::uint32_t group = static_cast<std::size_t>(std::popcount(mask)) > departures_ ? kTooFar : group_of(mask);
    return next_[group_ * candidates_ + candidate] = group;
  }

  MoveLeaves& into_;
  const MoveLeaves::Source& source_;
  std::span<const Code> fixed_;
  std::size_t candidates_;
  std::size_t departures_;
  std::size_t tree_ = 0;
  std::vector<std::size_t> features_;     // per candidate
  std::vector<Interval> sides_;           // per feature, of the region at this point of the walk
  std::vector<Interval> closed_;          // the same where no further feature may depart
  Interval* now_ = nullptr;               // whichever of the two holds at this point
  std::vector<BoxSide> box_;              // per candidate, the same in bins
  std::vector<MoveAxis::Tables> tables_;  // per candidate
  std::vector<std::uint32_t> next_;       // per group and candidate: the group one departure further
  std::vector<Step> trail_;
  std::uint32_t group_ = 0;
};

void MoveLeaves::walk(const Source& source, std::span<const Code> fixed, const MoveAxes& candidates,
                      std::size_t departures) {
  candidate_of_.assign(fixed.size(), kNone);
  candidates_ = candidates.size();
  everywhere_ = source.common * static_cast<Fixed>(source.trees.size());
  channels_ = !source.second.empty() && !source.second.front().empty() ? 2 : 1;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    candidate_of_[candidates[i]->feature()] = static_cast<std::uint8_t>(i);
  for (Group& group : groups_) {
    group.sides.clear();
    group.numbers.clear();
  }
  LeafCollector collector(*this, source, fixed, candidates, departures);
  for (std::size_t tree = 0; tree < source.trees.size(); ++tree) collector.run(tree);
}

void MoveLeaves::sums(const MoveAxes& axes, BoxSums& into) const {
  std::uint64_t wanted = 0;
  std::vector<std::uint8_t> columns;
  for (const MoveAxis* axis : axes) {
    columns.push_back(candidate_of_[axis->feature()]);
    wanted |= std::uint64_t{1} << columns.back();
  }
  into.reset(shape_of(axes), channels_);
  into.add_everywhere(everywhere_);
  for (std::uint64_t mask = wanted;; mask = (mask - 1) & wanted) {  // every subset of the wanted features
    const auto found = group_of_.find(mask);
    if (found != group_of_.end()) {
      const Group& group = groups_[found->second];
      into.add({group.sides, candidates_, columns, group.numbers});
    }
    if (mask == 0) break;
  }
  into.finish();
}

}  // namespace cfrules
