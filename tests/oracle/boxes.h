// Every box of codes on a few features, one by one.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "forest/grid.h"

namespace cfrules::test {

using CodeBox = std::vector<Interval>;

inline void for_each_box(const Grid& grid, const std::vector<std::size_t>& features,
                         const std::function<void(const CodeBox&)>& visit, CodeBox box = {}) {
  if (box.size() == features.size()) return visit(box);
  const Code last = grid.last_code(features[box.size()]);
  box.push_back({});
  for (Code low = 1; low <= last; ++low)
    for (Code high = low; high <= last; ++high) {
      box.back() = {low, high};
      for_each_box(grid, features, visit, box);
    }
}

inline bool touch(const CodeBox& one, const CodeBox& other) {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i].high < other[i].low || other[i].high < one[i].low) return false;
  return true;
}

// Does some combination of codes of the box fulfil this?
inline bool any_cell(const CodeBox& box, const std::function<bool(const std::vector<Code>&)>& test,
                     std::vector<Code> cell = {}) {
  if (cell.size() == box.size()) return test(cell);
  const Interval side = box[cell.size()];
  cell.push_back(0);
  for (Code code = side.low; code <= side.high; ++code) {
    cell.back() = code;
    if (any_cell(box, test, cell)) return true;
  }
  return false;
}

}  // namespace cfrules::test
