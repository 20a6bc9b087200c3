// Cases whose answer is known, with what the forest says of them: what the map from shares to probability is fitted on.
#pragma once

#include <span>

#include "cfrules/explainer.h"
#include "forest/trainer.h"
#include "region/model.h"

namespace cfrules {

// Rows from `first` on, as the trees that did not see them say.
[[nodiscard]] CalibrationSample out_of_bag_sample(const OutOfBag& out_of_bag, std::span<const double> outcome,
                                                  std::span<const double> weights, std::size_t first,
                                                  std::string source);

inline constexpr const char* kFreshRows = "fresh rows";  // as a source

// What the whole forest says of options.fresh, which it never met. Rows without an answer are left out.
[[nodiscard]] CalibrationSample fresh_sample(const Forest& forest, const Grid& grid, const FitOptions& options,
                                             bool numeric, const Run& run);

// Labels = memorised: a model like the one explained is made, explained as this one is, and asked about rows it never
// met.
[[nodiscard]] CalibrationSample simulated_sample(const ByteColumns& codes, const Model& model,
                                                 const TrainOptions& options, const Run& run);

}  // namespace cfrules
