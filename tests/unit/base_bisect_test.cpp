#include <gtest/gtest.h>

#include <algorithm>

#include "base/bisect.h"
#include "base/random.h"

namespace cfrules {
namespace {

TEST(Bisect, CountsWhatIsBelowAsOneByOne) {
  for (std::uint64_t id = 0; id < 300; ++id) {
    RandomStream random(1, Purpose::test, id);
    std::vector<int> numbers;
    for (std::size_t left = random.below(40); left > 0; --left) numbers.push_back(static_cast<int>(random.below(30)));
    std::sort(numbers.begin(), numbers.end());  // some of them equal
    for (int value = -1; value <= 30; ++value) {
      const auto below = std::count_if(numbers.begin(), numbers.end(), [&](int number) { return number < value; });
      ASSERT_EQ(count_below(numbers, value), static_cast<std::size_t>(below)) << "case " << id << " value " << value;
    }
  }
}

}  // namespace
}  // namespace cfrules
