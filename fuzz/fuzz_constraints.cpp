// Constraints in JSON and TOML; those a small model accepts must be obeyed by its rules.
#include "byte_feed.h"
#include "checks.h"
#include "small_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cfrules;
  using namespace cfrules::fuzz;
  static const Explainer model = small_model(false);
  static const Target target = Target::of_classes({"yes"}, model.outcome());
  const std::string_view text = ByteFeed(data, size).rest();
  for (const bool toml : {false, true}) {
    tolerate([&] {
      const Constraints constraints = toml ? Constraints::parse_toml(text, "c") : Constraints::parse(text, "c");
      interrogate(model, target, constraints, 2);
    });
  }
  return 0;
}
