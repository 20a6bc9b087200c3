#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "cfrules/credit.h"
#include "cfrules/write.h"
#include "columns.h"

namespace cfrules::python {
namespace {

// (features, columns, outcome name, classes, outcome)
nb::tuple credit(std::size_t rows, std::uint64_t seed) {
  const CreditData data = credit_table(rows, seed);
  return nb::make_tuple(describe(data.table.schema()), columns_of(data.table), data.outcome.name, data.outcome.classes,
                        to_array(data.outcome.values));
}

// The true chance of approval of each row; columns as credit() gives them.
NumberArray credit_law(std::size_t rows, std::uint64_t seed) {
  const CreditData data = credit_table(rows, seed);
  std::vector<double> chances;
  for (std::size_t row = 0; row < rows; ++row)
    chances.push_back(credit_approval_probability(data.table.schema(), data.table.row(row)));
  return to_array(std::move(chances));
}

// One side of a rule in words: "[2 000, 5 000)", "at most 24", "one of {own, free}". NaN: an open end.
std::string range_in_words(double low, bool low_closed, double high, bool high_closed,
                           std::vector<std::string> values) {
  Condition side;
  side.kind = values.empty() ? Kind::number : Kind::category;
  if (low == low) side.low = low;
  if (high == high) side.high = high;
  side.low_closed = low_closed;
  side.high_closed = high_closed;
  side.values = std::move(values);
  return range_text(side);
}

}  // namespace

void bind_datasets(nb::module_& module) {
  module.def("credit", credit, nb::arg("rows"), nb::arg("seed"));
  module.def("credit_law", credit_law, nb::arg("rows"), nb::arg("seed"));
  module.def("credit_law_description", &credit_law_description);
  module.def("range_text", range_in_words, nb::arg("low"), nb::arg("low_closed"), nb::arg("high"),
             nb::arg("high_closed"), nb::arg("values"));
}

}  // namespace cfrules::python
