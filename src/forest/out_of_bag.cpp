#include "forest/out_of_bag.h"

#include <algorithm>
#include <limits>

namespace cfrules {

OutOfBagSums::OutOfBagSums(std::size_t rows, std::size_t outputs, bool numeric) : outputs_(outputs), numeric_(numeric) {
  sums_.channels = numeric ? 2 : outputs;
  sums_.means.resize(rows * sums_.channels);
  sums_.trees.resize(rows);
}

void OutOfBagSums::add(std::size_t tree, TreeVotes votes) {
  std::unique_lock lock(mutex_);
  waiting_.emplace(tree, std::move(votes));
  if (busy_) return;
  busy_ = true;
  while (!waiting_.empty() && waiting_.begin()->first == next_) {
    const auto turn = waiting_.extract(waiting_.begin());
    lock.unlock();
    sum(turn.mapped());
    lock.lock();
    ++next_;
  }
  busy_ = false;
}

void OutOfBagSums::sum(const TreeVotes& votes) {
  std::vector<double> said(sums_.channels);
  std::size_t begin = 0;
  for (std::size_t leaf = 0; leaf < votes.leaf_ends.size(); ++leaf) {
    std::copy_n(votes.leaf_values.begin() + static_cast<std::ptrdiff_t>(leaf * outputs_), outputs_, said.begin());
    if (numeric_) said[1] = said[0] * said[0];
    for (; begin < votes.leaf_ends[leaf]; ++begin) {
      const std::size_t row = votes.rows[begin];
      for (std::size_t c = 0; c < said.size(); ++c) sums_.means[row * said.size() + c] += said[c];
      ++sums_.trees[row];
    }
  }
}

OutOfBag OutOfBagSums::means() && {
  for (std::size_t row = 0; row < sums_.trees.size(); ++row)
    for (std::size_t c = 0; c < sums_.channels; ++c) {
      double& mean = sums_.means[row * sums_.channels + c];
      mean = sums_.trees[row] > 0 ? mean / sums_.trees[row] : std::numeric_limits<double>::quiet_NaN();
    }
  return std::move(sums_);
}

namespace {

double accuracy(const OutOfBag& out_of_bag, std::span<const double> outcome) {
  std::size_t judged = 0, right = 0;
  for (std::size_t row = 0; row < outcome.size(); ++row) {
    if (out_of_bag.trees[row] == 0) continue;
    const auto means = std::span(out_of_bag.means).subspan(row * out_of_bag.channels, out_of_bag.channels);
    const auto best = static_cast<double>(std::max_element(means.begin(), means.end()) - means.begin());
    ++judged;
    right += best == outcome[row];
  }
  return judged > 0 ? static_cast<double>(right) / static_cast<double>(judged)
                    : std::numeric_limits<double>::quiet_NaN();
}

// NaN also where the outcome does not vary.
double r_squared(const OutOfBag& out_of_bag, std::span<const double> outcome) {
  double sum = 0, judged = 0;
  for (std::size_t row = 0; row < outcome.size(); ++row) {
    if (out_of_bag.trees[row] == 0) continue;
    sum += outcome[row];
    ++judged;
  }
  double residual = 0, spread = 0;
  for (std::size_t row = 0; row < outcome.size(); ++row) {
    if (out_of_bag.trees[row] == 0) continue;
    const double error = outcome[row] - out_of_bag.means[row * out_of_bag.channels];
    const double deviation = outcome[row] - sum / judged;
    residual += error * error;
    spread += deviation * deviation;
  }
  return spread > 0 ? 1 - residual / spread : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double out_of_bag_score(const OutOfBag& out_of_bag, std::span<const double> outcome, bool numeric) {
  return numeric ? r_squared(out_of_bag, outcome) : accuracy(out_of_bag, outcome);
}

}  // namespace cfrules
