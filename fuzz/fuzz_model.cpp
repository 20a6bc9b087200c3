// Model files with good checksums and any content. One that is accepted answers questions, and what it is saved as is
// accepted too and says the same.
#include "byte_feed.h"
#include "checks.h"
#include "io/model_file.h"
#include "io/model_sections.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cfrules;
  using namespace cfrules::fuzz;
  std::string file(ByteFeed(data, size).rest());
  reseal(std::as_writable_bytes(std::span(file.data(), file.size())));
  std::string saved;
  if (!tolerate([&] { saved = serialize_model(parse_model(std::as_bytes(std::span(file)), "model")); })) return 0;
  require(serialize_model(parse_model(std::as_bytes(std::span(saved)), "model")) == saved, "a model saved is the same");
  const MemoryFile copy(file);
  tolerate([&] {
    const Explainer model = Explainer::load(copy.path());
    interrogate(model, some_target(model.outcome()), {}, 2);
  });
  return 0;
}
