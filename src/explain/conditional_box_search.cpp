#include "explain/conditional_box_search.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

#include "region/walk.h"

namespace cfrules {

namespace {

// Differences of prefix sums leave rounding where nothing is; weights sum to 1, and no row weighs this little.
constexpr double kDust = 1e-12;

constexpr double kNotRead = -1;

// Cuts on the free features that the walk meets.
class CutVisitor {
 public:
  explicit CutVisitor(std::size_t features) : cuts(features) {}
  static void bound(std::size_t, std::size_t, Interval, std::size_t) {}
  bool enter(std::size_t feature, Interval part, const Node& /*node*/, bool /*left*/) {
    cuts[feature].insert(part.high);  // the left part ends at the cut; a right part's end is the axis' end and harmless
    return part.low <= part.high;
  }
  static void leave(std::size_t) {}
  static void leaf(std::size_t, std::size_t) {}

  std::vector<std::set<Code>> cuts;  // codes after which a bin ends
};

}  // namespace

ConditionalBoxSearch::ConditionalBoxSearch(const Context& context, Region free, const FeatureIndexes& features, const CellRule& rule,
                                           Limits limits)
    : context_(context),
      free_(std::move(free)),
      features_(features),
      rule_(rule),
      limits_(std::move(limits)),
      remembered_(context.conditional.forest().trees.size()) {
  find_bins();
  const std::vector<double> weights = context.conditional.row_weights(free_, rule);
  for (std::uint32_t row = 0; row < weights.size(); ++row) {
    if (weights[row] <= 0) continue;
    std::vector<std::uint32_t> place;
    for (const Line& line : lines_) {
      const Code code = context.codes.at(row, line.feature);
      if (code == kMissing) break;
      const auto bin = std::lower_bound(line.bins.begin(), line.bins.end(), code, [](Interval b, Code c) { return b.high < c; });
      place.push_back(static_cast<std::uint32_t>(bin - line.bins.begin()));
    }
    if (place.size() < lines_.size()) continue;
    weighted_.push_back({row, weights[row]});
    placed_.push_back(std::move(place));
  }
  sum_masses();
  constexpr std::size_t kMostRemembered = 1 << 16;
  for (std::size_t tree = 0; tree < remembered_.size(); ++tree) {
    std::size_t places = 1;
    for (const Line& line : lines_) places *= std::size_t{line.ranks[tree]} * line.ranks[tree];
    if (places <= kMostRemembered) remembered_[tree].table.assign(places, kNotRead);
  }
}

void ConditionalBoxSearch::sum_masses() {
  constexpr std::size_t kMostCells = 1 << 21;
  strides_.assign(lines_.size(), 0);
  std::size_t cells = 1;
  for (std::size_t line = lines_.size(); line-- > 0 && cells <= kMostCells;) {
    strides_[line] = cells;
    cells *= lines_[line].bins.size() + 1;
  }
  if (cells > kMostCells) return;
  mass_below_.assign(cells, 0.0);
  for (std::size_t i = 0; i < weighted_.size(); ++i) {
    std::size_t cell = 0;
    for (std::size_t line = 0; line < lines_.size(); ++line) cell += (placed_[i][line] + 1) * strides_[line];
    mass_below_[cell] += weighted_[i].weight;
  }
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const std::size_t block = strides_[line] * (lines_[line].bins.size() + 1);
    for (std::size_t start = 0; start < cells; start += block)
      for (std::size_t i = start + strides_[line]; i < start + block; ++i) mass_below_[i] += mass_below_[i - strides_[line]];
  }
}

// `paper` and `leaf_union` only see cuts the walk can meet; `inside` also counts rows by their own codes, and forbidden
// combinations are told by code, so then every code counts.
void ConditionalBoxSearch::find_bins() {
  const Forest& forest = context_.conditional.forest();
  const auto side = [this](std::size_t feature) { return free_.side(feature); };
  std::vector<CutVisitor> met;
  for (const Tree& tree : forest.trees) {
    met.emplace_back(free_.features());
    walk(tree.nodes, side, met.back());
  }
  const bool by_code = rule_.estimator == Estimator::inside || limits_.forbidden;
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const std::size_t feature = features_[i];
    const Code last = context_.grid.last_code(feature);
    std::set<Code> ends{last};
    for (const CutVisitor& visitor : met) ends.insert(visitor.cuts[feature].begin(), visitor.cuts[feature].end());
    for (Code code = 1; code < last; ++code)  // a constraint's border is a border of boxes too
      if (by_code || limits_.allowed[i][code] != limits_.allowed[i][code + 1u]) ends.insert(code);
    Line line{feature, {}, {}, {}};
    Code low = 1;
    for (const Code end : ends) {
      if (end < low || end > last) continue;
      line.bins.push_back({low, end});
      line.allowed.push_back(limits_.allowed[i][end]);
      low = static_cast<Code>(end + 1);
    }
    for (const CutVisitor& visitor : met) {
      std::vector<std::uint32_t>& rank = line.rank.emplace_back();
      const std::set<Code>& cuts = visitor.cuts[feature];
      for (std::size_t bin = 0; bin < line.bins.size(); ++bin) {
        const auto below = std::distance(cuts.begin(), cuts.lower_bound(line.bins[bin].low));
        rank.push_back(static_cast<std::uint32_t>(rule_.estimator == Estimator::inside ? static_cast<std::ptrdiff_t>(bin) : below));
      }
      line.ranks.push_back(rank.back() + 1);
    }
    lines_.push_back(std::move(line));
  }
}

std::vector<Interval> ConditionalBoxSearch::codes(const std::vector<IndexRange>& bins) const {
  std::vector<Interval> box;
  for (std::size_t i = 0; i < bins.size(); ++i) box.push_back({lines_[i].bins[bins[i].first].low, lines_[i].bins[bins[i].last].high});
  return box;
}

double ConditionalBoxSearch::mass(const std::vector<IndexRange>& bins) const {
  double sum = 0;
  if (!mass_below_.empty()) {
    for (std::size_t corner = 0; corner < std::size_t{1} << bins.size(); ++corner) {
      std::size_t cell = 0;
      double sign = 1;
      for (std::size_t line = 0; line < bins.size(); ++line) {
        const bool low = (corner >> line & 1) != 0;
        cell += (low ? bins[line].first : bins[line].last + 1) * strides_[line];
        if (low) sign = -sign;
      }
      sum += sign * mass_below_[cell];
    }
    return sum < kDust ? 0 : sum;
  }
  for (std::size_t i = 0; i < weighted_.size(); ++i) {
    bool inside = true;
    for (std::size_t line = 0; line < bins.size() && inside; ++line)
      inside = bins[line].first <= placed_[i][line] && placed_[i][line] <= bins[line].last;
    if (inside) sum += weighted_[i].weight;
  }
  return sum;
}

std::size_t ConditionalBoxSearch::support(const std::vector<IndexRange>& bins) const {
  const std::vector<Interval> box = codes(bins);
  return static_cast<std::size_t>(std::count_if(weighted_.begin(), weighted_.end(), [&](const WeightedRow& weighted) {
    for (std::size_t i = 0; i < box.size(); ++i)
      if (!box[i].contains(context_.codes.at(weighted.row, features_[i]))) return false;
    return true;
  }));
}

bool ConditionalBoxSearch::free_of_obstacles(const std::vector<IndexRange>& bins) const {
  for (std::size_t line = 0; line < bins.size(); ++line)
    for (std::size_t bin = bins[line].first; bin <= bins[line].last; ++bin)
      if (lines_[line].allowed[bin] == 0) return false;
  if (limits_.forbidden && holds_forbidden_cell(bins)) return false;
  return std::none_of(covered_.begin(), covered_.end(), [&](const std::vector<IndexRange>& other) {
    for (std::size_t line = 0; line < bins.size(); ++line)
      if (bins[line].last < other[line].first || other[line].last < bins[line].first) return false;
    return true;
  });
}

bool ConditionalBoxSearch::holds_forbidden_cell(const std::vector<IndexRange>& bins) const {
  const std::vector<Interval> box = codes(bins);
  std::vector<Code> cell;
  for (const Interval side : box) cell.push_back(side.low);
  for (;;) {
    if (limits_.forbidden(cell)) return true;
    std::size_t line = 0;
    while (line < box.size() && cell[line] == box[line].high) {
      cell[line] = box[line].low;
      ++line;
    }
    if (line == box.size()) return false;
    ++cell[line];
  }
}

double ConditionalBoxSearch::tree_share(std::size_t tree, const std::vector<IndexRange>& bins) {
  Memory& memory = remembered_[tree];
  double* place = nullptr;
  if (!memory.table.empty()) {
    std::size_t index = 0;
    for (std::size_t line = 0; line < bins.size(); ++line) {
      const Line& at = lines_[line];
      index = (index * at.ranks[tree] + at.rank[tree][bins[line].first]) * at.ranks[tree] + at.rank[tree][bins[line].last];
    }
    place = &memory.table[index];
  } else {
    std::vector<std::uint32_t> key;
    for (std::size_t line = 0; line < bins.size(); ++line) {
      key.push_back(lines_[line].rank[tree][bins[line].first]);
      key.push_back(lines_[line].rank[tree][bins[line].last]);
    }
    place = &memory.map.try_emplace(std::move(key), kNotRead).first->second;
  }
  if (*place == kNotRead) *place = read_tree_share(tree, bins);
  return *place;
}

double ConditionalBoxSearch::read_tree_share(std::size_t tree, const std::vector<IndexRange>& bins) const {
  Region region = free_;
  const std::vector<Interval> box = codes(bins);
  for (std::size_t line = 0; line < bins.size(); ++line) region.limit(features_[line], box[line]);
  double all = 0;
  double hit = 0;
  for (const std::uint32_t row : context_.conditional.cell(context_.conditional.forest().trees[tree], region, rule_)) {
    all += context_.conditional.weight(row);
    if (context_.forest.hits()[row] != 0) hit += context_.conditional.weight(row);
  }
  return all > 0 ? hit / all : kUnknown;
}

// Most boxes fail by a wide margin: as soon as the trees still to come cannot make up for it, the answer is no.
bool ConditionalBoxSearch::reaches(const std::vector<IndexRange>& bins, double min_probability) {
  if (limits_.stop) limits_.stop();
  double missed = 0;
  const double may_miss = (1 - min_probability) * static_cast<double>(remembered_.size()) + 1e-9;
  for (std::size_t tree = 0; tree < remembered_.size(); ++tree) {
    const double share = tree_share(tree, bins);
    if (std::isnan(share)) break;  // a tree without rows does not count: leave it to the full sum
    missed += 1 - share;
    if (missed > may_miss) return false;
  }
  return probability(bins) >= min_probability;
}

double ConditionalBoxSearch::probability(const std::vector<IndexRange>& bins) {
  if (limits_.stop) limits_.stop();
  double sum = 0;
  std::size_t trees = 0;
  for (std::size_t tree = 0; tree < remembered_.size(); ++tree) {
    const double share = tree_share(tree, bins);
    if (std::isnan(share)) continue;
    sum += share;
    ++trees;
  }
  return trees == 0 ? 0 : sum / static_cast<double>(trees);
}

// Cells of bins that hold weighted target rows, heaviest rows first.
std::vector<std::vector<IndexRange>> ConditionalBoxSearch::seeds() const {
  std::map<std::vector<std::uint32_t>, double> by_cell;
  for (std::size_t i = 0; i < weighted_.size(); ++i)
    if (context_.forest.hits()[weighted_[i].row] != 0) by_cell[placed_[i]] += weighted_[i].weight;
  std::vector<std::pair<double, std::vector<std::uint32_t>>> cells;
  for (const auto& [cell, weight] : by_cell) cells.emplace_back(-weight, cell);
  std::sort(cells.begin(), cells.end());
  std::vector<std::vector<IndexRange>> ordered;
  for (const auto& [weight, cell] : cells) {
    std::vector<IndexRange> bins;
    for (const std::uint32_t bin : cell) bins.push_back({bin, bin});
    if (free_of_obstacles(bins)) ordered.push_back(std::move(bins));
  }
  return ordered;
}

std::optional<ConditionalBox> ConditionalBoxSearch::purest_cell() {
  std::optional<ConditionalBox> best;
  for (const std::vector<IndexRange>& cell : seeds()) {
    const double share = probability(cell);
    if (!best || share > best->probability) best = ConditionalBox{cell, mass(cell), share};
  }
  return best;
}

// One bin at a time to the side that adds most mass, as long as the box stays pure.
std::optional<ConditionalBox> ConditionalBoxSearch::grow(std::vector<IndexRange> bins, double min_probability) {
  if (probability(bins) < min_probability) return std::nullopt;
  double weight = mass(bins);
  for (;;) {
    double best_weight = -1;
    std::vector<IndexRange> best;
    for (std::size_t line = 0; line < bins.size(); ++line)
      for (const bool up : {false, true}) {
        std::vector<IndexRange> larger = bins;
        if (up ? larger[line].last + 1 >= lines_[line].bins.size() : larger[line].first == 0) continue;
        up ? ++larger[line].last : --larger[line].first;
        const double larger_weight = mass(larger);
        if (larger_weight <= best_weight || !free_of_obstacles(larger) || !reaches(larger, min_probability)) continue;
        best_weight = larger_weight;
        best = std::move(larger);
      }
    if (best.empty()) return ConditionalBox{bins, weight, probability(bins)};
    bins = std::move(best);
    weight = best_weight;
  }
}

ConditionalBoxSearch::Answer ConditionalBoxSearch::heaviest(double min_probability, std::size_t work_limit) {
  Answer answer;
  constexpr std::size_t kSeeds = 24;
  const std::vector<std::vector<IndexRange>> starts = seeds();
  for (std::size_t i = 0; i < std::min(kSeeds, starts.size()); ++i) {
    std::optional<ConditionalBox> grown = grow(starts[i], min_probability);
    if (grown && (!answer.box || grown->mass > answer.box->mass)) answer.box = std::move(grown);
  }

  if (lines_.size() <= 2) {
    std::vector<IndexRange> bins;
    for (const Line& line : lines_) bins.push_back({0, line.bins.size() - 1});
    std::size_t work_left = work_limit;
    answer.optimal = sweep(0, bins, min_probability, work_left, answer);
  } else {
    answer.optimal = best_first(min_probability, work_limit, answer);
  }
  return answer;
}

// Every box heavier than the best so far, line by line; the lines still to come stay whole until it is their turn, so that
// what is too light already is never opened. False: the work ran out.
bool ConditionalBoxSearch::sweep(std::size_t line, std::vector<IndexRange>& bins, double min_probability, std::size_t& work_left,
                                 Answer& answer) {
  const auto can_win = [&] {
    const double weight = mass(bins);
    return weight > 0 && (!answer.box || weight > answer.box->mass);
  };
  if (line == lines_.size()) {
    if (work_left == 0) return false;
    --work_left;
    if (free_of_obstacles(bins) && reaches(bins, min_probability)) answer.box = ConditionalBox{bins, mass(bins), probability(bins)};
    return true;
  }
  const std::size_t end = lines_[line].bins.size();
  for (std::size_t first = 0; first < end; ++first)
    for (std::size_t last = end; last-- > first;) {
      bins[line] = {first, last};
      if (!can_win()) break;  // a shorter one is lighter still
      if (!sweep(line + 1, bins, min_probability, work_left, answer)) return false;
    }
  bins[line] = {0, end - 1};
  return true;
}

// Boxes by falling mass. A box is made from its parent by moving one side in; sides move in a fixed order (`stage`), so
// every box has one parent only. The first that is pure enough is the heaviest. False: the work ran out.
bool ConditionalBoxSearch::best_first(double min_probability, std::size_t work_limit, Answer& answer) {
  struct Open {
    double mass;
    std::size_t stage;
    std::vector<IndexRange> bins;
    bool operator<(const Open& other) const {
      if (mass != other.mass) return mass < other.mass;
      if (stage != other.stage) return stage > other.stage;
      return std::lexicographical_compare(other.bins.begin(), other.bins.end(), bins.begin(), bins.end(),
                                          [](const IndexRange& a, const IndexRange& b) {
                                            return a.first != b.first ? a.first < b.first : a.last < b.last;
                                          });
    }
  };
  std::priority_queue<Open> open;
  std::vector<IndexRange> whole;
  for (const Line& line : lines_) whole.push_back({0, line.bins.size() - 1});
  open.push({mass(whole), 0, whole});
  std::size_t work = 0;
  while (!open.empty()) {
    Open top = open.top();
    open.pop();
    if (answer.box && top.mass <= answer.box->mass) break;  // nothing heavier is left
    if (++work > work_limit) return false;
    if (top.mass > 0 && free_of_obstacles(top.bins) && reaches(top.bins, min_probability)) {
      const double share = probability(top.bins);
      answer.box = ConditionalBox{std::move(top.bins), top.mass, share};
      break;
    }
    for (std::size_t stage = top.stage; stage < 2 * lines_.size(); ++stage) {
      std::vector<IndexRange> smaller = top.bins;
      IndexRange& range = smaller[stage / 2];
      if (range.first == range.last) continue;
      stage % 2 == 0 ? ++range.first : --range.last;
      const double weight = mass(smaller);
      if (weight > 0 && (!answer.box || weight > answer.box->mass)) open.push({weight, stage, std::move(smaller)});
    }
  }
  return true;
}

}  // namespace cfrules
