// Regions: every estimator reads those that are accepted, for a person and for a group.
#include <cmath>

#include "byte_feed.h"
#include "cfrules/write.h"
#include "checks.h"
#include "small_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cfrules;
  using namespace cfrules::fuzz;
  static const Explainer models[] = {small_model(false), small_model(true)};
  RegionSpec region;
  if (!tolerate([&] { region = RegionSpec::parse(ByteFeed(data, size).rest(), "region"); })) return 0;
  for (const Explainer& model : models) {
    const Target target = some_target(model.outcome());
    for (const Estimator estimator : {Estimator::moved, Estimator::paper, Estimator::leaf_union, Estimator::inside})
      tolerate([&] {
        const RegionProbability answer = model.probability(model.rows().row(3), region, target, estimator, 3, true);
        require(std::isnan(answer.probability) || (answer.probability >= 0 && answer.probability <= 1 + 1e-12),
                "a probability lies between 0 and 1");
        static_cast<void>(to_json(answer, true, "{}"));
      });
    tolerate([&] {
      RegionSpec group = region;
      group.others = SideSpec::What::free;
      ExplainOptions options;
      options.max_features = 1;
      options.min_probability = 0.5;
      static_cast<void>(
          to_text(model.explain_region(group, target, options, {.threads = 1, .stop = {}, .progress = {}})));
    });
  }
  return 0;
}
