#include "explain/sufficient_box.h"

#include <algorithm>

namespace cfrules {

double KeptDecision::probability(const FeatureIndexes& features, std::span<const Interval> sides) const {
  Region region = Region::everything(grid_);
  for (std::size_t i = 0; i < features.size(); ++i) region.limit(features[i], sides[i]);
  return conditional_.probability(region, hits_, rule_);
}

double KeptDecision::mass(const FeatureIndexes& features, std::span<const Interval> sides) const {
  const CodeMatrix& codes = conditional_.codes();
  double sum = 0;
  for (std::size_t row = 0; row < codes.rows; ++row) {
    bool inside = true;
    for (std::size_t i = 0; i < features.size() && inside; ++i) inside = sides[i].contains(codes.at(row, features[i]));
    if (inside) sum += conditional_.weight(row);
  }
  return sum;
}

namespace {

// One end of one side, on its way outwards.
struct Growth {
  std::size_t place = 0;  // of the feature in the set
  bool up = false;
  int step = 1;  // codes to go next
  int end = 1;   // the outermost code
  bool stuck = false;

  [[nodiscard]] int room(std::span<const Interval> sides) const {
    return up ? end - sides[place].high : sides[place].low - end;
  }
  [[nodiscard]] std::vector<Interval> next(std::vector<Interval> sides) const {
    const int codes = std::min(step, room(sides));
    Interval& side = sides[place];
    if (up)
      side.high = static_cast<Code>(side.high + codes);
    else
      side.low = static_cast<Code>(side.low - codes);
    return sides;
  }
  void fail(std::span<const Interval> sides) {
    const int tried = std::min(step, room(sides));
    stuck = tried <= 1;
    step = std::max(1, tried / 2);
  }
};

std::vector<Growth> growths(const Grid& grid, const FeatureIndexes& features) {
  std::vector<Growth> all;
  for (std::size_t place = 0; place < features.size(); ++place) {
    all.push_back({.place = place, .up = false, .end = 1});
    all.push_back({.place = place, .up = true, .end = grid.last_code(features[place])});
  }
  return all;
}

}  // namespace

SufficientBox widen(const KeptDecision& decision, const FeatureIndexes& features, std::span<const Code> codes,
                    double pi, const std::function<void()>& stop) {
  constexpr int kMostTries = 400;
  SufficientBox box;
  for (const std::size_t feature : features) box.sides.push_back({codes[feature], codes[feature]});
  box.probability = decision.probability(features, box.sides);
  std::vector<Growth> ways = growths(decision.grid(), features);
  for (int tries = 0; tries < kMostTries; ++tries) {
    stop();
    Growth* best = nullptr;
    double best_mass = -1;
    for (Growth& way : ways) {
      if (way.stuck || way.room(box.sides) <= 0) continue;
      const double mass = decision.mass(features, way.next(box.sides));
      if (mass <= best_mass) continue;
      best = &way;
      best_mass = mass;
    }
    if (best == nullptr) break;
    const std::vector<Interval> larger = best->next(box.sides);
    const double probability = decision.probability(features, larger);
    if (probability >= pi) {
      box = {larger, probability};
      best->step *= 2;
      for (Growth& way : ways) way.stuck = false;  // what failed before may pass in the larger box
    } else {
      best->fail(box.sides);
    }
  }
  return box;
}

}  // namespace cfrules
