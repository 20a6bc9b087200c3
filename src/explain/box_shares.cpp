#include "explain/box_shares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cfrules {

namespace {

constexpr double kNotRead = -1;

}  // namespace

// Where missing may go right, a cell can be less than the rows of a node; and `inside` asks for the rows in the box.
BoxShares::BoxShares(const Context& context, Region free, const FeatureIndexes& features, const CellRule& rule,
                     const BoxLines& lines)
    : context_(context),
      region_(std::move(free)),
      features_(features),
      rule_(rule),
      lines_(lines),
      by_path_(rule.estimator != Estimator::inside && !context.forest.missing_may_go_right()),
      memory_(context.conditional.forest().trees.size()),
      scratch_(context.conditional.scratch()) {
  for (std::size_t feature = 0; feature < region_.features(); ++feature)
    by_path_ = by_path_ && (region_.role(feature) != Role::range);
  constexpr std::size_t kMostInTable = 1 << 14;
  for (std::size_t tree = 0; tree < memory_.size(); ++tree) {
    std::size_t places = 1;
    for (std::size_t line = 0; line < lines.lines() && places <= kMostInTable; ++line)
      places *= std::size_t{lines.ranks(line, tree)} * lines.ranks(line, tree);
    if (places <= kMostInTable) memory_[tree].table.assign(places, kNotRead);
  }
  const auto boxes_told_apart = [&](std::uint32_t tree) {
    double boxes = 1;
    for (std::size_t line = 0; line < lines.lines(); ++line) boxes *= lines.ranks(line, tree);
    return boxes;
  };
  few_boxes_first_.resize(memory_.size());
  std::iota(few_boxes_first_.begin(), few_boxes_first_.end(), 0u);
  std::stable_sort(few_boxes_first_.begin(), few_boxes_first_.end(), [&](std::uint32_t one, std::uint32_t other) {
    return boxes_told_apart(one) < boxes_told_apart(other);
  });
}

double* BoxShares::remembered(std::size_t tree, std::span<const IndexRange> box) {
  std::uint64_t index = 0;
  for (std::size_t line = 0; line < box.size(); ++line) {
    const std::uint64_t ranks = lines_.ranks(line, tree);
    if (index > std::numeric_limits<std::uint64_t>::max() / (ranks * ranks) - 1) return nullptr;  // too many to name
    index =
        (index * ranks + lines_.rank(line, tree, box[line].first)) * ranks + lines_.rank(line, tree, box[line].last);
  }
  Memory& memory = memory_[tree];
  return memory.table.empty() ? &memory.map.try_emplace(index, kNotRead).first->second : &memory.table[index];
}

double BoxShares::share(std::size_t tree, std::span<const IndexRange> box) {
  const auto is_single = [](const IndexRange& range) { return range.first == range.last; };
  if (by_path_ && std::all_of(box.begin(), box.end(), is_single)) return read_path(tree, box);
  double* place = remembered(tree, box);
  if (place == nullptr) return read(tree, box);
  if (*place == kNotRead) *place = read(tree, box);
  return *place;
}

double BoxShares::read(std::size_t tree, std::span<const IndexRange> box) {
  readings_left_ -= spent() ? 0 : 1;
  for (std::size_t line = 0; line < box.size(); ++line) region_.limit(features_[line], lines_.codes(line, box[line]));
  return context_.conditional.share(context_.conditional.forest().trees[tree], region_, context_.hits, rule_, scratch_);
}

double BoxShares::read_path(std::size_t tree, std::span<const IndexRange> box) {
  const Tree& here = context_.conditional.forest().trees[tree];
  for (std::size_t line = 0; line < box.size(); ++line) region_.limit(features_[line], lines_.codes(line, box[line]));
  std::size_t answer = 0;
  for (std::size_t node = 0;;) {
    const RowRange rows = here.node_rows[node];
    if (rows.end - rows.begin < std::max<std::size_t>(1, rule_.min_rows)) break;
    answer = node;
    if (here.nodes[node].is_leaf()) break;
    const Code code = region_.side(here.nodes[node].split_feature()).low;
    node = static_cast<std::size_t>(here.nodes[node].left) + (here.nodes[node].goes_left(code) ? 0 : 1);
  }
  return read_node(tree, answer);
}

double BoxShares::read_node(std::size_t tree, std::size_t node) {
  const Tree& here = context_.conditional.forest().trees[tree];
  std::vector<double>& known = memory_[tree].nodes;
  if (known.empty()) known.assign(here.nodes.size(), kNotRead);
  if (known[node] != kNotRead) return known[node];
  double all = 0;
  double hit = 0;
  for (std::uint32_t at = here.node_rows[node].begin; at < here.node_rows[node].end; ++at) {
    const std::uint32_t row = here.rows[at];
    all += context_.conditional.weight(row);
    if (context_.forest.hits()[row] != 0) hit += context_.conditional.weight(row);
  }
  return known[node] = all > 0 ? hit / all : kUnknown;
}

// Most boxes fail by a wide margin: as soon as the trees still to come cannot make up for it, the answer is no. Trees
// that tell few boxes apart have their bounds soonest, so they come first. A tree without rows does not count; the others
// may then miss less than is allowed here.
template <class Bound>
bool BoxShares::sum_falls_short(double min_probability, Bound bound) {
  double missed = 0;
  const double may_miss = (1 - min_probability) * static_cast<double>(memory_.size()) + 1e-9;
  for (const std::uint32_t tree : few_boxes_first_) {
    const double share = bound(tree);
    if (std::isnan(share)) continue;
    missed += 1 - share;
    if (missed > may_miss) return true;
  }
  return false;
}

bool BoxShares::falls_short(std::span<const IndexRange> box, double min_probability) {
  return sum_falls_short(min_probability, [&](std::size_t tree) { return share(tree, box); });
}

bool BoxShares::reaches(std::span<const IndexRange> box, double min_probability) {
  return !falls_short(box, min_probability) && probability(box) >= min_probability;
}

double BoxShares::probability(std::span<const IndexRange> box) {
  double sum = 0;
  std::size_t trees = 0;
  for (std::size_t tree = 0; tree < memory_.size(); ++tree) {
    const double said = share(tree, box);
    if (std::isnan(said)) continue;
    sum += said;
    ++trees;
  }
  return trees == 0 ? 0 : sum / static_cast<double>(trees);
}

bool BoxShares::may_reach(IndexRange first_line, double min_probability) {
  return !sum_falls_short(min_probability, [&](std::size_t tree) { return highest(tree, first_line); });
}

// Every range of ranks on the second line is tried once per range of ranks on the first.
double BoxShares::highest(std::size_t tree, IndexRange first_line) {
  const std::size_t ranks = lines_.ranks(0, tree);
  std::vector<double>& known = memory_[tree].highest;
  if (known.empty()) known.assign(ranks * ranks, kNotRead);
  double& place = known[lines_.rank(0, tree, first_line.first) * ranks + lines_.rank(0, tree, first_line.last)];
  if (place != kNotRead) return place;
  double most = 0;
  for (std::size_t first = 0; first < lines_.bins(1); ++first) {
    if (first > 0 && lines_.rank(1, tree, first) == lines_.rank(1, tree, first - 1)) continue;
    for (std::size_t last = first; last < lines_.bins(1); ++last) {
      if (last > first && lines_.rank(1, tree, last) == lines_.rank(1, tree, last - 1)) continue;
      if (spent()) return 1;  // and is not known
      const IndexRange box[] = {first_line, {first, last}};
      const double said = share(tree, box);
      if (std::isnan(said) || said >= 1) return place = said;  // no other says more
      most = std::max(most, said);
    }
  }
  return place = most;
}

}  // namespace cfrules
