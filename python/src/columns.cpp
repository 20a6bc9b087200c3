#include "columns.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "cfrules/error.h"

namespace cfrules::python {
namespace {

template <class Number>
bool copy_as(const Numbers& numbers, std::vector<double>& into) {
  if (numbers.dtype() != nb::dtype<Number>()) return false;
  const auto* first = static_cast<const Number*>(numbers.data());
  const std::int64_t stride = numbers.stride(0);
  for (std::size_t i = 0; i < into.size(); ++i)
    into[i] = static_cast<double>(first[static_cast<std::int64_t>(i) * stride]);
  return true;
}

template <class... Number>
bool copy_as_one_of(const Numbers& numbers, std::vector<double>& into) {
  return (copy_as<Number>(numbers, into) || ...);
}

FrameColumn::Holds holds_of(std::string_view word) {
  if (word == "integers") return FrameColumn::Holds::integers;
  if (word == "booleans") return FrameColumn::Holds::booleans;
  return word == "texts" ? FrameColumn::Holds::texts : FrameColumn::Holds::numbers;
}

}  // namespace

std::vector<double> copy_numbers(const Numbers& numbers) {
  std::vector<double> values(numbers.shape(0));
  const bool copied = copy_as_one_of<double, float, std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                                     std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t, bool>(numbers, values);
  if (!copied) throw InputError("an array of numbers has a type of number that is not known; convert it to float64");
  return values;
}

FrameColumn read_column(nb::handle column) {
  const auto parts = nb::cast<nb::tuple>(column);
  FrameColumn read;
  read.name = nb::cast<std::string>(parts[0]);
  read.holds = holds_of(nb::cast<std::string_view>(parts[1]));
  read.values = copy_numbers(nb::cast<Numbers>(parts[2]));
  read.names = nb::cast<std::vector<std::string>>(parts[3]);
  return read;
}

std::vector<FrameColumn> read_columns(nb::handle columns) {
  std::vector<FrameColumn> read;
  for (const nb::handle column : columns) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();  // a wide table takes long
    read.push_back(read_column(column));
  }
  return read;
}

NumberArray to_array(std::vector<double> values) {
  auto* const kept = new std::vector<double>(std::move(values));  // the capsule owns it
  const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<double>*>(data); });
  return NumberArray(kept->data(), {kept->size()}, owner);
}

nb::list columns_of(const Table& table) {
  nb::list columns;
  for (std::size_t feature = 0; feature < table.features(); ++feature) {
    const std::span<const double> column = table.column(feature);
    columns.append(nb::cast(to_array({column.begin(), column.end()})));
  }
  return columns;
}

nb::list describe(const Schema& schema) {
  nb::list features;
  for (const Feature& feature : schema)
    features.append(nb::make_tuple(feature.name, name_of(feature.kind), feature.categories));
  return features;
}

}  // namespace cfrules::python
