#pragma once

#include <nanobind/nanobind.h>

#include "cfrules/explainer.h"

namespace cfrules::python {

using ModelClass = nanobind::class_<Explainer>;

void bind_learning(ModelClass& model);
void bind_reading(ModelClass& model);
void bind_questions(ModelClass& model);
void bind_group_questions(ModelClass& model);
void bind_arrow(nanobind::module_& module);
void bind_datasets(nanobind::module_& module);

}  // namespace cfrules::python
