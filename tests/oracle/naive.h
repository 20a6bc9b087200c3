// The slow obvious twin of the engine: real thresholds, all rows, all leaves, one level after the other. It shares no
// code with the engine beyond reading its trees and cuts, and exists to disagree with it.
//
// A value is a double: a category is its place in the order, missing is minus infinity, below everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "forest/grid.h"
#include "forest/tree.h"
#include "region/calibration.h"
#include "region/region.h"

namespace cfrules::naive {

// Closed on both ends.
struct Side {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

using Box = std::vector<Side>;

struct Region {
  Box sides;
  std::vector<bool> range;  // per feature: rows of `inside` must lie in it
};

struct Node {
  bool leaf = true;
  std::size_t feature = 0;
  double threshold = 0;  // values up to it go left
  std::size_t left = 0;
  std::size_t right = 0;
  std::vector<double> says;  // leaf: class shares, or the mean outcome
};

struct Tree {
  std::vector<Node> nodes;
  std::vector<std::size_t> rows;  // for estimation
};

struct Question {
  Region region;
  Estimator estimator = Estimator::paper;
  std::size_t min_rows = 1;
};

class Forest {
 public:
  // weights: empty for all 1.
  Forest(const cfrules::Forest& forest, const Grid& grid, const Table& table, std::span<const double> weights);

  [[nodiscard]] std::vector<double> point(std::span<const double> values) const;  // values as in Table
  [[nodiscard]] Side side(std::size_t feature, Interval codes) const;
  [[nodiscard]] Region region(const cfrules::Region& region) const;

  [[nodiscard]] std::size_t trees() const { return trees_.size(); }
  [[nodiscard]] std::vector<std::size_t> cell(std::size_t tree, const Question& question) const;  // ascending
  [[nodiscard]] double probability(const Question& question, std::span<const std::uint8_t> hits) const;
  [[nodiscard]] std::vector<double> row_weights(const Question& question) const;

  // What each tree says of a point.
  [[nodiscard]] std::vector<std::vector<double>> votes(const std::vector<double>& point) const;
  [[nodiscard]] const std::vector<double>& row(std::size_t row) const { return rows_[row]; }
  [[nodiscard]] double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

 private:
  [[nodiscard]] std::vector<std::size_t> rows_of_level(const Tree& tree, const Question& question,
                                                       std::size_t level) const;

  const Grid& grid_;
  std::vector<std::vector<double>> rows_;
  std::vector<double> weights_;
  std::vector<Tree> trees_;
};

// The target's probability at a point, from what the trees say there.
struct Reading {
  double raw = 0;
  double probability = 0;
};
[[nodiscard]] Reading read(const std::vector<std::vector<double>>& votes, const Target& target,
                           const CalibrationMap& map);

}  // namespace cfrules::naive
