#include <cassert>

#include "base/parallel.h"
#include "forest/trainer.h"

namespace cfrules {

ByteColumns byte_codes(const Grid& grid, const Table& table, const Run& run) {
  ByteColumns result{table.rows(), std::vector<std::vector<std::uint8_t>>(table.features())};
  parallel_for(table.features(), {run.threads, run.stop, {}}, [&](std::size_t feature) {
    assert(grid.last_code(feature) <= 255);
    const std::span<const double> column = table.column(feature);
    std::vector<std::uint8_t>& codes = result.columns[feature];
    codes.resize(column.size());
    for (std::size_t row = 0; row < column.size(); ++row)
      codes[row] = static_cast<std::uint8_t>(grid.code(feature, column[row]));
  });
  return result;
}

}  // namespace cfrules
