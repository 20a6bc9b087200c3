// What the training rows of each code look like: its least, middle and greatest position (Grid::position).
#pragma once

#include <cstddef>
#include <vector>

#include "cfrules/code.h"
#include "cfrules/run.h"
#include "cfrules/table.h"
#include "forest/grid.h"

namespace cfrules {

class CodeValues {
 public:
  CodeValues(const Grid& grid, const Table& rows, const Run& run = {});

  // NaN where no training row has the code (and for missing).
  [[nodiscard]] double least(std::size_t feature, Code code) const { return codes_[feature][code].least; }
  [[nodiscard]] double greatest(std::size_t feature, Code code) const { return codes_[feature][code].greatest; }
  // The lower median; without training rows some position inside the code. Never decreases from code 1 on.
  [[nodiscard]] double middle(std::size_t feature, Code code) const { return codes_[feature][code].middle; }
  [[nodiscard]] std::size_t count(std::size_t feature, Code code) const { return codes_[feature][code].count; }

  // Over the codes of a side; NaN where it holds no training row.
  [[nodiscard]] double least_within(std::size_t feature, Interval side) const;
  [[nodiscard]] double greatest_within(std::size_t feature, Interval side) const;

 private:
  struct Positions {
    double least, middle, greatest;
    std::size_t count;
  };

  std::vector<std::vector<Positions>> codes_;  // by feature and code, missing included
};

}  // namespace cfrules
