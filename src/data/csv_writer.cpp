#include <cmath>
#include <string>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/csv.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

// Also quotes what an unquoted reading would trim.
void append_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && trimmed(text) == text) {
    out += text;
    return;
  }
  out += '"';
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  out += '"';
}

std::string outcome_text(const Outcome& outcome, double value) {
  if (std::isnan(value)) return {};
  return outcome.numeric() ? shortest_decimal(value) : outcome.classes.at(static_cast<std::size_t>(value));
}

void end_row(std::string& out, std::size_t start) {
  if (out.size() == start) out += "\"\"";  // one missing cell: a blank line would be skipped
  out += '\n';
}

}  // namespace

std::string to_csv(const Table& table, const Outcome* outcome) {
  if (outcome && table.features() > 0 && outcome->rows() != table.rows())
    throw InputError("the outcome has " + std::to_string(outcome->rows()) + " rows where the table has " +
                     std::to_string(table.rows()));
  std::string out;
  for (std::size_t feature = 0; feature < table.features(); ++feature) {
    if (feature > 0) out += ',';
    append_cell(out, table.schema()[feature].name);
  }
  if (outcome) append_cell(out += ',', outcome->name);
  out += '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t start = out.size();
    for (std::size_t feature = 0; feature < table.features(); ++feature) {
      if (feature > 0) out += ',';
      append_cell(out, text_of(table.schema()[feature], table.value(row, feature)));
    }
    if (outcome) append_cell(out += ',', outcome_text(*outcome, outcome->values[row]));
    end_row(out, start);
  }
  return out;
}

}  // namespace cfrules
