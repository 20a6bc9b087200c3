// How the parts of a model lie in their sections: each pair writes and reads one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forest/grid.h"
#include "forest/tree.h"
#include "io/byte_reader.h"
#include "io/byte_writer.h"
#include "io/tree_check.h"

namespace cfrules {

void write_grid(ByteWriter& out, const Grid& grid);
[[nodiscard]] Grid read_grid(ByteReader& in, std::size_t features);

// Codes lie in blocks of this many rows, one section each.
inline constexpr std::size_t kRowsPerBlock = 65536;

// One byte per code if no code of the grid needs two.
void write_codes(ByteWriter& out, const CodeMatrix& codes, std::size_t block, const Grid& grid);
void read_codes(ByteReader& in, CodeMatrix& codes, std::size_t block, const Grid& grid);

// rows: of the table; 0 for trees without rows.
void write_tree(ByteWriter& out, const Tree& tree, std::size_t rows);
// Checked in all respects.
[[nodiscard]] Tree read_tree(ByteReader& in, TreeChecker& checker, std::size_t index, std::size_t rows,
                             std::size_t outputs);

}  // namespace cfrules
