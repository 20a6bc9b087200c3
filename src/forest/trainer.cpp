#include "forest/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/limits.h"
#include "base/parallel.h"
#include "cfrules/error.h"
#include "forest/out_of_bag.h"
#include "forest/row_order.h"
#include "forest/sampler.h"
#include "forest/split_criterion.h"
#include "forest/training_checks.h"
#include "forest/tree_builder.h"

namespace cfrules {
namespace {

// Row weight times class weight; empty if all are 1.
std::vector<double> combined_weights(const TrainingSet& data, const TrainOptions& options) {
  if (data.weights.empty() && options.class_weights.empty()) return {};
  std::vector<double> weights(data.codes.rows, 1.0);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!data.weights.empty()) weights[row] *= data.weights[row];
    if (!options.class_weights.empty())
      weights[row] *= options.class_weights[static_cast<std::size_t>(data.outcome[row])];
  }
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1.0; })) return {};
  if (std::none_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; }))
    throw InputError("row weight times class weight is 0 in every row; at least one must be above 0");
  return weights;
}

GrowthLimits limits_of(const TrainingSet& data, const TrainOptions& options) {
  const std::size_t features = data.codes.columns.size();
  std::size_t per_split = options.features_per_split;
  if (per_split == 0)
    per_split = data.classes > 0 ? static_cast<std::size_t>(std::sqrt(static_cast<double>(features))) : features / 3;
  GrowthLimits growth;
  growth.depth = limits::kDepth.most - 1;  // the root is a level too
  if (options.depth > 0) growth.depth = std::min(growth.depth, options.depth);
  growth.min_leaf = options.min_leaf;
  growth.features_per_split = std::clamp<std::size_t>(per_split, 1, features);
  return growth;
}

// The rows for which keep holds, with their leaves' ends.
template <class Keep>
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> filter_by_leaf(const std::vector<std::uint32_t>& rows,
                                                                                 const std::vector<std::uint32_t>& ends,
                                                                                 const Keep& keep) {
  std::vector<std::uint32_t> kept(rows.size()), kept_ends;
  kept_ends.reserve(ends.size());
  std::size_t from = 0, count = 0;
  for (const std::uint32_t end : ends) {
    for (; from < end; ++from) {
      kept[count] = rows[from];
      count += keep(rows[from]);
    }
    kept_ends.push_back(static_cast<std::uint32_t>(count));
  }
  kept.resize(count);
  kept.shrink_to_fit();
  return {std::move(kept), std::move(kept_ends)};
}

std::vector<std::uint32_t> leaf_ends(const std::vector<Node>& nodes, const std::vector<RowRange>& node_rows) {
  std::vector<std::uint32_t> ends((nodes.size() + 1) / 2);
  for (std::size_t node = 0; node < nodes.size(); ++node)
    if (nodes[node].is_leaf()) ends[nodes[node].leaf_id()] = node_rows[node].end;
  return ends;
}

void set_rows(Tree& tree, std::vector<std::uint32_t> rows, const std::vector<std::uint32_t>& ends) {
  tree.rows = std::move(rows);
  tree.node_rows.resize(tree.nodes.size());
  for (std::size_t index = tree.nodes.size(); index-- > 0;) {
    const Node& node = tree.nodes[index];
    if (node.is_leaf()) {
      const std::size_t leaf = node.leaf_id();
      tree.node_rows[index] = {leaf == 0 ? 0 : ends[leaf - 1], ends[leaf]};
    } else {
      const auto left = static_cast<std::size_t>(node.left);
      tree.node_rows[index] = {tree.node_rows[left].begin, tree.node_rows[left + 1].end};
    }
  }
}

template <class Criterion>
class ForestTrainer {
 public:
  using Entry = typename Criterion::Entry;

  ForestTrainer(const TrainingSet& data, const TrainOptions& options, const Criterion& criterion,
                std::span<const double> weights)
      : data_(data),
        options_(options),
        criterion_(criterion),
        weights_(weights),
        units_(data.codes.rows, data.groups),
        limits_(limits_of(data, options)),
        fallback_(overall_value()) {}

  GrownForest train(const Run& run) {
    const std::size_t features = data_.codes.columns.size();
    const bool numeric = data_.classes == 0;
    GrownForest grown;
    grown.forest = {std::vector<Tree>(options_.trees), features, numeric ? 1 : data_.classes,
                    std::vector<double>(features), std::vector<double>(features)};
    std::vector<std::vector<double>> importance(options_.trees), split_counts(options_.trees);
    OutOfBagSums votes(data_.codes.rows, grown.forest.outputs, numeric);
    parallel_for(options_.trees, run, [&](std::size_t index) {
      Result result = grow(index);
      grown.forest.trees[index] = std::move(result.tree);
      importance[index] = std::move(result.importance);
      split_counts[index] = std::move(result.split_counts);
      votes.add(index, std::move(result.votes));
    });
    for (std::size_t tree = 0; tree < options_.trees; ++tree)
      for (std::size_t feature = 0; feature < features; ++feature) {
        grown.forest.importance[feature] += importance[tree][feature];
        grown.forest.split_counts[feature] += split_counts[tree][feature];
      }
    normalise(grown.forest.importance);
    grown.out_of_bag = std::move(votes).means();
    grown.out_of_bag_score = out_of_bag_score(grown.out_of_bag, data_.outcome, numeric);
    return grown;
  }

 private:
  struct Result {
    Tree tree;
    std::vector<double> importance, split_counts;
    TreeVotes votes;
  };

  [[nodiscard]] bool counts(std::size_t row) const { return weights_.empty() || weights_[row] > 0; }

  [[nodiscard]] std::vector<double> overall_value() const {
    std::vector<Entry> entries;
    for (std::uint32_t row = 0; row < data_.codes.rows; ++row)
      if (counts(row)) entries.push_back(criterion_.entry(row, 1));
    std::vector<double> value;
    criterion_.append_value(criterion_.total(entries), value);
    return value;
  }

  static void normalise(std::vector<double>& importance) {
    const double sum = std::accumulate(importance.begin(), importance.end(), 0.0);
    if (!(sum > 0)) return;
    for (double& share : importance) share /= sum;
  }

  Result grow(std::size_t index) const {
    RandomStream random(options_.seed, Purpose::tree, index);
    const Draw draw = draw_units(units_, options_, random);
    std::vector<Entry> entries;         // the rows grown on
    std::vector<std::uint32_t> others;  // all rows left out, drawn ones without weight among them
    separate(draw, entries, others);
    BuiltTree built = build(entries, random);
    Result result;
    result.tree.nodes = std::move(built.nodes);
    result.tree.leaf_values = std::move(built.leaf_values);
    result.importance = std::move(built.importance);
    result.split_counts = std::move(built.split_counts);
    const RowOrder order = order_rows(result.tree.nodes, data_.codes.columns, std::move(others));
    const std::vector<std::uint32_t> ends = leaf_ends(result.tree.nodes, order.node_rows);
    std::tie(result.votes.rows, result.votes.leaf_ends) =
        filter_by_leaf(order.rows, ends, [&](std::uint32_t row) { return draw.times[units_.of_row(row)] == 0; });
    result.votes.leaf_values = result.tree.leaf_values;
    set_estimation_rows(result, draw, order.rows, ends, entries, built.leaf_ends);
    return result;
  }

  void separate(const Draw& draw, std::vector<Entry>& entries, std::vector<std::uint32_t>& others) const {
    const std::size_t rows = data_.codes.rows;
    entries.resize(rows);
    others.resize(rows);
    std::size_t grown_on = 0, left_out = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::uint32_t times = draw.times[units_.of_row(row)];
      const bool used = times > 0 && counts(row);
      entries[grown_on] = criterion_.entry(row, times);
      others[left_out] = row;
      grown_on += used;
      left_out += !used;
    }
    entries.resize(grown_on);
    others.resize(left_out);
  }

  BuiltTree build(std::vector<Entry>& entries, RandomStream& random) const {
    const std::size_t features = data_.codes.columns.size();
    if (entries.empty())  // every drawn row has weight 0: one leaf that says what all rows say
      return {{Node{}}, fallback_, {0}, std::vector<double>(features), std::vector<double>(features)};
    return TreeBuilder<Criterion>(criterion_, data_.codes.columns, limits_).build(entries, random);
  }

  void set_estimation_rows(Result& result, const Draw& draw, const std::vector<std::uint32_t>& others,
                           const std::vector<std::uint32_t>& other_ends, const std::vector<Entry>& entries,
                           const std::vector<std::uint32_t>& entry_ends) const {
    if (options_.estimation_rows == EstimationRows::oob) {
      set_rows(result.tree, result.votes.rows, result.votes.leaf_ends);
    } else if (options_.estimation_rows == EstimationRows::honest) {
      auto [rows, ends] =
          filter_by_leaf(others, other_ends, [&](std::uint32_t row) { return draw.held_out[units_.of_row(row)] != 0; });
      set_rows(result.tree, std::move(rows), ends);
    } else {
      merge_all(result.tree, others, other_ends, entries, entry_ends);
    }
  }

  // Both lists ascend within each leaf, and so does what they give.
  void merge_all(Tree& tree, const std::vector<std::uint32_t>& others, const std::vector<std::uint32_t>& other_ends,
                 const std::vector<Entry>& entries, const std::vector<std::uint32_t>& entry_ends) const {
    std::vector<std::uint32_t> rows(data_.codes.rows), ends(other_ends.size());
    std::size_t other = 0, entry = 0;
    for (std::size_t leaf = 0; leaf < ends.size(); ++leaf) {
      while (other < other_ends[leaf] && entry < entry_ends[leaf]) {
        const bool first = others[other] < entries[entry].row;
        rows[other + entry] = first ? others[other] : entries[entry].row;
        other += first;
        entry += !first;
      }
      for (; other < other_ends[leaf]; ++other) rows[other + entry] = others[other];
      for (; entry < entry_ends[leaf]; ++entry) rows[other + entry] = entries[entry].row;
      ends[leaf] = static_cast<std::uint32_t>(other + entry);
    }
    set_rows(tree, std::move(rows), ends);
  }

  const TrainingSet& data_;
  const TrainOptions& options_;
  const Criterion& criterion_;
  std::span<const double> weights_;
  SamplingUnits units_;
  GrowthLimits limits_;
  std::vector<double> fallback_;  // leaf value of a tree that has nothing to grow on
};

template <class Criterion>
GrownForest train_with(const Criterion& criterion, const TrainingSet& data, const TrainOptions& options,
                       std::span<const double> weights, const Run& run) {
  return ForestTrainer<Criterion>(data, options, criterion, weights).train(run);
}

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  return *middle;
}

}  // namespace

GrownForest train_forest(const TrainingSet& data, const TrainOptions& options, const Run& run) {
  check_training(data, options);
  const std::vector<double> weights = combined_weights(data, options);
  if (data.classes == 2 && weights.empty())
    return train_with(TwoClassCriterion(data.outcome), data, options, weights, run);
  if (data.classes > 0)
    return train_with(ClassCriterion(data.outcome, weights, data.classes), data, options, weights, run);
  return train_with(NumberCriterion(data.outcome, weights, median(data.outcome)), data, options, weights, run);
}

}  // namespace cfrules
