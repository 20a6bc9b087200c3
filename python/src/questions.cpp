// Questions about people.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "cfrules/write.h"
#include "columns.h"
#include "interruptible.h"
#include "labeller.h"
#include "options.h"

namespace cfrules::python {
namespace {

Table people_of(const Explainer& model, const nb::list& columns, const nb::dict& frame) {
  return people_from_frame(read_columns(columns), model.schema(), frame_options(frame));
}

// JSON and text of each answer, in order.
struct Answers {
  std::vector<std::string> json;
  std::vector<std::string> text;

  [[nodiscard]] nb::tuple take() { return nb::make_tuple(std::move(json), std::move(text)); }
};

nb::tuple explain(const Explainer& model, const nb::list& columns, const nb::dict& frame, nb::object outcomes,
                  nb::object target, const nb::dict& settings, nb::object verify, unsigned threads,
                  nb::object progress) {
  const Table people = people_of(model, columns, frame);
  const std::vector<double> present =
      outcomes.is_none() ? std::vector<double>() : copy_numbers(nb::cast<Numbers>(outcomes));
  const Target wanted = target_of(target, model.outcome());
  ExplainOptions options = model.with_promise(explain_options(settings, model.schema()), wanted);
  options.verify = labeller_of(verify);
  return interruptible({threads, progress},
                       [&](const Run& run) {
                         Answers answers;
                         const std::string provenance = model.provenance(options, run);
                         const auto sink = [&](Explanation&& explanation) {
                           answers.json.push_back(to_json(explanation, provenance));
                           answers.text.push_back(to_text(explanation));
                         };
                         model.explain(people, present, wanted, options, sink, run);
                         return answers;
                       })
      .take();
}

nb::tuple sufficient(const Explainer& model, const nb::list& columns, const nb::dict& frame, const nb::dict& settings,
                     unsigned threads, nb::object progress) {
  const Table people = people_of(model, columns, frame);
  const SufficientOptions options = sufficient_options(settings);
  ExplainOptions told;
  told.pi = options.pi;
  told.candidates = options.candidates;
  told.max_features = options.max_features;
  told.min_rows = options.min_rows;
  return interruptible({threads, progress},
                       [&](const Run& run) {
                         Answers answers;
                         const std::string provenance = model.provenance(told, run);
                         const auto sink = [&](SufficientExplanation&& explanation) {
                           answers.json.push_back(to_json(explanation, model.schema(), provenance));
                           answers.text.push_back(to_text(explanation, model.schema()));
                         };
                         model.sufficient(people, options, sink, run);
                         return answers;
                       })
      .take();
}

NumberArray predict(const Explainer& model, const nb::list& columns, const nb::dict& frame, bool probability,
                    unsigned threads) {
  const Table people = people_of(model, columns, frame);
  return to_array(interruptible({threads, nb::none()}, [&](const Run& run) {
    return probability ? model.predict_probability(people, run) : model.predict(people, run);
  }));
}

std::string probability(const Explainer& model, const nb::list& columns, const nb::dict& frame,
                        const std::string& region, nb::object target, const std::string& estimator,
                        std::size_t min_rows, bool with_weights) {
  const Table people = people_of(model, columns, frame);
  const RegionSpec spec = RegionSpec::parse(region, "region");
  const RegionProbability answer = model.probability(people.row(0), spec, target_of(target, model.outcome()),
                                                     estimator_named(estimator), min_rows, with_weights);
  return to_json(answer, with_weights, model.provenance({}));
}

}  // namespace

void bind_questions(ModelClass& model) {
  model
      .def("explain", explain, nb::arg("columns"), nb::arg("frame"), nb::arg("outcomes").none(), nb::arg("target"),
           nb::arg("settings"), nb::arg("verify").none(), nb::arg("threads"), nb::arg("progress").none())
      .def("sufficient", sufficient, nb::arg("columns"), nb::arg("frame"), nb::arg("settings"), nb::arg("threads"),
           nb::arg("progress").none())
      .def("predict", predict, nb::arg("columns"), nb::arg("frame"), nb::arg("probability"), nb::arg("threads"))
      .def("probability", probability, nb::arg("columns"), nb::arg("frame"), nb::arg("region"), nb::arg("target"),
           nb::arg("estimator"), nb::arg("min_rows"), nb::arg("with_weights"));
}

}  // namespace cfrules::python
