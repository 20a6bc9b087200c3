#include "labeller.h"

#include "cfrules/error.h"
#include "columns.h"

namespace cfrules::python {

Labeller labeller_of(nb::handle ask) {
  if (ask.is_none()) return {};
  return [ask](const Table& rows) {
    const nb::gil_scoped_acquire gil;
    std::vector<double> answers = copy_numbers(nb::cast<Numbers>(ask(describe(rows.schema()), columns_of(rows))));
    if (answers.size() != rows.rows())
      throw InputError("the model gave " + std::to_string(answers.size()) + " predictions for " +
                       std::to_string(rows.rows()) + " rows; allowed: one per row");
    return answers;
  };
}

}  // namespace cfrules::python
