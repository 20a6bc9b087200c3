// Questions about groups, and how good the answers are.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.h"
#include "cfrules/write.h"
#include "columns.h"
#include "interruptible.h"
#include "labeller.h"
#include "options.h"

namespace cfrules::python {
namespace {

std::vector<double> numbers_or_none(nb::handle numbers) {
  return numbers.is_none() ? std::vector<double>() : copy_numbers(nb::cast<Numbers>(numbers));
}

// JSON and text of one answer.
template <class Ask>
nb::tuple in_words(const Calling& calling, const Explainer& model, const ExplainOptions& options, const Ask& ask) {
  auto [json, text] = interruptible(calling, [&](const Run& run) {
    const auto answer = ask(run);
    return std::pair(to_json(answer, model.provenance(options, run)), to_text(answer));
  });
  return nb::make_tuple(std::move(json), std::move(text));
}

nb::tuple explain_region(const Explainer& model, const std::string& region, nb::object target, const nb::dict& settings,
                         unsigned threads) {
  RegionSpec spec = RegionSpec::parse(region, "region");
  spec.others = SideSpec::What::free;
  const Target wanted = target_of(target, model.outcome());
  const ExplainOptions options = model.with_promise(explain_options(settings, model.schema()), wanted);
  return in_words({threads, nb::none()}, model, options,
                  [&](const Run& run) { return model.explain_region(spec, wanted, options, run); });
}

// people None: the model's own rows and outcomes.
nb::tuple summarize(const Explainer& model, nb::object columns, const nb::dict& frame, nb::object outcomes,
                    nb::object target, const nb::dict& settings, unsigned threads, nb::object progress) {
  const bool own = columns.is_none();
  const Table people = own ? Table() : people_from_frame(read_columns(columns), model.schema(), frame_options(frame));
  const std::vector<double> present = own ? model.outcome().values : numbers_or_none(outcomes);
  const Target wanted = target_of(target, model.outcome());
  RegionsOptions options = regions_options(settings, model.schema());
  options.explain = model.with_promise(options.explain, wanted);
  return in_words({threads, progress}, model, options.explain, [&](const Run& run) {
    return model.summarize(own ? model.rows() : people, present, wanted, options, run);
  });
}

nb::tuple evaluate(const Explainer& model, const nb::list& columns, const nb::dict& frame, nb::object outcomes,
                   nb::object target, const nb::dict& settings, nb::object judge, const std::string& judge_name,
                   nb::object verify, unsigned threads, nb::object progress) {
  const Table people = people_from_frame(read_columns(columns), model.schema(), frame_options(frame));
  const std::vector<double> present = numbers_or_none(outcomes);
  const Target wanted = target_of(target, model.outcome());
  ExplainOptions options = model.with_promise(explain_options(settings, model.schema()), wanted);
  options.verify = labeller_of(verify);
  const Labeller asked = labeller_of(judge);
  return in_words({threads, progress}, model, options, [&](const Run& run) {
    return model.evaluate(people, present, wanted, options, asked, judge_name, run);
  });
}

}  // namespace

void bind_group_questions(ModelClass& model) {
  model
      .def("explain_region", explain_region, nb::arg("region"), nb::arg("target"), nb::arg("settings"),
           nb::arg("threads"))
      .def("summarize", summarize, nb::arg("columns").none(), nb::arg("frame"), nb::arg("outcomes").none(),
           nb::arg("target"), nb::arg("settings"), nb::arg("threads"), nb::arg("progress").none())
      .def("evaluate", evaluate, nb::arg("columns"), nb::arg("frame"), nb::arg("outcomes").none(), nb::arg("target"),
           nb::arg("settings"), nb::arg("judge").none(), nb::arg("judge_name"), nb::arg("verify").none(),
           nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace cfrules::python
