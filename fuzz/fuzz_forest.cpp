// Forests to import: what is accepted answers questions, can be saved and is the same when loaded.
#include "byte_feed.h"
#include "checks.h"
#include "small_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cfrules;
  using namespace cfrules::fuzz;
  ByteFeed feed(data, size);
  const bool numeric = feed.flip();
  FitOptions options;
  options.isolation_trees = 4;
  const Run alone{.threads = 1, .stop = {}, .progress = {}};
  tolerate([&] {
    const Outcome outcome = small_outcome(numeric);
    const Explainer model = Explainer::import(feed.rest(), "forest", small_table(), outcome, {}, options, alone);
    interrogate(model, some_target(outcome), {}, 2);
    require(model.checksum().size() > 8, "what was imported has a checksum");
  });
  return 0;
}
