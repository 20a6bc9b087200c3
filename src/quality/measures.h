// From what was proposed and what the judge said of it to the numbers people compare methods by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cfrules/explainer.h"

namespace cfrules {

inline constexpr std::array kNoiseVariances = {0.01, 0.025, 0.05};  // on features scaled to [0, 1]
inline constexpr std::size_t kNoisyCopies = 10;                     // per variance
inline constexpr std::size_t kDrawsPerRule = 20;
inline constexpr std::size_t kReliabilityBins = 10;  // of equal width

// One rule and the points drawn from its donors.
struct RuleTrial {
  double stated = 0;
  double mass = 0;
  std::size_t draws = 0;
  std::size_t accepted = 0;  // of the draws
};

struct RecourseTrial {
  bool accepted = false;
  bool plausible = false;
  std::size_t changed = 0;  // features whose value really changes
  double cost = 0;
  std::array<std::size_t, kNoiseVariances.size()> stayed{};  // noisy copies accepted, per variance, of kNoisyCopies
};

// Somebody who needed recourse. No rules: none reached the threshold. No recourse: no point of a rule was allowed.
struct PersonTrial {
  std::vector<RuleTrial> rules;
  std::optional<RecourseTrial> recourse;
};

// All of an Evaluation but already, seconds_per_person and judged_by. What rests on nobody is unknown. The seed draws
// people again and again, for the interval of the calibration error.
[[nodiscard]] Evaluation measure(std::span<const PersonTrial> people, std::uint64_t seed = 0);

}  // namespace cfrules
