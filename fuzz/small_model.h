// A fitted model with a feature of every kind, for targets whose bytes are not about the data.
#pragma once

#include "cfrules/explainer.h"

namespace cfrules::fuzz {

[[nodiscard]] Table small_table();
[[nodiscard]] Outcome small_outcome(bool numeric);
[[nodiscard]] Explainer small_model(bool numeric);

}  // namespace cfrules::fuzz
