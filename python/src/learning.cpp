// Making models: fit, import, load.
#include <nanobind/stl/string.h>

#include <cmath>
#include <utility>

#include "bindings.h"
#include "columns.h"
#include "interruptible.h"
#include "labeller.h"
#include "options.h"

namespace cfrules::python {
namespace {

OutcomeRequest::As outcome_kind(const std::string& word) {
  if (word == "class") return OutcomeRequest::As::classes;
  return word == "number" ? OutcomeRequest::As::number : OutcomeRequest::As::infer;
}

std::vector<double> weights_of(nb::handle weights) {
  return weights.is_none() ? std::vector<double>() : copy_numbers(nb::cast<Numbers>(weights));
}

// What Python gave, read while it cannot change; the rest of the work needs no interpreter.
struct Given {
  std::vector<FrameColumn> features;
  FrameColumn outcome;
  OutcomeRequest::As kind;
  std::vector<double> weights;
  FrameOptions frame;
  std::vector<FrameColumn> fresh;
  FrameColumn fresh_outcome;
};

Given read_given(const nb::dict& data) {
  Given given{read_columns(data["features"]),
              read_column(data["outcome"]),
              outcome_kind(nb::cast<std::string>(data["outcome_kind"])),
              weights_of(data["weights"]),
              frame_options(nb::cast<nb::dict>(data["frame"])),
              {},
              {}};
  if (data["fresh"].is_none()) return given;
  given.fresh = read_columns(data["fresh"]);
  given.fresh_outcome = read_column(data["fresh_outcome"]);
  return given;
}

LabelledTable training_rows(Given& given, const Run& run) {
  return training_from_frame(std::move(given.features), std::move(given.outcome), given.kind, std::move(given.weights),
                             given.frame, run);
}

// Rows whose answer is missing say nothing.
void read_fresh(Given& given, const LabelledTable& rows, FitOptions& options, const Run& run) {
  if (given.fresh.empty()) return;
  const Table fresh = people_from_frame(std::move(given.fresh), rows.table.schema(), given.frame, run);
  const std::vector<double> outcome = outcomes_from_frame(std::move(given.fresh_outcome), rows.outcome);
  std::vector<std::size_t> known;
  for (std::size_t row = 0; row < fresh.rows() && row < outcome.size(); ++row) {
    if (std::isnan(outcome[row])) continue;
    known.push_back(row);
    options.fresh_outcome.push_back(outcome[row]);
  }
  options.fresh = fresh.select(known);
}

// A model, and how many rows were left out because their outcome is missing.
using Learned = std::pair<Explainer, std::size_t>;

nb::tuple to_python(Learned learned) { return nb::make_tuple(std::move(learned.first), learned.second); }

nb::tuple fit(const nb::dict& data, const nb::dict& settings, nb::object labeller, unsigned threads,
              nb::object progress) {
  Given given = read_given(data);
  FitOptions options = fit_options(settings);
  options.labeller = labeller_of(labeller);
  return to_python(interruptible({threads, progress}, [&](const Run& run) {
    LabelledTable rows = training_rows(given, run);
    read_fresh(given, rows, options, run);
    return Learned(
        Explainer::fit(std::move(rows.table), std::move(rows.outcome), std::move(rows.weights), options, run),
        rows.dropped);
  }));
}

nb::tuple import_forest(const std::string& forest, const nb::dict& data, const nb::dict& settings, unsigned threads,
                        nb::object progress) {
  Given given = read_given(data);
  const FitOptions options = fit_options(settings);
  return to_python(interruptible({threads, progress}, [&](const Run& run) {
    LabelledTable rows = training_rows(given, run);
    return Learned(Explainer::import(forest, "forest", std::move(rows.table), std::move(rows.outcome),
                                     std::move(rows.weights), options, run),
                   rows.dropped);
  }));
}

Explainer load(const std::string& path) {
  return interruptible({0, nb::none()}, [&](const Run& run) { return Explainer::load(path, run); });
}

void save(const Explainer& model, const std::string& path, bool overwrite) {
  interruptible({0, nb::none()}, [&](const Run& run) {
    model.save(path, overwrite, run);
    return true;
  });
}

}  // namespace

void bind_learning(ModelClass& model) {
  model
      .def_static("fit", fit, nb::arg("data"), nb::arg("settings"), nb::arg("labeller").none(), nb::arg("threads"),
                  nb::arg("progress").none())
      .def_static("import_forest", import_forest, nb::arg("forest"), nb::arg("data"), nb::arg("settings"),
                  nb::arg("threads"), nb::arg("progress").none())
      .def_static("load", load, nb::arg("path"))
      .def("save", save, nb::arg("path"), nb::arg("overwrite"));
}

}  // namespace cfrules::python
