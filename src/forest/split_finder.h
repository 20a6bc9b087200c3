// The best split of one node over a random choice of features, from histograms of codes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/send_for.h"
#include "cfrules/code.h"
#include "forest/split_criterion.h"

namespace cfrules {

struct Split {
  std::size_t feature = 0;
  Code cut = 0;
  double score = 0;
};

// The cut in the middle of a gap of codes without rows. Missing is no place on the axis: it is parted from all values.
[[nodiscard]] inline Code middle_cut(std::size_t below, std::size_t above) {
  return static_cast<Code>(below == kMissing ? 0 : below + (above - 1 - below) / 2);
}

// One per tree being grown: keeps the order of the features from node to node and the histograms' memory.
template <class Criterion>
class SplitFinder {
 public:
  using Entry = typename Criterion::Entry;
  using Side = typename Criterion::Side;
  using Columns = std::vector<std::vector<std::uint8_t>>;

  SplitFinder(const Criterion& criterion, const Columns& columns, std::size_t features_per_split, std::size_t min_leaf)
      : criterion_(criterion),
        columns_(columns),
        features_per_split_(features_per_split),
        min_leaf_(min_leaf),
        order_(columns.size()),
        histograms_(kBlock, typename Criterion::Histogram(criterion)) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  // Features are drawn without replacement: the first features_per_split, then one at a time until a cut leaves
  // min_leaf on both sides. Largest score; ties: the first feature, the lowest cut. Nothing if no cut does.
  [[nodiscard]] std::optional<Split> find(std::span<const Entry> entries, const Side& total, RandomStream& random) {
    best_.reset();
    std::size_t tried = 0;
    while (tried < features_per_split_) {
      const std::size_t block = std::min(kBlock, features_per_split_ - tried);
      for (std::size_t i = tried; i < tried + block; ++i) draw_feature(i, random);
      judge(tried, block, entries, total);
      tried += block;
    }
    while (!best_ && tried < order_.size()) {
      draw_feature(tried, random);
      judge(tried++, 1, entries, total);
    }
    return best_;
  }

 private:
  static constexpr std::size_t kBlock = 4;        // histograms filled side by side: a row is read once for all of them
  static constexpr std::size_t kSmallNode = 128;  // entries; below, only the codes that occur are visited
  static constexpr std::size_t kAhead = 32;       // entries between asking for a code and using it

  void draw_feature(std::size_t place, RandomStream& random) {
    std::swap(order_[place], order_[place + random.below(order_.size() - place)]);
  }

  void judge(std::size_t first, std::size_t block, std::span<const Entry> entries, const Side& total) {
    if (entries.size() < kSmallNode) {
      for (std::size_t i = 0; i < block; ++i) judge_small(order_[first + i], entries, total);
      return;
    }
    switch (block) {
      case 4:
        fill<4>(first, entries);
        break;
      case 3:
        fill<3>(first, entries);
        break;
      case 2:
        fill<2>(first, entries);
        break;
      default:
        fill<1>(first, entries);
    }
    for (std::size_t i = 0; i < block; ++i) {
      std::size_t count = 0;
      for (std::size_t code = 0; code < kByteCodes; ++code) {
        occupied_[count] = static_cast<std::uint8_t>(code);
        count += histograms_[i].occupied(code);
      }
      judge_histogram(order_[first + i], histograms_[i], count, total);
    }
  }

  template <std::size_t kFeatures>
  void fill(std::size_t first, std::span<const Entry> entries) {
    std::array<const std::uint8_t*, kFeatures> codes;
    for (std::size_t i = 0; i < kFeatures; ++i) codes[i] = columns_[order_[first + i]].data();
    typename Criterion::Histogram* const histograms = histograms_.data();
    const auto add = [&](const Entry& entry) {
      for (std::size_t i = 0; i < kFeatures; ++i) histograms[i].add(entry, codes[i][entry.row]);
    };
    // Deep in a tree the rows of a node lie far apart, and every code is a cache miss unless it is asked for early.
    const std::size_t ahead = entries.size() - kAhead;  // a small node never comes here
    for (std::size_t at = 0; at < ahead; ++at) {
      for (std::size_t i = 0; i < kFeatures; ++i) send_for(codes[i] + entries[at + kAhead].row);
      add(entries[at]);
    }
    for (const Entry& entry : entries.subspan(ahead)) add(entry);
  }

  void judge_small(std::size_t feature, std::span<const Entry> entries, const Side& total) {
    const std::uint8_t* const codes = columns_[feature].data();
    std::array<std::uint64_t, kByteCodes / 64> present{};
    for (const Entry& entry : entries) {
      const std::size_t code = codes[entry.row];
      histograms_[0].add(entry, code);
      present[code / 64] |= std::uint64_t{1} << code % 64;
    }
    std::size_t count = 0;
    for (std::size_t word = 0; word < present.size(); ++word)
      for (std::uint64_t bits = present[word]; bits != 0; bits &= bits - 1)
        occupied_[count++] = static_cast<std::uint8_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    judge_histogram(feature, histograms_[0], count, total);
  }

  // Looks at every cut between neighbours among the occupied codes, and leaves the histogram empty.
  void judge_histogram(std::size_t feature, typename Criterion::Histogram& histogram, std::size_t occupied,
                       const Side& total) {
    Side left = criterion_.nothing();
    for (std::size_t i = 0; i + 1 < occupied; ++i) {
      histogram.move_to(left, occupied_[i]);
      if (left.count() < min_leaf_) continue;
      if (total.count() - left.count() < min_leaf_) break;
      consider(feature, occupied_[i], occupied_[i + 1], criterion_.score(total, left));
    }
    for (std::size_t i = 0; i < occupied; ++i) histogram.clear(occupied_[i]);
  }

  void consider(std::size_t feature, std::size_t below, std::size_t above, double score) {
    if (best_ && (score < best_->score || (score == best_->score && feature >= best_->feature))) return;
    best_ = {feature, middle_cut(below, above), score};
  }

  const Criterion& criterion_;
  const Columns& columns_;
  std::size_t features_per_split_;
  std::size_t min_leaf_;
  std::vector<std::size_t> order_;
  std::vector<typename Criterion::Histogram> histograms_;
  std::array<std::uint8_t, kByteCodes + 1> occupied_{};
  std::optional<Split> best_;
};

}  // namespace cfrules
