// Making models: fit, import, load.
#include <nanobind/stl/string.h>

#include <cmath>

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

LabelledTable training_rows(const nb::dict& data) {
  return training_from_frame(read_columns(data["features"]), read_column(data["outcome"]),
                             outcome_kind(nb::cast<std::string>(data["outcome_kind"])), weights_of(data["weights"]),
                             frame_options(nb::cast<nb::dict>(data["frame"])));
}

// Rows whose answer is missing say nothing.
void read_fresh(const nb::dict& data, const LabelledTable& rows, FitOptions& options) {
  if (data["fresh"].is_none()) return;
  const Table fresh = people_from_frame(read_columns(data["fresh"]), rows.table.schema(),
                                        frame_options(nb::cast<nb::dict>(data["frame"])));
  const std::vector<double> outcome = outcomes_from_frame(read_column(data["fresh_outcome"]), rows.outcome);
  std::vector<std::size_t> known;
  for (std::size_t row = 0; row < fresh.rows() && row < outcome.size(); ++row) {
    if (std::isnan(outcome[row])) continue;
    known.push_back(row);
    options.fresh_outcome.push_back(outcome[row]);
  }
  options.fresh = fresh.select(known);
}

nb::tuple fit(const nb::dict& data, const nb::dict& settings, nb::object labeller, unsigned threads,
              nb::object progress) {
  LabelledTable rows = training_rows(data);
  FitOptions options = fit_options(settings);
  read_fresh(data, rows, options);
  options.labeller = labeller_of(labeller);
  const std::size_t dropped = rows.dropped;
  return nb::make_tuple(interruptible({threads, progress},
                                      [&](const Run& run) {
                                        return Explainer::fit(std::move(rows.table), std::move(rows.outcome),
                                                              std::move(rows.weights), options, run);
                                      }),
                        dropped);
}

nb::tuple import_forest(const std::string& forest, const nb::dict& data, const nb::dict& settings, unsigned threads,
                        nb::object progress) {
  LabelledTable rows = training_rows(data);
  const FitOptions options = fit_options(settings);
  const std::size_t dropped = rows.dropped;
  return nb::make_tuple(interruptible({threads, progress},
                                      [&](const Run& run) {
                                        return Explainer::import(forest, "forest", std::move(rows.table),
                                                                 std::move(rows.outcome), std::move(rows.weights),
                                                                 options, run);
                                      }),
                        dropped);
}

Explainer load(const std::string& path) {
  const nb::gil_scoped_release release;
  return Explainer::load(path);
}

void save(const Explainer& model, const std::string& path, bool overwrite) {
  const nb::gil_scoped_release release;
  model.save(path, overwrite);
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
