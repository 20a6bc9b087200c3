#include "explain/box_lines.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "region/walk.h"

namespace cfrules {

namespace {

constexpr double kMassOne = 4503599627370496.0;  // 2^52: weights sum to 1

// Cuts on the free features that the walk meets.
class CutVisitor {
 public:
  explicit CutVisitor(std::vector<std::vector<std::uint8_t>>& cuts) : cuts_(cuts) {}
  static void bound(std::size_t, std::size_t, Interval, std::size_t) {}
  bool enter(std::size_t feature, Interval part, const Node& /*node*/, bool /*left*/) {
    if (part.high < cuts_[feature].size()) cuts_[feature][part.high] = 1;  // the left part ends at the cut
    return part.low <= part.high;
  }
  static void leave(std::size_t) {}
  static void leaf(std::size_t, std::size_t) {}

 private:
  std::vector<std::vector<std::uint8_t>>& cuts_;
};

}  // namespace

// `paper` and `leaf_union` only see cuts the walk can meet; `inside` also counts rows by their own codes, and forbidden
// combinations are told by code, so then every code counts.
BoxLines::BoxLines(const Context& context, const Region& free, const FeatureIndexes& features, const CellRule& rule,
                   BoxLimits limits)
    : context_(context), limits_(std::move(limits)) {
  const bool inside = rule.estimator == Estimator::inside;
  find_bins(free, features, inside || limits_.forbidden, inside);
  place_rows(free, rule);
  if (lines() <= 2) sum_masses();
}

void BoxLines::find_bins(const Region& free, const FeatureIndexes& features, bool by_code, bool rank_by_bin) {
  const Forest& forest = context_.conditional.forest();
  const auto side = [&](std::size_t feature) { return free.side(feature); };
  std::vector<std::vector<std::vector<std::uint8_t>>> cuts(forest.trees.size());  // per tree, feature, code: ends a bin
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    cuts[tree].resize(free.features());
    for (const std::size_t feature : features) cuts[tree][feature].resize(context_.grid.last_code(feature) + 1u, 0);
    CutVisitor visitor(cuts[tree]);
    walk(forest.trees[tree].nodes, side, visitor);
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    Line& line = lines_.emplace_back();
    line.feature = features[i];
    line.refused.push_back(0);
    const Code last = context_.grid.last_code(line.feature);
    Code low = 1;
    for (Code code = 1; code <= last; ++code) {
      const std::vector<std::uint8_t>& allowed = limits_.allowed[i];
      // a constraint's border is a border of boxes too
      bool ends = code == last || by_code || allowed[code] != allowed[code + 1u];
      for (std::size_t tree = 0; tree < cuts.size() && !ends; ++tree) ends = cuts[tree][line.feature][code] != 0;
      if (!ends) continue;
      line.bins.push_back({low, code});
      line.refused.push_back(line.refused.back() + (allowed[code] == 0 ? 1 : 0));
      low = static_cast<Code>(code + 1);
    }
    add_ranks(line, cuts, rank_by_bin);
  }
}

void BoxLines::add_ranks(Line& line, std::span<const std::vector<std::vector<std::uint8_t>>> cuts,
                         bool rank_by_bin) const {
  for (const auto& of_tree : cuts) {
    std::vector<std::uint32_t>& rank = line.rank.emplace_back();
    std::uint32_t below = 0;
    Code code = 0;
    for (std::uint32_t bin = 0; bin < line.bins.size(); ++bin) {
      for (; code < line.bins[bin].low; ++code) below += of_tree[line.feature][code];
      rank.push_back(rank_by_bin ? bin : below);
    }
    line.ranks.push_back(rank.back() + 1);
  }
}

void BoxLines::place_rows(const Region& free, const CellRule& rule) {
  for (Line& line : lines_) line.rows.resize(line.bins.size());
  std::vector<std::uint32_t> place(lines());
  for (const WeightedRow& weighted : context_.conditional.weighted_rows(free, rule)) {
    if (weighted.weight <= 0) continue;
    bool missing = false;
    for (std::size_t i = 0; i < lines(); ++i) {
      const Code code = context_.codes.at(weighted.row, lines_[i].feature);
      missing = missing || code == kMissing;
      const auto bin = std::lower_bound(lines_[i].bins.begin(), lines_[i].bins.end(), code,
                                        [](Interval b, Code c) { return b.high < c; });
      place[i] = static_cast<std::uint32_t>(bin - lines_[i].bins.begin());
    }
    if (missing) continue;
    for (std::size_t i = 0; i < lines(); ++i)
      lines_[i].rows[place[i]].push_back(static_cast<std::uint32_t>(rows_.size()));
    rows_.push_back({weighted.row, weighted.weight, static_cast<Mass>(std::llround(weighted.weight * kMassOne))});
    places_.insert(places_.end(), place.begin(), place.end());
  }
}

void BoxLines::sum_masses() {
  const std::size_t width = lines() == 1 ? 1 : bins(1) + 1;
  mass_below_.assign((bins(0) + 1) * width, 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::uint32_t* place = &places_[i * lines()];
    mass_below_[(place[0] + 1) * width + (lines() == 1 ? 0 : place[1] + 1)] += rows_[i].mass;
  }
  for (std::size_t i = width; i < mass_below_.size(); ++i) mass_below_[i] += mass_below_[i - width];
  for (std::size_t i = 1; i < mass_below_.size(); ++i)
    if (i % width != 0) mass_below_[i] += mass_below_[i - 1];
}

BinBox BoxLines::whole() const {
  BinBox box;
  for (const Line& line : lines_) box.push_back({0, line.bins.size() - 1});
  return box;
}

std::vector<Interval> BoxLines::codes(std::span<const IndexRange> box) const {
  std::vector<Interval> sides;
  for (std::size_t i = 0; i < box.size(); ++i) sides.push_back(codes(i, box[i]));
  return sides;
}

bool BoxLines::contains(std::span<const IndexRange> box, std::size_t place) const {
  for (std::size_t line = 0; line < box.size(); ++line) {
    const std::uint32_t bin = places_[place * lines() + line];
    if (bin < box[line].first || bin > box[line].last) return false;
  }
  return true;
}

BoxLines::Mass BoxLines::mass(std::span<const IndexRange> box) const {
  if (mass_below_.empty()) {
    Mass sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (contains(box, i)) sum += rows_[i].mass;
    return sum;
  }
  const std::size_t width = lines() == 1 ? 1 : bins(1) + 1;
  const Mass* above = &mass_below_[(box[0].last + 1) * width];
  const Mass* below = &mass_below_[box[0].first * width];
  if (lines() == 1) return above[0] - below[0];
  return above[box[1].last + 1] - above[box[1].first] - below[box[1].last + 1] + below[box[1].first];
}

BoxLines::Mass BoxLines::mass_in_bin(std::span<const IndexRange> box, std::size_t line, std::size_t bin) const {
  Mass sum = 0;
  for (const std::uint32_t place : lines_[line].rows[bin]) {
    bool inside = true;
    for (std::size_t other = 0; other < box.size() && inside; ++other) {
      const std::uint32_t at = places_[place * lines() + other];
      inside = other == line || (box[other].first <= at && at <= box[other].last);
    }
    if (inside) sum += rows_[place].mass;
  }
  return sum;
}

double BoxLines::exact_mass(std::span<const IndexRange> box) const {
  double sum = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (contains(box, i)) sum += rows_[i].weight;
  return sum;
}

std::size_t BoxLines::support(std::span<const IndexRange> box) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) count += contains(box, i) ? 1 : 0;
  return count;
}

bool BoxLines::allows(std::span<const IndexRange> box) const {
  for (std::size_t line = 0; line < box.size(); ++line)
    if (lines_[line].refused[box[line].last + 1] > lines_[line].refused[box[line].first]) return false;
  return !limits_.forbidden || !holds_forbidden_cell(box);
}

bool BoxLines::holds_forbidden_cell(std::span<const IndexRange> bins) const {
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

std::vector<BinBox> BoxLines::seeds() const {
  std::map<std::vector<std::uint32_t>, double> by_cell;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (context_.forest.hits()[rows_[i].row] != 0)
      by_cell[{places_.begin() + static_cast<std::ptrdiff_t>(i * lines()),
               places_.begin() + static_cast<std::ptrdiff_t>((i + 1) * lines())}] += rows_[i].weight;
  std::vector<std::pair<double, std::vector<std::uint32_t>>> cells;
  for (const auto& [cell, weight] : by_cell) cells.emplace_back(-weight, cell);
  std::sort(cells.begin(), cells.end());
  std::vector<BinBox> ordered;
  for (const auto& [weight, cell] : cells) {
    BinBox box;
    for (const std::uint32_t bin : cell) box.push_back({bin, bin});
    if (allows(box)) ordered.push_back(std::move(box));
  }
  return ordered;
}

}  // namespace cfrules
