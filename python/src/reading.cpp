// What a model is: its columns, its outcome, how it was made.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "bindings.h"
#include "columns.h"
#include "interruptible.h"
#include "options.h"

namespace cfrules::python {
namespace {

NumberArray column(const Explainer& model, std::size_t feature) {
  if (feature >= model.rows().features()) throw nb::index_error("no such feature");
  const std::span<const double> values = model.rows().column(feature);
  return to_array({values.begin(), values.end()});
}

// Hashing a large model takes seconds, once.
std::string checksum(const Explainer& model) {
  return interruptible({0, nb::none()}, [&](const Run& run) { return model.checksum(run); });
}

std::string inspect(const Explainer& model) {
  static_cast<void>(checksum(model));
  return model.inspect();
}

}  // namespace

void bind_reading(ModelClass& model) {
  model.def_prop_ro("schema", [](const Explainer& self) { return describe(self.schema()); })
      .def_prop_ro("rows", [](const Explainer& self) { return self.rows().rows(); })
      .def_prop_ro("outcome_name", [](const Explainer& self) { return self.outcome().name; })
      .def_prop_ro("classes", [](const Explainer& self) { return self.outcome().classes; })
      .def_prop_ro("outcome", [](const Explainer& self) { return to_array(self.outcome().values); })
      .def("column", column, nb::arg("feature"))
      .def("inspect", inspect)
      .def("checksum", checksum)
      .def(
          "probability_note",
          [](const Explainer& self, const nb::dict& options) {
            return self.probability_note(explain_options(options, self.schema()));
          },
          nb::arg("options"))
      .def(
          "target", [](const Explainer& self, nb::object target) { return target_of(target, self.outcome()).names(); },
          nb::arg("target"))
      .def(
          "outcomes",
          [](const Explainer& self, nb::tuple outcome) {
            return to_array(outcomes_from_frame(read_column(outcome), self.outcome()));
          },
          nb::arg("outcome"));
}

}  // namespace cfrules::python
