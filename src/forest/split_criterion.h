// What splits are judged by: Gini impurity for classes, variance for numbers. Each criterion says how a drawn row is
// stored (Entry), what is summed per code (Histogram) and over one side of a cut (Side), and how good a cut is.
//
// The score of a cut is, over both sides, the sum of squared class weights (or the squared sum of outcomes) divided by
// the side's weight. It differs from the impurity decrease times the node's weight by the node's own score only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cfrules {

inline constexpr std::size_t kByteCodes = 256;

// Two classes without weights: all integers, count and class 1 count summed in one addition.
class TwoClassCriterion {
 public:
  struct Entry {
    std::uint32_t row;
    std::uint32_t drawn;  // 2 * times drawn + class
  };
  struct Side {
    std::uint64_t packed = 0;  // times drawn in the upper half, those of class 1 in the lower

    [[nodiscard]] std::uint64_t count() const { return packed >> 32; }
    [[nodiscard]] std::uint64_t ones() const { return packed & 0xFFFFFFFF; }
  };
  class Histogram {
   public:
    explicit Histogram(const TwoClassCriterion&) {}
    void add(Entry entry, std::size_t code) { sums_[code] += packed(entry); }
    [[nodiscard]] bool occupied(std::size_t code) const { return sums_[code] != 0; }
    void clear(std::size_t code) { sums_[code] = 0; }
    void move_to(Side& side, std::size_t code) const { side.packed += sums_[code]; }

   private:
    std::array<std::uint64_t, kByteCodes> sums_{};
  };

  explicit TwoClassCriterion(std::span<const double> outcome) : outcome_(outcome) {}

  [[nodiscard]] Entry entry(std::uint32_t row, std::uint32_t times) const {
    return {row, 2 * times + static_cast<std::uint32_t>(outcome_[row])};
  }
  [[nodiscard]] Side nothing() const { return {}; }
  [[nodiscard]] Side total(std::span<const Entry> entries) const {
    Side side;
    for (const Entry entry : entries) side.packed += packed(entry);
    return side;
  }
  [[nodiscard]] bool pure(Side side) const { return side.ones() == 0 || side.ones() == side.count(); }
  [[nodiscard]] double score(Side side) const {
    const auto count = static_cast<double>(side.count());
    const auto ones = static_cast<double>(side.ones());
    return (ones * ones + (count - ones) * (count - ones)) / count;
  }
  [[nodiscard]] double score(Side total, Side left) const {
    return score(left) + score(Side{total.packed - left.packed});
  }
  void append_value(Side side, std::vector<double>& values) const {
    const auto count = static_cast<double>(side.count());
    values.push_back(static_cast<double>(side.count() - side.ones()) / count);
    values.push_back(static_cast<double>(side.ones()) / count);
  }

 private:
  static std::uint64_t packed(Entry entry) {
    const std::uint64_t times = entry.drawn >> 1;
    return times << 32 | (times & (std::uint64_t{0} - (entry.drawn & 1)));
  }

  std::span<const double> outcome_;
};

// Any number of classes, with or without weights (whole numbers in doubles are exact).
class ClassCriterion {
 public:
  struct Entry {
    std::uint32_t row;
    std::uint16_t cls;
    std::uint16_t times;
    double weight;  // times drawn included
  };
  struct Side {
    std::uint64_t drawn = 0;
    std::vector<double> weights;  // per class

    [[nodiscard]] std::uint64_t count() const { return drawn; }
  };
  class Histogram {
   public:
    explicit Histogram(const ClassCriterion& criterion)
        : classes_(criterion.classes_), drawn_(kByteCodes), weights_(kByteCodes * criterion.classes_) {}
    void add(const Entry& entry, std::size_t code) {
      drawn_[code] += entry.times;
      weights_[code * classes_ + entry.cls] += entry.weight;
    }
    [[nodiscard]] bool occupied(std::size_t code) const { return drawn_[code] != 0; }
    void clear(std::size_t code) {
      drawn_[code] = 0;
      std::fill_n(weights_.begin() + static_cast<std::ptrdiff_t>(code * classes_), classes_, 0.0);
    }
    void move_to(Side& side, std::size_t code) const {
      side.drawn += drawn_[code];
      for (std::size_t c = 0; c < classes_; ++c) side.weights[c] += weights_[code * classes_ + c];
    }

   private:
    std::size_t classes_;
    std::vector<std::uint64_t> drawn_;
    std::vector<double> weights_;
  };

  // weights: per row, empty if all are 1.
  ClassCriterion(std::span<const double> outcome, std::span<const double> weights, std::size_t classes)
      : outcome_(outcome), weights_(weights), classes_(classes) {}

  [[nodiscard]] Entry entry(std::uint32_t row, std::uint32_t times) const {
    const double weight = weights_.empty() ? 1.0 : weights_[row];
    return {row, static_cast<std::uint16_t>(outcome_[row]), static_cast<std::uint16_t>(times), weight * times};
  }
  [[nodiscard]] Side nothing() const { return {0, std::vector<double>(classes_)}; }
  [[nodiscard]] Side total(std::span<const Entry> entries) const {
    Side side = nothing();
    for (const Entry& entry : entries) {
      side.drawn += entry.times;
      side.weights[entry.cls] += entry.weight;
    }
    return side;
  }
  [[nodiscard]] bool pure(const Side& side) const {
    return std::count_if(side.weights.begin(), side.weights.end(), [](double weight) { return weight > 0; }) <= 1;
  }
  [[nodiscard]] double score(const Side& side) const {
    return score_of([&](std::size_t c) { return side.weights[c]; });
  }
  [[nodiscard]] double score(const Side& total, const Side& left) const {
    return score(left) + score_of([&](std::size_t c) { return total.weights[c] - left.weights[c]; });
  }
  void append_value(const Side& side, std::vector<double>& values) const {
    double sum = 0;
    for (const double weight : side.weights) sum += weight;
    for (const double weight : side.weights) values.push_back(weight / sum);
  }

 private:
  template <class WeightOf>
  double score_of(const WeightOf& weight_of) const {
    double sum = 0, squares = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      sum += weight_of(c);
      squares += weight_of(c) * weight_of(c);
    }
    return sum > 0 ? squares / sum : 0;
  }

  std::span<const double> outcome_;
  std::span<const double> weights_;
  std::size_t classes_;
};

// Numbers. Outcomes are taken relative to a middle one, so that a large common offset costs no precision.
class NumberCriterion {
 public:
  struct Entry {
    std::uint32_t row;
    std::uint32_t times;
    double weight;  // times drawn included
    double value;   // relative to the middle
  };
  struct Side {
    std::uint64_t drawn = 0;
    double weight = 0;
    double sum = 0;
    double low = std::numeric_limits<double>::infinity();  // range of the values; kept for whole nodes only
    double high = -std::numeric_limits<double>::infinity();

    [[nodiscard]] std::uint64_t count() const { return drawn; }
  };
  class Histogram {
   public:
    explicit Histogram(const NumberCriterion&) : bins_(kByteCodes) {}
    void add(const Entry& entry, std::size_t code) {
      Bin& bin = bins_[code];
      bin.drawn += entry.times;
      bin.weight += entry.weight;
      bin.sum += entry.weight * entry.value;
    }
    [[nodiscard]] bool occupied(std::size_t code) const { return bins_[code].drawn != 0; }
    void clear(std::size_t code) { bins_[code] = {}; }
    void move_to(Side& side, std::size_t code) const {
      side.drawn += bins_[code].drawn;
      side.weight += bins_[code].weight;
      side.sum += bins_[code].sum;
    }

   private:
    struct Bin {
      std::uint64_t drawn = 0;
      double weight = 0;
      double sum = 0;
    };
    std::vector<Bin> bins_;
  };

  NumberCriterion(std::span<const double> outcome, std::span<const double> weights, double middle)
      : outcome_(outcome), weights_(weights), middle_(middle) {}

  [[nodiscard]] Entry entry(std::uint32_t row, std::uint32_t times) const {
    const double weight = weights_.empty() ? 1.0 : weights_[row];
    return {row, times, weight * times, outcome_[row] - middle_};
  }
  [[nodiscard]] Side nothing() const { return {}; }
  [[nodiscard]] Side total(std::span<const Entry> entries) const {
    Side side;
    for (const Entry& entry : entries) {
      side.drawn += entry.times;
      side.weight += entry.weight;
      side.sum += entry.weight * entry.value;
      side.low = std::min(side.low, outcome_[entry.row]);
      side.high = std::max(side.high, outcome_[entry.row]);
    }
    return side;
  }
  [[nodiscard]] bool pure(const Side& side) const { return !(side.low < side.high); }
  [[nodiscard]] double score(const Side& side) const { return score_of(side.sum, side.weight); }
  [[nodiscard]] double score(const Side& total, const Side& left) const {
    return score(left) + score_of(total.sum - left.sum, total.weight - left.weight);
  }
  void append_value(const Side& side, std::vector<double>& values) const {
    values.push_back(std::clamp(middle_ + side.sum / side.weight, side.low, side.high));
  }

 private:
  static double score_of(double sum, double weight) { return weight > 0 ? sum * sum / weight : 0; }

  std::span<const double> outcome_;
  std::span<const double> weights_;
  double middle_;
};

}  // namespace cfrules
