// Exact binomial statements about so many hits in so many independent cases.
#pragma once

#include <cstddef>

namespace cfrules {

struct Bounds {
  double low = 0;
  double high = 1;
};

// Chance of at least so many hits if each case hits with probability p.
[[nodiscard]] double chance_of_at_least(std::size_t hits, std::size_t cases, double p);

// Clopper and Pearson: covers the true share at least this often, whatever it is. cases > 0.
[[nodiscard]] Bounds clopper_pearson(std::size_t hits, std::size_t cases, double confidence);

}  // namespace cfrules
