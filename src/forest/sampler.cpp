#include "forest/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace cfrules {
namespace {

std::vector<std::uint32_t> all_units(std::size_t count) {
  std::vector<std::uint32_t> units(count);
  std::iota(units.begin(), units.end(), 0u);
  return units;
}

// Moves a random choice of the items to the front.
void choose(std::vector<std::uint32_t>& items, std::size_t chosen, RandomStream& random) {
  for (std::size_t i = 0; i < chosen; ++i) std::swap(items[i], items[i + random.below(items.size() - i)]);
}

std::vector<std::uint32_t> hold_out_half(std::size_t count, Draw& draw, RandomStream& random) {
  std::vector<std::uint32_t> units = all_units(count);
  const std::size_t half = count / 2;
  choose(units, half, random);
  draw.held_out.assign(count, 0);
  for (std::size_t i = 0; i < half; ++i) draw.held_out[units[i]] = 1;
  units.erase(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(half));
  return units;
}

void draw_without_replacement(std::vector<std::uint32_t> units, double share, Draw& draw, RandomStream& random) {
  const double wanted = std::round(share * static_cast<double>(units.size()));
  const std::size_t chosen = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, units.size());
  if (chosen < units.size()) choose(units, chosen, random);
  for (std::size_t i = 0; i < chosen; ++i) draw.times[units[i]] = 1;
}

}  // namespace

SamplingUnits::SamplingUnits(std::size_t rows, std::span<const std::uint32_t> groups) : count_(rows) {
  if (groups.empty()) return;
  std::unordered_map<std::uint32_t, std::uint32_t> numbered;  // in order of first appearance
  unit_.reserve(rows);
  for (const std::uint32_t group : groups)
    unit_.push_back(numbered.emplace(group, static_cast<std::uint32_t>(numbered.size())).first->second);
  count_ = numbered.size();
}

Draw draw_units(const SamplingUnits& units, const TrainOptions& options, RandomStream& random) {
  Draw draw{std::vector<std::uint8_t>(units.count()), {}};
  const bool honest = options.estimation_rows == EstimationRows::honest;
  if (options.bootstrap && !honest) {
    for (std::size_t i = 0; i < units.count(); ++i) ++draw.times[random.below(units.count())];
    return draw;
  }
  std::vector<std::uint32_t> drawable = honest ? hold_out_half(units.count(), draw, random) : all_units(units.count());
  if (!options.bootstrap) {
    draw_without_replacement(std::move(drawable), options.subsample, draw, random);
    return draw;
  }
  for (std::size_t i = 0; i < drawable.size(); ++i) ++draw.times[drawable[random.below(drawable.size())]];
  return draw;
}

}  // namespace cfrules
