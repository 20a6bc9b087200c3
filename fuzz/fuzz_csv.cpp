// Training rows and people from any bytes. What was accepted is written as CSV, and read back as the same table.
#include <cmath>

#include "byte_feed.h"
#include "cfrules/csv.h"
#include "checks.h"
#include "memory_file.h"

namespace {

using namespace cfrules;
using namespace cfrules::fuzz;

bool same_numbers(std::span<const double> one, std::span<const double> other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

void check_round_trip(const LabelledTable& data) {
  const MemoryFile again(to_csv(data.table, &data.outcome));
  PeopleOptions options;
  options.csv.delimiter = ',';
  LabelledTable read;
  // Names that look like markers of missing values cannot be told apart in text; such a table may be refused or differ.
  if (!tolerate([&] { read = read_people_csv(again.path(), data.table.schema(), data.outcome, options); })) return;
  require(read.table.rows() == data.table.rows(), "a table read back has as many rows");
  for (std::size_t feature = 0; feature < data.table.features(); ++feature) {
    const Kind kind = data.table.schema()[feature].kind;
    if (kind != Kind::number && kind != Kind::integer) continue;
    require(same_numbers(read.table.column(feature), data.table.column(feature)), "numbers read back are the same");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteFeed feed(data, size);
  const std::uint8_t how = feed.byte();
  const MemoryFile file(feed.rest());
  CsvOptions options;
  if (how & 1) options.missing = {"-9", "none"};
  if (how & 2) options.delimiter = ';';
  if (how & 4) options.hints = {{"a", Kind::number, {}, {}}, {"b", Kind::category, {"x", "y"}, {"z"}}};
  if (how & 8) options.hints = {{"a", Kind::boolean, {}, {"7"}}, {"b", Kind::integer, {}, {}}};
  if (how & 16) options.ignore = {"c"};
  OutcomeRequest outcome{"y", static_cast<OutcomeRequest::As>(how >> 5 & 3)};
  if (outcome.as > OutcomeRequest::As::number) outcome.as = OutcomeRequest::As::infer;
  LabelledTable read;
  if (tolerate([&] { read = read_training_csv(file.path(), outcome, how & 128 ? "w" : "", options); })) {
    require(read.outcome.rows() == read.table.rows(), "every row has an outcome");
    check_round_trip(read);
  }
  const Schema schema{{"a", Kind::number, {}}, {"b", Kind::category, {"x", "y"}}, {"c", Kind::boolean, {"no", "yes"}}};
  tolerate([&] { read = read_people_csv(file.path(), schema, {"y", {"p", "q"}, {}}, {options, (how & 4) != 0}); });
  return 0;
}
