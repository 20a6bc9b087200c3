// The extension module cfrules._core: the core's questions with Python's types, and nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "bindings.h"
#include "cfrules/error.h"
#include "cfrules/version.h"

namespace {

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const cfrules::FormatError& failure) {
    PyErr_SetString(PyExc_ValueError, failure.what());
  } catch (const cfrules::IoError& failure) {
    PyErr_SetString(PyExc_OSError, failure.what());
  } catch (const cfrules::Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

NB_MODULE(_core, module) {
  nanobind::register_exception_translator(translate);
  module.attr("version") = cfrules::version();
  module.attr("build_info") = cfrules::build_info();
  cfrules::python::ModelClass model(module, "Model");
  cfrules::python::bind_learning(model);
  cfrules::python::bind_reading(model);
  cfrules::python::bind_questions(model);
  cfrules::python::bind_group_questions(model);
  cfrules::python::bind_arrow(module);
  cfrules::python::bind_datasets(module);
}
