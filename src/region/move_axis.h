// One axis of a grid of moves: the places a person may be moved to on one feature.
//
// In: a feature's codes. Out: bins of neighbouring codes, each read at one code (and at one position by the isolation
// forest: the median training position of that code). Full axes have a bin per code; coarse ones keep grids of three
// and more features small. Shared by all people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cfrules/code.h"
#include "forest/code_values.h"
#include "forest/grid.h"
#include "forest/isolation_forest.h"
#include "kernels/box_sums.h"

namespace cfrules {

class MoveAxis {
 public:
  // At most max_bins bins of about equally many training rows.
  MoveAxis(std::size_t feature, const Grid& grid, const CodeValues& values, const IsolationForest& inliers,
           std::size_t max_bins);

  // A bin for each of these codes, ascending, and nothing else.
  MoveAxis(std::size_t feature, std::vector<Code> codes, const Grid& grid, const CodeValues& values,
           const IsolationForest& inliers);

  [[nodiscard]] std::size_t feature() const { return feature_; }
  [[nodiscard]] std::size_t size() const { return bins_.size(); }
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] Interval codes(std::size_t bin) const { return bins_[bin]; }
  [[nodiscard]] Interval codes(std::size_t first, std::size_t last) const {
    return {bins_[first].low, bins_[last].high};
  }
  [[nodiscard]] Code read_at(std::size_t bin) const { return read_at_[bin]; }
  [[nodiscard]] std::size_t bin_of(Code code) const { return bin_of_[code]; }  // code >= 1

  // Bins read at a code inside part.
  [[nodiscard]] BoxSide of_codes(Interval part) const {
    return {first_read_from_[part.low], first_read_from_[part.high + 1]};
  }
  [[nodiscard]] BoxSide of_isolation_codes(Interval part) const {
    return {first_isolation_from_[part.low], first_isolation_from_[part.high + 1]};
  }
  // The same as tables: bins read at codes [low, high] are [from[low], from[high + 1]).
  [[nodiscard]] const std::uint16_t* from_code() const { return first_read_from_.data(); }
  [[nodiscard]] const std::uint16_t* from_isolation_code() const { return first_isolation_from_.data(); }
  // Everything the isolation trees can meet on this axis: from the least to the greatest place.
  [[nodiscard]] Interval isolation_side() const { return {isolation_at_.front(), isolation_at_.back()}; }

 private:
  void index_bins(const Grid& grid, const CodeValues& values, const IsolationForest& inliers);

  std::size_t feature_;
  bool full_;
  std::vector<Interval> bins_;
  std::vector<Code> read_at_;
  std::vector<Code> isolation_at_;
  std::vector<std::uint32_t> bin_of_;                // per code
  std::vector<std::uint16_t> first_read_from_;       // per code: first bin read at this code or above
  std::vector<std::uint16_t> first_isolation_from_;  // the same for the isolation forest's codes
};

}  // namespace cfrules
