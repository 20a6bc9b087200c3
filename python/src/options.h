// Keyword options from Python, the same words as the command's.
#pragma once

#include <nanobind/nanobind.h>

#include "cfrules/explainer.h"
#include "cfrules/frame.h"

namespace cfrules::python {

namespace nb = nanobind;

[[nodiscard]] FrameOptions frame_options(const nb::dict& options);
[[nodiscard]] FitOptions fit_options(const nb::dict& options);
[[nodiscard]] ExplainOptions explain_options(const nb::dict& options, const Schema& schema);
// Takes cover, max_regions, max_rule_features and by; the rest goes to explain_options.
[[nodiscard]] RegionsOptions regions_options(const nb::dict& options, const Schema& schema);
[[nodiscard]] SufficientOptions sufficient_options(const nb::dict& options);
[[nodiscard]] Estimator estimator_named(const std::string& name);

// A text as on the command line, a list of class names, or a pair of numbers.
[[nodiscard]] Target target_of(nb::handle target, const Outcome& outcome);

}  // namespace cfrules::python
