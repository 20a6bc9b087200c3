#include "region/conditional.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <type_traits>

#include "base/parallel.h"
#include "region/cell_walk.h"
#include "region/departures.h"

namespace cfrules {

struct Conditional::Index {
  std::once_flag once;
  std::atomic<bool> ready = false;  // asked before every tree, and quicker than the flag
  std::optional<RowBlocks> blocks;
  std::vector<RowMarks> members;    // per tree; empty: all rows
  std::vector<std::size_t> depths;  // per tree
  std::vector<NodeBits> nodes;      // per tree; empty: cells have to be walked to
  RowMarks none;                    // no row
};

namespace {

// Where bits of all trees are known and not too large.
bool can_look_up(const Forest& forest) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  std::size_t bytes = 0;
  for (const Tree& tree : forest.trees) {
    bytes += NodeBits::bytes(tree, forest.features);
    if (bytes > kMostBytes || !NodeBits::knows(tree)) return false;
  }
  return true;
}

// How many levels of splits a tree has.
std::size_t depth_of(const Tree& tree) {
  std::vector<std::size_t> depths(tree.nodes.size(), 0);
  std::size_t deepest = 0;
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    deepest = std::max(deepest, depths[node]);
    if (tree.nodes[node].is_leaf()) continue;
    const auto left = static_cast<std::size_t>(tree.nodes[node].left);
    depths[left] = depths[left + 1] = depths[node] + 1;
  }
  return deepest;
}

// A box ends where the tree splits, and a split is met by as many people as rows.
AskedSides asked_sides(const Forest& forest) {
  AskedSides asked{forest.split_counts, std::vector<std::vector<double>>(forest.features)};
  for (const Tree& tree : forest.trees)
    for (std::size_t node = 0; node < tree.nodes.size() && !tree.rows.empty(); ++node) {
      const Node& split = tree.nodes[node];
      if (split.is_leaf()) continue;
      std::vector<double>& ends = asked.ends[split.split_feature()];
      ends.resize(std::max<std::size_t>(ends.size(), split.cut + 1u), 0.0);
      const RowRange rows = tree.node_rows[node];
      ends[split.cut] += (rows.end - rows.begin) / static_cast<double>(tree.rows.size());
    }
  return asked;
}

// A row leaves the union where its path turns into a child that the walk does not visit.
std::size_t deepest_union(const Tree& tree, const std::vector<Excluded>& excluded, std::size_t levels,
                          std::size_t min_rows) {
  std::vector<std::size_t> lost(levels, 0);
  for (const Excluded& out : excluded)
    lost[out.depth + 1] += tree.node_rows[out.node].end - tree.node_rows[out.node].begin;
  for (std::size_t level = 1; level < lost.size(); ++level) lost[level] += lost[level - 1];
  std::size_t level = lost.size() - 1;
  while (level > 0 && tree.rows.size() - lost[level] < min_rows) --level;
  return level;
}

bool has_range(const Region& region) {
  for (std::size_t feature = 0; feature < region.features(); ++feature)
    if (region.role(feature) == Role::range) return true;
  return false;
}

std::size_t candidates(std::span<const std::vector<std::size_t>> sets) {
  std::set<std::size_t> features;
  for (const std::vector<std::size_t>& set : sets) features.insert(set.begin(), set.end());
  return features.size();
}

double share_of(const BitCounts& rows) { return static_cast<double>(rows.marked) / static_cast<double>(rows.all); }

// The parts of the tree's rows that the walk visits down to a level.
std::vector<RowRange> visited_ranges(const Tree& tree, const std::vector<Excluded>& excluded, std::size_t level) {
  std::vector<RowRange> out;
  for (const Excluded& each : excluded)
    if (each.depth < level) out.push_back(tree.node_rows[each.node]);
  std::sort(out.begin(), out.end(),
            [](RowRange a, RowRange b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
  std::vector<RowRange> visited;
  std::uint32_t at = 0;
  for (const RowRange range : out) {
    if (range.begin > at) visited.push_back({at, range.begin});
    at = std::max(at, range.end);
  }
  visited.push_back({at, static_cast<std::uint32_t>(tree.rows.size())});
  return visited;
}

}  // namespace

Conditional::Conditional(const Forest& forest, const CodeMatrix& codes, std::span<const double> weights)
    : forest_(forest), codes_(codes), weights_(weights), index_(std::make_unique<Index>()) {}

Conditional::~Conditional() = default;
Conditional::Conditional(Conditional&&) noexcept = default;

void Conditional::prepare(const Run& run) const { static_cast<void>(index(run)); }

// A stop leaves it unmade: whoever asks next begins anew.
const Conditional::Index& Conditional::index(const Run& run) const {
  if (index_->ready.load(std::memory_order_acquire)) return *index_;
  std::call_once(index_->once, [&] {
    index_->blocks.emplace(codes_, asked_sides(forest_), run);
    index_->none.assign(index_->blocks->blocks(), 0);
    index_->depths.clear();
    index_->members.clear();
    index_->nodes.clear();
    const bool looked_up = can_look_up(forest_);
    for (const Tree& tree : forest_.trees) {
      check_stop(run);
      index_->depths.push_back(depth_of(tree));
      if (looked_up) index_->nodes.emplace_back(tree, forest_.features);
      index_->members.push_back(tree.rows.size() == codes_.rows ? RowMarks{} : index_->blocks->mark_rows(tree.rows));
    }
    index_->ready.store(true, std::memory_order_release);
  });
  return *index_;
}

const RowBlocks& Conditional::blocks() const { return *index().blocks; }

const RowMarks& Conditional::members(const Tree& tree) const {
  return index().members[static_cast<std::size_t>(&tree - forest_.trees.data())];
}

Hits Conditional::mark(std::span<const std::uint8_t> hits) const { return {hits, blocks().mark(hits)}; }

std::vector<std::uint32_t> Conditional::cell(const Tree& tree, const Region& region, const CellRule& rule) const {
  if (tree.rows.empty()) return {};
  CellWalkRoom room;
  std::vector<Excluded> excluded;
  CellWalk<Node> walked(tree.nodes, region, rule.estimator, room, &excluded);
  walked.finish();
  const LevelBounds bounds = walked.bounds();
  const std::size_t wanted = std::max<std::size_t>(1, rule.min_rows);
  const bool by_leaves = rule.estimator == Estimator::leaf_union;
  std::size_t level = 0;
  if (by_leaves) {
    level = deepest_union(tree, excluded, bounds.levels(), wanted);
  } else {
    const CountedCell counted = CellCounter(blocks()).deepest(bounds, {members(tree), index().none, wanted, {}});
    // `inside` with no row in the ranges at all: what the cell says without them.
    if (counted.rows.all == 0 && rule.estimator == Estimator::inside)
      return cell(tree, region, {Estimator::paper, rule.min_rows});
    level = counted.level;
  }
  std::vector<CodeSide> box;
  for (std::size_t feature = 0; feature < region.features() && !by_leaves; ++feature) {
    const Interval side = bounds.side(level, feature);
    if (side != Interval{kMissing, kTop}) box.push_back({feature, side});
  }
  std::vector<std::uint32_t> rows;
  for (const RowRange range : visited_ranges(tree, excluded, level))
    for (std::uint32_t at = range.begin; at < range.end; ++at) {
      const std::uint32_t row = tree.rows[at];
      const auto holds = [&](const CodeSide& side) { return side.codes.contains(codes_.at(row, side.feature)); };
      if (std::all_of(box.begin(), box.end(), holds)) rows.push_back(row);
    }
  return rows;
}

// With weights, and for the union of leaves, the rows themselves are needed; else counting them is enough.
bool Conditional::counts_suffice(const CellRule& rule) const {
  return weights_.empty() && rule.estimator != Estimator::leaf_union;
}

CellQuestion Conditional::question(std::size_t tree, const RowMarks& marks, const CellRule& rule) const {
  return {index().members[tree], marks, std::max<std::size_t>(1, rule.min_rows), {}};
}

// Leaves the cell's rows in the scratch.
CountedCell Conditional::count(const Tree& tree, const Region& region, const RowMarks& marks, const CellRule& rule,
                               CellScratch& scratch) const {
  const Index& rows = index();
  const auto at = static_cast<std::size_t>(&tree - forest_.trees.data());
  const CellQuestion question = this->question(at, marks, rule);
  const auto walk = [&]<class AnyNode>(const std::vector<AnyNode>& nodes) {
    CellWalk<AnyNode> walked(nodes, region, rule.estimator, scratch.walks.front());
    return scratch.counter.deepest(walked, question);
  };
  if (rows.nodes.empty()) return forest_.small_trees.empty() ? walk(tree.nodes) : walk(forest_.small_trees[at]);
  CellLookup looked_up(rows.nodes[at], region, rule.estimator, scratch.sides[at], scratch.lookup);
  return scratch.counter.deepest(looked_up, question);
}

// False: they have to be looked for one by one.
bool Conditional::find_rows(const Tree& tree, const Region& region, const CellRule& rule, CellScratch& scratch,
                            std::vector<std::uint32_t>& rows) const {
  if (!counts_suffice(rule) || tree.rows.empty()) return false;
  if (count(tree, region, index().none, rule, scratch).rows.all == 0) return false;
  scratch.counter.rows(rows);
  return true;
}

double Conditional::share(const Tree& tree, const Region& region, const Hits& hits, const CellRule& rule,
                          CellScratch& scratch) const {
  if (tree.rows.empty()) return kUnknown;
  if (counts_suffice(rule)) {
    const BitCounts rows = count(tree, region, hits.marks, rule, scratch).rows;
    if (rows.all > 0) return share_of(rows);
  }
  return share_by_rows(tree, region, hits, rule);
}

double Conditional::share_by_rows(const Tree& tree, const Region& region, const Hits& hits,
                                  const CellRule& rule) const {
  double all = 0;
  double hit = 0;
  for (const std::uint32_t row : cell(tree, region, rule)) {
    all += weight(row);
    if (hits.flags[row] != 0) hit += weight(row);
  }
  return all > 0 ? hit / all : kUnknown;
}

double Conditional::probability(const Region& region, const Hits& hits, const CellRule& rule,
                                CellScratch& scratch) const {
  if (counts_suffice(rule) && index().nodes.empty()) {
    if (forest_.small_trees.empty())
      return walk_together([&](std::size_t tree) { return std::span<const Node>(forest_.trees[tree].nodes); }, region,
                           hits, rule, scratch);
    return walk_together([&](std::size_t tree) { return std::span<const SmallNode>(forest_.small_trees[tree]); },
                         region, hits, rule, scratch);
  }
  MeanShare mean(forest_.trees.size());
  for (const Tree& tree : forest_.trees) mean.add(share(tree, region, hits, rule, scratch));
  return mean.value();
}

// A few trees step down together, about as far as cells are wanted: while one waits for its next nodes to come from
// memory, the others go on.
template <class Nodes>
double Conditional::walk_together(const Nodes& nodes, const Region& region, const Hits& hits, const CellRule& rule,
                                  CellScratch& scratch) const {
  using Walk = CellWalk<std::remove_const_t<typename decltype(nodes(0))::element_type>>;
  constexpr std::size_t kFurther = 1;  // than the last cell
  const std::size_t trees = forest_.trees.size();
  MeanShare mean(trees);
  std::vector<Walk> walks;
  walks.reserve(CellScratch::kTogether);
  for (std::size_t first = 0; first < trees; first += CellScratch::kTogether) {
    const std::size_t count = std::min(CellScratch::kTogether, trees - first);
    walks.clear();
    for (std::size_t i = 0; i < count; ++i)
      walks.emplace_back(nodes(first + i), region, rule.estimator, scratch.walks[i]);
    if (const auto level = scratch.counter.first_level())
      for (std::size_t next = 1; next <= *level + kFurther; ++next)
        for (Walk& walk : walks) walk.reach(next);
    for (std::size_t i = 0; i < count; ++i) {
      const Tree& tree = forest_.trees[first + i];
      if (tree.rows.empty()) {
        mean.add(kUnknown);
        continue;
      }
      const BitCounts found = scratch.counter.deepest(walks[i], question(first + i, hits.marks, rule)).rows;
      mean.add(found.all > 0 ? share_of(found) : share_by_rows(tree, region, hits, rule));
    }
  }
  return mean.value();
}

std::vector<double> Conditional::probabilities(const Region& base, const Region& free,
                                               std::span<const std::vector<std::size_t>> sets, const Hits& hits,
                                               const CellRule& rule) const {
  std::vector<MeanShare> means(sets.size(), MeanShare(forest_.trees.size()));
  hear(base, free, sets, hits, rule, 0, means);
  std::vector<double> answers;
  for (const MeanShare& mean : means) answers.push_back(mean.value());
  return answers;
}

void Conditional::hear(const Region& base, const Region& free, std::span<const std::vector<std::size_t>> sets,
                       const Hits& hits, const CellRule& rule, double least, std::span<MeanShare> means) const {
  std::vector<Region> regions(sets.size(), base);
  for (std::size_t set = 0; set < sets.size(); ++set)
    for (const std::size_t feature : sets[set]) regions[set].take(feature, free);
  const Index& rows = index();
  const bool counted = counts_suffice(rule) && !(rule.estimator == Estimator::inside && has_range(base));
  const bool looked_up = counted && !rows.nodes.empty();
  const bool walked = counted && !looked_up && candidates(sets) <= SetLattice::kMostFeatures;
  const SetLattice lattice(walked ? sets : sets.first(0), base.features());
  Departures departures(lattice, base, free);
  CellScratch room = scratch();
  for (std::size_t at = 0; at < forest_.trees.size(); ++at) {
    const Tree& tree = forest_.trees[at];
    const auto listens = [&](const MeanShare& mean) {
      return mean.left() + at == forest_.trees.size() && !mean.stays_below(least);
    };
    if (std::none_of(means.begin(), means.end(), listens)) continue;  // the tree need not be read
    if (counted) room.counter.remember();
    if (walked) departures.read(tree, rows.depths[at]);
    CellQuestion question = this->question(at, hits.marks, rule);
    const auto ask = [&](std::size_t set) {
      if (tree.rows.empty()) return kUnknown;
      if (looked_up) {
        CellLookup cell(rows.nodes[at], regions[set], rule.estimator, room.sides[at], room.lookup);
        return share_of(room.counter.deepest(cell, question).rows);
      }
      if (!walked) return share(tree, regions[set], hits, rule, room);
      const LevelBounds bounds = departures.bounds(lattice.place(set));
      question.open = sets[set];
      return share_of(room.counter.deepest(bounds, question).rows);
    };
    for (std::size_t set = 0; set < sets.size(); ++set)
      if (listens(means[set])) means[set].add(ask(set));
  }
}

std::vector<WeightedRow> Conditional::weighted_rows(const Region& region, const CellRule& rule) const {
  std::vector<WeightedRow> parts;  // one per tree and row of its cell
  CellScratch room = scratch();
  std::vector<std::uint32_t> rows;
  std::size_t trees = 0;
  for (const Tree& tree : forest_.trees) {
    if (!find_rows(tree, region, rule, room, rows)) rows = cell(tree, region, rule);
    double all = 0;
    for (const std::uint32_t row : rows) all += weight(row);
    if (all <= 0) continue;
    for (const std::uint32_t row : rows) parts.push_back({row, weight(row) / all});
    ++trees;
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const WeightedRow& a, const WeightedRow& b) { return a.row < b.row; });
  std::vector<WeightedRow> sums;
  for (const WeightedRow& part : parts) {
    if (sums.empty() || sums.back().row != part.row) sums.push_back({part.row, 0.0});
    sums.back().weight += part.weight;
  }
  for (WeightedRow& sum : sums) sum.weight /= static_cast<double>(trees);
  return sums;
}

std::vector<double> Conditional::row_weights(const Region& region, const CellRule& rule) const {
  std::vector<double> weights(codes_.rows, 0.0);
  for (const WeightedRow& weighted : weighted_rows(region, rule)) weights[weighted.row] = weighted.weight;
  return weights;
}

}  // namespace cfrules
