// Averages what trees say of the rows they did not see. Trees may come in any order and from any thread; they are added
// in the order of their numbers, so the sums do not depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "forest/trainer.h"

namespace cfrules {

// The unseen rows of one tree, ordered by leaf.
struct TreeVotes {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> leaf_ends;  // per leaf: where its rows end
  std::vector<double> leaf_values;       // as in Tree
};

class OutOfBagSums {
 public:
  OutOfBagSums(std::size_t rows, std::size_t outputs, bool numeric);

  // Keeps the votes until all trees before have come; whoever brings the missing one adds those that waited.
  void add(std::size_t tree, TreeVotes votes);
  // Once every tree has been added.
  [[nodiscard]] OutOfBag means() &&;

 private:
  void sum(const TreeVotes& votes);

  std::size_t outputs_;
  bool numeric_;
  OutOfBag sums_;
  std::mutex mutex_;
  std::map<std::size_t, TreeVotes> waiting_;
  std::size_t next_ = 0;
  bool busy_ = false;  // some thread is adding
};

// Accuracy of the most likely class (the first on ties), or R squared, over the rows some tree left out.
[[nodiscard]] double out_of_bag_score(const OutOfBag& out_of_bag, std::span<const double> outcome, bool numeric);

}  // namespace cfrules
