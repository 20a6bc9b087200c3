#include "region/node_bits.h"

#include <bit>
#include <numeric>

#include "kernels/bits.h"
#include "region/level_bounds.h"

namespace cfrules {

namespace {

void set_bit(std::uint64_t* words, std::size_t bit) { words[bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits; }

// Up to NodeBits::kMostWords words of bits, with a zero before them and after all that there may be, and which of them
// have any bit.
struct SparseWords {
  const std::uint64_t* words;
  std::uint64_t filled;
};

// Compilers make a branch of `?:` here.
std::uint64_t either(bool first, std::uint64_t one, std::uint64_t other) {
  return other ^ ((one ^ other) & (std::uint64_t{0} - std::uint64_t{first}));
}

// The first bit from `begin` on, or something beyond all bits. Nothing predicts which word has it: no branches, and
// bits that keep words from being zero where that makes no difference.
std::int64_t first_bit(const SparseWords& bits, std::size_t begin) {
  constexpr std::uint64_t kLast = std::uint64_t{1} << (kWordBits - 1);
  const std::size_t at = begin / kWordBits;
  const std::uint64_t here = bits.words[at] & ~std::uint64_t{0} << begin % kWordBits;
  const auto later = static_cast<std::size_t>(std::countr_zero((bits.filled & ~std::uint64_t{1} << at) | kLast));
  const std::size_t from = either(here != 0, at, later);
  const std::uint64_t word = either(here != 0, here, bits.words[later]);
  return static_cast<std::int64_t>(from * kWordBits) + std::countr_zero(word | kLast);
}

// One past the last bit before `end`, or something below 0. The same.
std::int64_t past_last_bit(const SparseWords& bits, std::size_t end) {
  const std::size_t at = end / kWordBits;
  const std::uint64_t here = bits.words[at] & ((std::uint64_t{1} << end % kWordBits) - 1);
  const std::uint64_t filled = bits.filled & ((std::uint64_t{1} << at) - 1);
  const auto earlier = kWordBits - 1 - static_cast<std::size_t>(std::countl_zero(filled << 1 | 1));  // words up to it
  const std::size_t up_to = either(here != 0, at + 1, earlier);
  const std::uint64_t word = either(here != 0, here, (bits.words - 1)[earlier]);
  return static_cast<std::int64_t>(up_to * kWordBits) - std::countl_zero(word | 1);
}

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
    std::vector<SplitEnds> open;  // per feature: places that no end needs to pass, and those that none may
  };
  Way root{0, 0, std::vector<SplitEnds>(features_.size())};
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
  room.ends.resize(features_.size());
  room.rows.clear();
  room.reached.resize(words_);
  room.shallow.resize(kLineWords + kMostWords + 1, 0);
  memory.asked ? recall_sides(region, memory, room) : read_sides(region, room);
  memory.asked = true;
  common_words({room.rows, {}, words_}, room.reached);
}

void NodeBits::read_sides(const Region& region, NodeBitsRoom& room) const {
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    const SplitEnds here = room.ends[feature] = ends(feature, region.side(feature));
    room.rows.push_back(above(feature, here));
    room.rows.push_back(below(feature, here));
  }
}

void NodeBits::recall_sides(const Region& region, SidesMemory& memory, NodeBitsRoom& room) const {
  const std::size_t features = features_.size();
  memory.known.resize(2 * features);
  memory.rows.resize(2 * features * words_);
  for (std::size_t feature = 0; feature < features; ++feature) {
    const Interval side = region.side(feature);
    const std::size_t at = 2 * feature + (region.role(feature) == Role::fixed ? 1 : 0);
    const std::span<std::uint64_t> splits = std::span(memory.rows).subspan(at * words_, words_);
    SidesMemory::Known& known = memory.known[at];
    if (known.side != side) learn(feature, side, known, splits);
    room.ends[feature] = known.ends;
    room.rows.push_back(splits.data());
  }
}

void NodeBits::bounds(std::size_t level, NodeBitsRoom& room, std::span<std::uint16_t> tight) const {
  if (level == 0) {
    std::fill(tight.begin(), tight.end(), std::uint16_t{0});
    return;
  }
  const std::uint64_t* const rows[] = {room.reached.data(), shallow_.data() + (level - 1) * words_};
  const std::span<std::uint64_t> shallow = std::span(room.shallow).subspan(kLineWords);
  const SparseWords reached{shallow.data(), common_words({rows, {}, words_}, shallow)};
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    const Feature& here = features_[feature];
    const SplitEnds ends = room.ends[feature];
    const std::int64_t below = std::max<std::int64_t>(past_last_bit(reached, ends.low), here.begin);
    const std::int64_t above = std::min<std::int64_t>(first_bit(reached, ends.high), here.end);
    const Code* const cuts = cuts_.data() + feature;
    tight[2 * feature] = static_cast<std::uint16_t>(cuts[below] + 1);  // kTop becomes nothing
    tight[2 * feature + 1] = static_cast<std::uint16_t>(kTop - cuts[above + 1]);
  }
}

}  // namespace cfrules
