// Tables that speak the Arrow C stream protocol.
#include "cfrules/arrow.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "bindings.h"
#include "cfrules/error.h"
#include "columns.h"
#include "interruptible.h"

namespace cfrules::python {
namespace {

using Holds = FrameColumn::Holds;

const char* name_of(Holds holds) {
  switch (holds) {
    case Holds::integers:
      return "integers";
    case Holds::booleans:
      return "booleans";
    case Holds::texts:
      return "texts";
    default:
      return "numbers";
  }
}

template <class Number>
nb::object view_of(const void* first, std::size_t rows, const nb::object& owner) {
  return nb::cast(nb::ndarray<nb::numpy, const Number, nb::ndim<1>>(static_cast<const Number*>(first), {rows}, owner));
}

nb::object view(const ArrowTable::Numbers& numbers, std::size_t rows, const nb::object& owner) {
  switch (numbers.format) {
    case 'c':
      return view_of<std::int8_t>(numbers.first, rows, owner);
    case 'C':
      return view_of<std::uint8_t>(numbers.first, rows, owner);
    case 's':
      return view_of<std::int16_t>(numbers.first, rows, owner);
    case 'S':
      return view_of<std::uint16_t>(numbers.first, rows, owner);
    case 'i':
      return view_of<std::int32_t>(numbers.first, rows, owner);
    case 'I':
      return view_of<std::uint32_t>(numbers.first, rows, owner);
    case 'l':
      return view_of<std::int64_t>(numbers.first, rows, owner);
    case 'L':
      return view_of<std::uint64_t>(numbers.first, rows, owner);
    case 'f':
      return view_of<float>(numbers.first, rows, owner);
    default:
      return view_of<double>(numbers.first, rows, owner);
  }
}

nb::tuple column_of(const ArrowTable& table, std::size_t column, const nb::object& owner) {
  if (const auto numbers = table.look(column)) {
    const bool whole = numbers->format != 'f' && numbers->format != 'g';
    return nb::make_tuple(table.name(column), name_of(whole ? Holds::integers : Holds::numbers),
                          view(*numbers, table.rows(), owner), nb::list(), name_of(Holds::texts));
  }
  ArrowTable::Read read = table.read(column);
  return nb::make_tuple(read.column.name, name_of(read.column.holds), to_array(std::move(read.column.values)),
                        read.column.names, name_of(read.names_hold));
}

// (rows, [(name, holds, values, names, what the names hold)]). Numbers in one piece without gaps are looked at where
// they lie; the arrays keep the batches alive.
nb::tuple read_arrow(const nb::capsule& capsule) {
  auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) throw InputError("the Arrow stream of X has been read already");
  nb::object owner =
      nb::cast(interruptible({1, nb::none()}, [stream](const Run& run) { return ArrowTable(*stream, run); }));
  const auto& table = nb::cast<const ArrowTable&>(owner);
  nb::list columns;
  for (std::size_t column = 0; column < table.columns(); ++column) columns.append(column_of(table, column, owner));
  return nb::make_tuple(table.rows(), columns);
}

}  // namespace

void bind_arrow(nb::module_& module) {
  nb::class_<ArrowTable>(module, "ArrowTable").def("__len__", &ArrowTable::rows);
  module.def("read_arrow", read_arrow, nb::arg("stream"));
}

}  // namespace cfrules::python
