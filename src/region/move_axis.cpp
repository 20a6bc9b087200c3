#include "region/move_axis.h"

#include <algorithm>

namespace cfrules {

namespace {

std::vector<std::uint16_t> first_from(const std::vector<Code>& at, std::size_t last_code) {
  std::vector<std::uint16_t> first;
  for (std::size_t code = 0; code <= last_code + 1; ++code)
    first.push_back(static_cast<std::uint16_t>(std::lower_bound(at.begin(), at.end(), code) - at.begin()));
  return first;
}

// The code that holds the middle training row of the bin.
Code middle_code(std::size_t feature, Interval bin, const CodeValues& values) {
  std::size_t rows = 0;
  for (Code code = bin.low; code <= bin.high; ++code) rows += values.count(feature, code);
  std::size_t below = 0;
  for (Code code = bin.low; code < bin.high; ++code) {
    below += values.count(feature, code);
    if (2 * below >= rows && rows > 0) return code;
  }
  return rows > 0 ? bin.high : static_cast<Code>((bin.low + bin.high) / 2);
}

}  // namespace

MoveAxis::MoveAxis(std::size_t feature, const Grid& grid, const CodeValues& values, const IsolationForest& inliers,
                   std::size_t max_bins)
    : feature_(feature), full_(grid.last_code(feature) <= max_bins) {
  const Code last = grid.last_code(feature);
  std::size_t rows = 0;
  for (Code code = 1; code <= last; ++code) rows += values.count(feature, code);
  std::size_t seen = 0;
  Interval bin{1, 1};
  for (Code code = 1; code <= last; ++code) {
    seen += values.count(feature, code);
    bin.high = code;
    const bool enough = seen * max_bins >= rows * (bins_.size() + 1);
    if (full_ || code == last || (enough && bins_.size() + 1 < max_bins)) {
      bins_.push_back(bin);
      bin.low = static_cast<Code>(code + 1);
    }
  }
  for (const Interval& each : bins_) read_at_.push_back(middle_code(feature, each, values));
  index_bins(grid, values, inliers);
}

MoveAxis::MoveAxis(std::size_t feature, std::vector<Code> codes, const Grid& grid, const CodeValues& values,
                   const IsolationForest& inliers)
    : feature_(feature), full_(codes.size() == grid.last_code(feature)), read_at_(std::move(codes)) {
  for (const Code code : read_at_) bins_.push_back({code, code});
  index_bins(grid, values, inliers);
}

void MoveAxis::index_bins(const Grid& grid, const CodeValues& values, const IsolationForest& inliers) {
  const Code last = grid.last_code(feature_);
  bin_of_.assign(last + 1u, 0);
  for (std::size_t index = 0; index < bins_.size(); ++index) {
    for (Code code = bins_[index].low; code <= bins_[index].high; ++code)
      bin_of_[code] = static_cast<std::uint32_t>(index);
    isolation_at_.push_back(inliers.cuts().code_of_position(feature_, values.middle(feature_, read_at_[index])));
  }
  first_read_from_ = first_from(read_at_, last);
  first_isolation_from_ = first_from(isolation_at_, inliers.cuts().last_code(feature_));
}

}  // namespace cfrules
