#include "explain/conditional_box_search.h"

#include <algorithm>
#include <queue>

namespace cfrules {

namespace {

bool overlap(std::span<const IndexRange> box, const BinBox& other) {
  for (std::size_t line = 0; line < box.size(); ++line)
    if (box[line].last < other[line].first || other[line].last < box[line].first) return false;
  return true;
}

// A box made larger or smaller by one bin on one side.
struct Step {
  BoxLines::Mass mass;
  std::size_t line;
  bool up;
};

}  // namespace

ConditionalBoxSearch::ConditionalBoxSearch(const Context& context, Region free, const FeatureIndexes& features,
                                           const CellRule& rule, BoxLimits limits)
    : stop_(limits.stop),
      lines_(context, free, features, rule, std::move(limits)),
      shares_(context, free, features, rule, lines_) {}

bool ConditionalBoxSearch::is_open(std::span<const IndexRange> bins) const {
  if (stop_) stop_();
  return lines_.allows(bins) &&
         std::none_of(covered_.begin(), covered_.end(), [&](const BinBox& other) { return overlap(bins, other); });
}

std::vector<BinBox> ConditionalBoxSearch::seeds() const {
  std::vector<BinBox> open = lines_.seeds();
  std::erase_if(open, [&](const BinBox& cell) { return !is_open(cell); });
  return open;
}

std::optional<ConditionalBox> ConditionalBoxSearch::purest_cell() {
  std::optional<ConditionalBox> best;
  double highest = -1;
  for (const BinBox& cell : seeds()) {
    if (best && shares_.falls_short(cell, highest)) continue;
    const double share = shares_.probability(cell);
    if (share <= highest) continue;
    highest = share;
    best = ConditionalBox{cell, lines_.mass(cell)};
  }
  return best;
}

// One bin at a time to the side that adds most mass, as long as the box stays pure.
ConditionalBox ConditionalBoxSearch::grow(BinBox bins, double min_probability) {
  BoxLines::Mass mass = lines_.mass(bins);
  std::vector<Step> steps;
  for (;;) {
    steps.clear();
    for (std::size_t line = 0; line < bins.size(); ++line)
      for (const bool up : {false, true}) {
        if (up ? bins[line].last + 1 >= lines_.bins(line) : bins[line].first == 0) continue;
        steps.push_back({lines_.mass_in_bin(bins, line, up ? bins[line].last + 1 : bins[line].first - 1), line, up});
      }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.mass > b.mass; });
    const auto taken = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
      IndexRange& range = bins[step.line];
      step.up ? ++range.last : --range.first;
      if (is_open(bins) && shares_.reaches(bins, min_probability)) return true;
      step.up ? --range.last : ++range.first;
      return false;
    });
    if (taken == steps.end()) return {bins, mass};
    mass += taken->mass;
  }
}

// A seed inside a box already grown would mostly grow into the same one.
void ConditionalBoxSearch::grow_seeds(double min_probability, Answer& answer) {
  constexpr std::size_t kSeeds = 24;
  const std::vector<BinBox> starts = seeds();
  std::vector<BinBox> grown;
  for (std::size_t i = 0; i < std::min(kSeeds, starts.size()); ++i) {
    if (std::any_of(grown.begin(), grown.end(), [&](const BinBox& box) { return overlap(starts[i], box); })) continue;
    if (shares_.probability(starts[i]) < min_probability) continue;
    ConditionalBox box = grow(starts[i], min_probability);
    grown.push_back(box.bins);
    if (!answer.box || box.mass > answer.box->mass) answer.box = std::move(box);
  }
}

ConditionalBoxSearch::Answer ConditionalBoxSearch::heaviest(double min_probability, std::size_t work_limit) {
  Answer answer;
  grow_seeds(min_probability, answer);
  if (lines_.lines() > 2) {
    answer.optimal = best_first(min_probability, work_limit, answer);
    return answer;
  }
  BinBox bins = lines_.whole();
  shares_.allow(work_limit);
  std::size_t work_left = work_limit;
  answer.optimal = sweep(0, bins, min_probability, work_left, answer);
  return answer;
}

// Every box heavier than the best so far, line by line; the lines still to come stay whole until it is their turn, so
// that what is too light already is never opened. False: the work ran out.
bool ConditionalBoxSearch::sweep(std::size_t line, BinBox& bins, double min_probability, std::size_t& work_left,
                                 Answer& answer) {
  if (line == lines_.lines()) {
    if (work_left == 0 || shares_.spent()) return false;
    --work_left;
    if (is_open(bins) && shares_.reaches(bins, min_probability)) answer.box = ConditionalBox{bins, lines_.mass(bins)};
    return true;
  }
  const std::size_t end = lines_.bins(line);
  const bool has_next = line + 1 < lines_.lines();
  for (std::size_t first = 0; first < end; ++first)
    for (std::size_t last = end; last-- > first;) {
      bins[line] = {first, last};
      if (lines_.mass(bins) <= (answer.box ? answer.box->mass : 0)) break;  // a shorter one is lighter still
      if (has_next && !shares_.may_reach(bins[line], min_probability)) continue;
      if (!sweep(line + 1, bins, min_probability, work_left, answer)) return false;
    }
  bins[line] = {0, end - 1};
  return true;
}

// Boxes by falling mass. A box is made from its parent by moving one side in; sides move in a fixed order (`stage`), so
// every box has one parent only. The first that is pure enough is the heaviest. False: the work ran out.
bool ConditionalBoxSearch::best_first(double min_probability, std::size_t work_limit, Answer& answer) {
  struct Open {
    BoxLines::Mass mass;
    std::size_t stage;
    std::size_t box;  // its place in boxes
    bool operator<(const Open& other) const {
      if (mass != other.mass) return mass < other.mass;
      return stage != other.stage ? stage > other.stage : box > other.box;
    }
  };
  const std::size_t count = lines_.lines();
  BinBox boxes = lines_.whole();  // one after the other
  std::priority_queue<Open> open;
  open.push({lines_.mass(boxes), 0, 0});
  BinBox bins(count);
  for (std::size_t work = 0; !open.empty(); ++work) {
    const Open top = open.top();
    open.pop();
    const BoxLines::Mass beat = answer.box ? answer.box->mass : 0;
    if (top.mass <= beat) break;  // nothing heavier is left
    if (work == work_limit) return false;
    std::copy_n(boxes.begin() + static_cast<std::ptrdiff_t>(top.box * count), count, bins.begin());
    if (is_open(bins) && shares_.reaches(bins, min_probability)) {
      answer.box = ConditionalBox{bins, top.mass};
      break;
    }
    for (std::size_t stage = top.stage; stage < 2 * count; ++stage) {
      IndexRange& range = bins[stage / 2];
      if (range.first == range.last) continue;
      const bool low = stage % 2 == 0;
      const BoxLines::Mass mass = top.mass - lines_.mass_in_bin(bins, stage / 2, low ? range.first : range.last);
      if (mass <= beat) continue;
      low ? ++range.first : --range.last;
      open.push({mass, stage, boxes.size() / count});
      boxes.insert(boxes.end(), bins.begin(), bins.end());
      low ? --range.first : ++range.last;
    }
  }
  return true;
}

}  // namespace cfrules
