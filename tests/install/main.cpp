// A rule for the first rejected applicant of the built-in data, through the installed headers and library alone.
#include <cfrules/credit.h>
#include <cfrules/explainer.h>
#include <cfrules/write.h>

#include <iostream>

int main() {
  cfrules::CreditData data = cfrules::credit_table(400, 0);
  const cfrules::Table people = data.table;
  cfrules::FitOptions options;
  options.audit = 0;
  options.trees = 20;
  const auto model = cfrules::Explainer::fit(std::move(data.table), std::move(data.outcome), {}, options);
  const auto target = cfrules::Target::parse("approved", model.outcome());
  std::size_t found = 0;
  model.explain(people, {}, target, {}, [&](cfrules::Explanation&& answer) {
    if (answer.status == cfrules::Status::found && found++ == 0) std::cout << cfrules::to_text(answer);
  });
  return found > 0 ? 0 : 1;
}
