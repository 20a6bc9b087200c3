#include "region/node_bits.h"

#include <numeric>

#include "region/level_bounds.h"

namespace cfrules {

namespace {

void set_bit(std::uint64_t* words, std::size_t bit) { words[bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits; }

std::size_t splits_of(const Tree& tree) { return tree.nodes.size() / 2; }

}  // namespace

bool NodeBits::knows(const Tree& tree) {
  return splits_of(tree) < kMostWords * kWordBits &&
         std::none_of(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) { return node.missing_right(); });
}

std::size_t NodeBits::bytes(const Tree& tree, std::size_t features) {
  return 2 * (splits_of(tree) + features) * row_stride(words_of_bits(splits_of(tree))) * sizeof(std::uint64_t);
}

NodeBits::NodeBits(const Tree& tree, std::size_t features)
    : words_(row_stride(words_of_bits(splits_of(tree)))), features_(features) {
  std::vector<std::uint32_t> numbers;
  number(tree, numbers);
  above_.assign((splits_of(tree) + features) * words_, 0);
  below_.assign(above_.size(), 0);
  note_ways(tree, numbers);
  for (std::size_t feature = 0; feature < features; ++feature) {
    const Feature& here = features_[feature];
    for (std::size_t at = row(feature, here.begin + 1); at < row(feature, here.end + 1); ++at)
      below_[at] |= below_[at - words_];
    for (std::size_t at = row(feature, here.end); at-- > row(feature, here.begin);) above_[at] |= above_[at + words_];
  }
}

// numbers: of each node that splits.
void NodeBits::number(const Tree& tree, std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node)
    if (!tree.nodes[node].is_leaf()) order.push_back(node);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    const Node &a = tree.nodes[one], &b = tree.nodes[other];
    return a.split_feature() != b.split_feature() ? a.split_feature() < b.split_feature() : a.cut < b.cut;
  });
  numbers.assign(tree.nodes.size(), 0);
  std::vector<Code> cuts;
  for (std::uint32_t split = 0; split < order.size(); ++split) {
    numbers[order[split]] = split;
    cuts.push_back(tree.nodes[order[split]].cut);
  }
  std::uint32_t split = 0;
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    Feature& here = features_[feature];
    here.begin = split;
    while (split < order.size() && tree.nodes[order[split]].split_feature() == feature) ++split;
    here.end = split;
    here.codes = static_cast<std::uint32_t>(places_.size());
    here.most = here.begin == here.end ? Code{0} : static_cast<Code>(cuts[here.end - 1] + 1);
    cuts_.push_back(kTop);
    cuts_.insert(cuts_.end(), cuts.begin() + here.begin, cuts.begin() + here.end);
    std::uint32_t place = here.begin;
    for (std::size_t code = 0; code <= here.most; ++code) {
      while (place < here.end && cuts[place] < code) ++place;
      places_.push_back(static_cast<std::uint16_t>(place));
    }
  }
  cuts_.push_back(kTop);
}

// Each split in the first row that does not rule it out: the others follow from it.
void NodeBits::note_ways(const Tree& tree, std::span<const std::uint32_t> numbers) {
  struct Way {
    std::uint32_t node;
    std::size_t depth;
    std::vector<BitGap> open;  // per feature: places that no end needs to pass, and those that none may
  };
  Way root{0, 0, std::vector<BitGap>(features_.size())};
  for (std::size_t feature = 0; feature < features_.size(); ++feature)
    root.open[feature] = {features_[feature].end, features_[feature].begin};
  std::vector<Way> waiting{root};
  while (!waiting.empty()) {
    Way way = std::move(waiting.back());
    waiting.pop_back();
    const Node& node = tree.nodes[way.node];
    if (node.is_leaf()) continue;
    const std::uint32_t split = numbers[way.node];
    for (std::size_t feature = 0; feature < features_.size(); ++feature) {
      set_bit(above_.data() + row(feature, way.open[feature].low), split);
      set_bit(below_.data() + row(feature, way.open[feature].high), split);
    }
    for (; levels_ < way.depth + 2; ++levels_) shallow_.resize(levels_ * words_, 0);
    set_bit(shallow_.data() + way.depth * words_, split);
    const std::size_t feature = node.split_feature();
    const auto left = static_cast<std::uint32_t>(node.left);
    Way right{left + 1, way.depth + 1, way.open};
    right.open[feature].high = std::max(right.open[feature].high, split + 1);
    waiting.push_back(std::move(right));
    way.open[feature].low = std::min(way.open[feature].low, split);
    waiting.push_back({left, way.depth + 1, std::move(way.open)});
  }
  for (std::size_t at = words_; at < shallow_.size(); ++at) shallow_[at] |= shallow_[at - words_];
}

void NodeBits::learn(std::size_t feature, Interval side, SidesMemory::Known& known,
                     std::span<std::uint64_t> splits) const {
  known = {side, ends(feature, side)};
  const std::uint64_t* const rows[] = {above(feature, known.ends), below(feature, known.ends)};
  common_words({rows, {}, words_}, splits);
}

void NodeBits::reach(const Region& region, SidesMemory& memory, NodeBitsRoom& room) const {
  room.features.resize(features_.size());
  room.ends.resize(features_.size());
  room.neighbours.resize(features_.size());
  list_limited(region, room);
  room.rows.clear();
  room.reached.resize(words_);
  room.shallow.resize(kLineWords + kMostWords + 1, 0);
  memory.asked ? recall_sides(region, memory, room) : read_sides(region, room);
  memory.asked = true;
  common_words({room.rows, {}, words_}, room.reached);
}

// Without a branch: which features are free nothing predicts.
void NodeBits::list_limited(const Region& region, NodeBitsRoom& room) const {
  std::size_t count = 0;
  for (std::uint32_t feature = 0; feature < features_.size(); ++feature) {
    room.features[count] = feature;
    count += region.role(feature) != Role::free ? 1 : 0;
  }
  room.limited = count;
}

void NodeBits::read_sides(const Region& region, NodeBitsRoom& room) const {
  for (std::size_t i = 0; i < room.limited; ++i) {
    const std::size_t feature = room.features[i];
    const BitGap here = room.ends[i] = ends(feature, region.side(feature));
    room.rows.push_back(above(feature, here));
    room.rows.push_back(below(feature, here));
  }
}

void NodeBits::recall_sides(const Region& region, SidesMemory& memory, NodeBitsRoom& room) const {
  const std::size_t features = features_.size();
  memory.known.resize(2 * features);
  memory.rows.resize(2 * features * words_);
  for (std::size_t i = 0; i < room.limited; ++i) {
    const std::size_t feature = room.features[i];
    const Interval side = region.side(feature);
    const std::size_t at = 2 * feature + (region.role(feature) == Role::fixed ? 1 : 0);
    const std::span<std::uint64_t> splits = std::span(memory.rows).subspan(at * words_, words_);
    SidesMemory::Known& known = memory.known[at];
    if (known.side != side) learn(feature, side, known, splits);
    room.ends[i] = known.ends;
    room.rows.push_back(splits.data());
  }
}

void NodeBits::bounds(std::size_t level, NodeBitsRoom& room, std::span<std::uint16_t> tight) const {
  std::fill(tight.begin(), tight.end(), std::uint16_t{0});
  if (level == 0) return;
  const std::uint64_t* const rows[] = {room.reached.data(), shallow_.data() + (level - 1) * words_};
  const std::span<std::uint64_t> shallow = std::span(room.shallow).subspan(kLineWords);
  find_neighbours({shallow.data(), common_words({rows, {}, words_}, shallow)},
                  std::span(room.ends).first(room.limited), room.neighbours.data());
  for (std::size_t i = 0; i < room.limited; ++i) {
    const std::size_t feature = room.features[i];
    const Feature& here = features_[feature];
    const auto below = std::max(room.neighbours[i].below, static_cast<std::int32_t>(here.begin));
    const auto above = std::min(room.neighbours[i].above, static_cast<std::int32_t>(here.end));
    const Code* const cuts = cuts_.data() + feature;
    tight[2 * feature] = static_cast<std::uint16_t>(cuts[below] + 1);  // kTop becomes nothing
    tight[2 * feature + 1] = static_cast<std::uint16_t>(kTop - cuts[above + 1]);
  }
}

}  // namespace cfrules
