#pragma once

#include <string>

#include "cfrules/explanation.h"
#include "option_table.h"

namespace cfrules::cli {

template <class Into>
void add_estimator(OptionTable& table, Into& into, std::string help) {
  table.choice<Estimator>("--estimator", into,
                          {{"moved", Estimator::moved},
                           {"paper", Estimator::paper},
                           {"union", Estimator::leaf_union},
                           {"inside", Estimator::inside}},
                          std::move(help));
}

}  // namespace cfrules::cli
