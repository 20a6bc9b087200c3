// Questions about groups, and how good the answers are.
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

std::vector<double> numbers_or_none(nb::handle numbers) {
  return numbers.is_none() ? std::vector<double>() : copy_numbers(nb::cast<Numbers>(numbers));
}

nb::tuple explain_region(const Explainer& model, const std::string& region, nb::object target, const nb::dict& settings,
                         unsigned threads) {
  RegionSpec spec = RegionSpec::parse(region, "region");
  spec.others = SideSpec::What::free;
  const Target wanted = target_of(target, model.outcome());
  const ExplainOptions options = model.with_promise(explain_options(settings, model.schema()), wanted);
  const Explanation answer = interruptible(
      {threads, nb::none()}, [&](const Run& run) { return model.explain_region(spec, wanted, options, run); });
  return nb::make_tuple(to_json(answer, model.provenance(options)), to_text(answer));
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
  const Summary answer = interruptible({threads, progress}, [&](const Run& run) {
    return model.summarize(own ? model.rows() : people, present, wanted, options, run);
  });
  return nb::make_tuple(to_json(answer, model.provenance(options.explain)), to_text(answer));
}

nb::tuple evaluate(const Explainer& model, const nb::list& columns, const nb::dict& frame, nb::object outcomes,
                   nb::object target, const nb::dict& settings, nb::object judge, const std::string& judge_name,
                   unsigned threads, nb::object progress) {
  const Table people = people_from_frame(read_columns(columns), model.schema(), frame_options(frame));
  const std::vector<double> present = numbers_or_none(outcomes);
  const Target wanted = target_of(target, model.outcome());
  const ExplainOptions options = model.with_promise(explain_options(settings, model.schema()), wanted);
  const Labeller asked = labeller_of(judge);
  const Evaluation answer = interruptible({threads, progress}, [&](const Run& run) {
    return model.evaluate(people, present, wanted, options, asked, judge_name, run);
  });
  return nb::make_tuple(to_json(answer, model.provenance(options)), to_text(answer));
}

}  // namespace

void bind_group_questions(ModelClass& model) {
  model
      .def("explain_region", explain_region, nb::arg("region"), nb::arg("target"), nb::arg("settings"),
           nb::arg("threads"))
      .def("summarize", summarize, nb::arg("columns").none(), nb::arg("frame"), nb::arg("outcomes").none(),
           nb::arg("target"), nb::arg("settings"), nb::arg("threads"), nb::arg("progress").none())
      .def("evaluate", evaluate, nb::arg("columns"), nb::arg("frame"), nb::arg("outcomes").none(), nb::arg("target"),
           nb::arg("settings"), nb::arg("judge").none(), nb::arg("judge_name"), nb::arg("threads"),
           nb::arg("progress").none());
}

}  // namespace cfrules::python
