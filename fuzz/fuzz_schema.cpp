// Schema files: what is accepted is also tried on a small table.
#include "byte_feed.h"
#include "cfrules/csv.h"
#include "checks.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cfrules;
  using namespace cfrules::fuzz;
  const MemoryFile file(ByteFeed(data, size).rest());
  CsvOptions options;
  if (!tolerate([&] { options.hints = read_schema_file(file.path()); })) return 0;
  const MemoryFile rows("a,b,c,y\n1,x,yes,p\n2,y,no,q\n-7,x,no,p\n");
  tolerate([&] { static_cast<void>(read_training_csv(rows.path(), {"y", {}}, "", options)); });
  return 0;
}
