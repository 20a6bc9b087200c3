#include "api/tried_targets.h"

#include <algorithm>
#include <numeric>

namespace cfrules {

namespace {

constexpr std::size_t kMostTargets = 4;

}  // namespace

std::vector<Target> tried_targets(const Outcome& outcome) {
  std::vector<Target> targets;
  if (outcome.numeric()) {
    std::vector<double> sorted = outcome.values;
    std::sort(sorted.begin(), sorted.end());
    const auto fifth = [&](std::size_t i) { return sorted[i * (sorted.size() - 1) / 5]; };
    for (std::size_t i = 0; i < 5; ++i)
      if (fifth(i) < fifth(i + 1)) targets.push_back(Target::of_interval(fifth(i), fifth(i + 1), outcome));
    return targets;
  }
  std::vector<std::size_t> rows(outcome.classes.size(), 0), order(outcome.classes.size());
  for (const double label : outcome.values) ++rows[static_cast<std::size_t>(label)];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] > rows[b]; });
  order.resize(std::min(order.size(), kMostTargets));
  for (const std::size_t label : order) targets.push_back(Target::of_classes({outcome.classes[label]}, outcome));
  return targets;
}

}  // namespace cfrules
