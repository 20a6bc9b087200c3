#include "base/sorted_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace cfrules {
namespace {

constexpr double kBeyondAll = std::numeric_limits<double>::infinity();

TEST(SortedNumbers, CountsThoseBelowAValue) {
  for (std::size_t size = 0; size < 600; size += size < 40 ? 1 : 37) {
    RandomStream random(1, Purpose::test, size);
    std::vector<double> numbers;
    for (std::size_t i = 0; i < size; ++i) numbers.push_back(static_cast<double>(random.below(size)) - 20.0);
    if (size > 3) numbers[0] = -kBeyondAll;
    std::sort(numbers.begin(), numbers.end());
    const SortedNumbers sorted(numbers);
    std::vector<double> values = numbers;
    for (const double number : numbers) values.push_back(number + 0.5);
    values.insert(values.end(), {-kBeyondAll, -1e300, -0.0, 0.0, 1e300, kBeyondAll});
    for (const double value : values)
      EXPECT_EQ(sorted.count_below(value),
                static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), value) - numbers.begin()))
          << size << " numbers, " << value;
  }
}

TEST(SortedNumbers, NothingIsBelowMissing) {
  EXPECT_EQ(SortedNumbers(std::vector<double>{1, 2}).count_below(std::numeric_limits<double>::quiet_NaN()), 0u);
}

}  // namespace
}  // namespace cfrules
