// The trainer's oracle.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "forest/sampler.h"
#include "forest/trainer.h"
#include "unit/forest_test_data.h"

namespace cfrules::testing_data {

// The same tree from the same draws, grown in the obvious way: every cut of every tried feature is judged by counting
// its rows afresh.
class SlowTrainer {
 public:
  SlowTrainer(const Problem& problem, const TrainOptions& options, std::size_t index)
      : problem_(problem), options_(options), random_(options.seed, Purpose::tree, index) {
    // Outcomes count from the median, which moves all scores of a node alike but decides ties up to rounding.
    std::vector<double> sorted = problem.outcome;
    std::sort(sorted.begin(), sorted.end());
    middle_ = sorted[sorted.size() / 2];
    const SamplingUnits units(problem.codes.rows, problem.groups);
    const Draw draw = draw_units(units, options, random_);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < problem.codes.rows; ++row) {
      times_.push_back(draw.times[units.of_row(row)]);
      if (times_[row] > 0 && weight_of(row) > 0) rows.push_back(row);
    }
    const std::size_t features = problem.codes.columns.size();
    order_.resize(features);
    std::iota(order_.begin(), order_.end(), 0u);
    per_split_ = options.features_per_split;
    if (per_split_ == 0)
      per_split_ = problem.classes > 0 ? static_cast<std::size_t>(std::sqrt(features)) : features / 3;
    per_split_ = std::clamp<std::size_t>(per_split_, 1, features);
    grow(0, rows, 0);
  }

  struct Found {
    std::size_t feature = 0;
    Code cut = 0;
    double score = -1;
  };
  struct Grown {
    bool leaf = true;
    Found split;
    std::vector<double> value;
    std::size_t left = 0, right = 0;
    double decrease = 0;
  };
  std::vector<Grown> nodes{1};

 private:
  double weight_of(std::size_t row) const {
    double weight = problem_.weights.empty() ? 1.0 : problem_.weights[row];
    if (!options_.class_weights.empty())
      weight *= options_.class_weights[static_cast<std::size_t>(problem_.outcome[row])];
    return weight;
  }

  std::vector<double> sums(const std::vector<std::size_t>& rows) const {
    std::vector<double> result(problem_.classes == 0 ? 1 : problem_.classes);
    for (const std::size_t row : rows) {
      const double weight = weight_of(row) * static_cast<double>(times_[row]);
      if (problem_.classes == 0)
        result[0] += weight * (problem_.outcome[row] - middle_);
      else
        result[static_cast<std::size_t>(problem_.outcome[row])] += weight;
    }
    return result;
  }
  double weight(const std::vector<std::size_t>& rows) const {
    double sum = 0;
    for (const std::size_t row : rows) sum += weight_of(row) * static_cast<double>(times_[row]);
    return sum;
  }
  std::size_t drawn(const std::vector<std::size_t>& rows) const {
    std::size_t count = 0;
    for (const std::size_t row : rows) count += times_[row];
    return count;
  }
  double score(const std::vector<std::size_t>& rows) const {
    double squares = 0;
    for (const double sum : sums(rows)) squares += sum * sum;
    return squares / weight(rows);
  }

  void judge(std::size_t feature, const std::vector<std::size_t>& rows, Found& best) const {
    const std::vector<std::uint8_t>& codes = problem_.codes.columns[feature];
    std::set<Code> present;
    for (const std::size_t row : rows) present.insert(codes[row]);
    for (auto below = present.begin(); std::next(below) != present.end(); ++below) {
      std::vector<std::size_t> left, right;
      for (const std::size_t row : rows) (codes[row] <= *below ? left : right).push_back(row);
      if (drawn(left) < options_.min_leaf || drawn(right) < options_.min_leaf) continue;
      const double found = score(left) + score(right);
      if (found < best.score || (found == best.score && feature >= best.feature)) continue;
      const Code gap_end = static_cast<Code>(*std::next(below) - 1);
      best = {feature, *below == kMissing ? kMissing : static_cast<Code>((*below + gap_end) / 2), found};
    }
  }

  void grow(std::size_t node, const std::vector<std::size_t>& rows, std::size_t depth) {
    nodes[node].value = sums(rows);
    for (double& share : nodes[node].value) share /= weight(rows);
    if (problem_.classes == 0) nodes[node].value[0] += middle_;
    std::set<double> outcomes;
    for (const std::size_t row : rows) outcomes.insert(problem_.outcome[row]);
    if (outcomes.size() < 2 || (options_.depth > 0 && depth == options_.depth)) return;
    if (drawn(rows) < 2 * options_.min_leaf) return;
    Found best;
    for (std::size_t tried = 0; tried < order_.size() && (tried < per_split_ || best.score < 0); ++tried) {
      std::swap(order_[tried], order_[tried + random_.below(order_.size() - tried)]);
      judge(order_[tried], rows, best);
    }
    if (best.score < 0) return;
    std::vector<std::size_t> left, right;
    for (const std::size_t row : rows)
      (problem_.codes.columns[best.feature][row] <= best.cut ? left : right).push_back(row);
    const std::size_t first = nodes.size();
    nodes[node] = {false, best, nodes[node].value, first, first + 1, best.score - score(rows)};
    nodes.resize(first + 2);
    grow(first, left, depth + 1);
    grow(first + 1, right, depth + 1);
  }

  const Problem& problem_;
  const TrainOptions& options_;
  RandomStream random_;
  std::vector<std::size_t> times_;
  std::vector<std::size_t> order_;
  std::size_t per_split_ = 1;
  double middle_ = 0;  // of a numeric outcome
};

}  // namespace cfrules::testing_data
