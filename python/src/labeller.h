#pragma once

#include <nanobind/nanobind.h>

#include "cfrules/explainer.h"

namespace cfrules::python {

// Asks a Python callable: features and columns of numbers in, class indexes or numbers out. Only borrows it: the caller
// keeps it alive, since the core may copy the labeller on threads that do not hold the interpreter's lock. None: no
// labeller.
[[nodiscard]] Labeller labeller_of(nanobind::handle ask);

}  // namespace cfrules::python
