#include "forest/answers.h"

#include <algorithm>

#include "forest/leaves.h"

namespace cfrules {

void mean_answers(const Forest& forest, std::span<const Code> codes, std::span<double> means) {
  const bool squares = means.size() > forest.outputs;
  std::fill(means.begin(), means.end(), 0.0);
  visit_leaves(forest, codes, [&](std::size_t tree, std::size_t leaf) {
    const double* values = &forest.trees[tree].leaf_values[leaf * forest.outputs];
    for (std::size_t output = 0; output < forest.outputs; ++output) means[output] += values[output];
    if (squares) means[forest.outputs] += values[0] * values[0];
  });
  for (double& mean : means) mean /= static_cast<double>(forest.trees.size());
}

double decision(std::span<const double> means, bool numeric) {
  return numeric ? means[0] : static_cast<double>(std::max_element(means.begin(), means.end()) - means.begin());
}

}  // namespace cfrules
