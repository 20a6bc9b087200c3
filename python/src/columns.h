// Columns between Python and the core. From Python: (name, what it holds, values, names) per column.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "cfrules/frame.h"

namespace cfrules::python {

namespace nb = nanobind;

using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using NumberArray = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// One copy, whatever the type of number and the stride.
[[nodiscard]] std::vector<double> copy_numbers(const Numbers& numbers);
[[nodiscard]] FrameColumn read_column(nb::handle column);
[[nodiscard]] std::vector<FrameColumn> read_columns(nb::handle columns);

[[nodiscard]] NumberArray to_array(std::vector<double> values);
[[nodiscard]] nb::list columns_of(const Table& table);
[[nodiscard]] nb::list describe(const Schema& schema);  // (name, kind, categories)

}  // namespace cfrules::python
