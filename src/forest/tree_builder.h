// Grows one tree depth first, left before right, so that leaves are numbered and rows ordered from left to right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cfrules/error.h"
#include "forest/row_order.h"
#include "forest/split_finder.h"
#include "forest/trainer.h"

namespace cfrules {

struct BuiltTree {
  std::vector<Node> nodes;
  std::vector<double> leaf_values;
  std::vector<std::uint32_t> leaf_ends;  // per leaf: where its entries end, now that they are ordered by leaf
  std::vector<double> importance;        // per feature: impurity decrease times weight
  std::vector<double> split_counts;      // per feature
};

struct GrowthLimits {
  std::size_t depth = std::numeric_limits<std::size_t>::max();
  std::size_t min_leaf = 1;
  std::size_t features_per_split = 1;
  std::stop_token stop;  // asked at every node: one tree on many rows takes long
};

template <class Criterion>
class TreeBuilder {
 public:
  using Entry = typename Criterion::Entry;
  using Columns = std::vector<std::vector<std::uint8_t>>;

  TreeBuilder(const Criterion& criterion, const Columns& columns, const GrowthLimits& limits)
      : criterion_(criterion),
        columns_(columns),
        limits_(limits),
        finder_(criterion, columns, limits.features_per_split, limits.min_leaf) {}

  // entries: the drawn rows, at least one, in ascending order; they are reordered by leaf.
  [[nodiscard]] BuiltTree build(std::span<Entry> entries, RandomStream& random) {
    entries_ = entries;
    scratch_.resize(entries.size());
    tree_ = {{Node{}}, {}, {}, std::vector<double>(columns_.size()), std::vector<double>(columns_.size())};
    pending_ = {{0, 0, entries.size(), 0}};
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      if (limits_.stop.stop_requested()) throw Interrupted();
      grow(next, random);
    }
    return std::move(tree_);
  }

 private:
  struct Pending {
    std::size_t node, begin, end, depth;
  };

  void grow(const Pending& here, RandomStream& random) {
    const std::span<Entry> part = entries_.subspan(here.begin, here.end - here.begin);
    const auto total = criterion_.total(part);
    const bool stop = here.depth >= limits_.depth || total.count() < 2 * limits_.min_leaf || criterion_.pure(total);
    const std::optional<Split> split = stop ? std::nullopt : finder_.find(part, total, random);
    if (!split) {
      tree_.nodes[here.node].left = ~static_cast<std::int32_t>(tree_.leaf_ends.size());
      tree_.leaf_ends.push_back(static_cast<std::uint32_t>(here.end));
      criterion_.append_value(total, tree_.leaf_values);
      return;
    }
    tree_.importance[split->feature] += std::max(0.0, split->score - criterion_.score(total));
    ++tree_.split_counts[split->feature];
    divide(here, *split, part);
  }

  void divide(const Pending& here, const Split& split, std::span<Entry> part) {
    const std::uint8_t* const codes = columns_[split.feature].data();
    const Code cut = split.cut;
    const std::size_t middle =
        here.begin + partition_rows(part, scratch_.data(), [&](const Entry& entry) { return codes[entry.row] <= cut; });
    const std::size_t left = tree_.nodes.size();
    tree_.nodes[here.node] = {static_cast<std::int32_t>(left), static_cast<std::uint16_t>(split.feature), cut};
    tree_.nodes.resize(left + 2);
    pending_.push_back({left + 1, middle, here.end, here.depth + 1});
    pending_.push_back({left, here.begin, middle, here.depth + 1});
  }

  const Criterion& criterion_;
  const Columns& columns_;
  GrowthLimits limits_;
  SplitFinder<Criterion> finder_;
  std::span<Entry> entries_;
  std::vector<Entry> scratch_;
  std::vector<Pending> pending_;
  BuiltTree tree_;
};

}  // namespace cfrules
