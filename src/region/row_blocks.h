// Training rows laid out for counting: sorted so that neighbours are alike, in blocks of 64, their codes feature after
// feature.
//
// In: the codes of all rows. Out: for a box, how many rows, and how many of a marked kind. The cost grows with the
// lines of blocks the box touches, not with the rows there are. PrefixBits tell which these are and what lies in them;
// where the table is too large for them to tell every code apart, the codes of what they leave are compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "cfrules/run.h"
#include "forest/tree.h"
#include "kernels/bit_rows.h"
#include "kernels/bits.h"
#include "region/prefix_bits.h"

namespace cfrules {

// A flag per row, in the order of the blocks.
using RowMarks = BitRows;

// Rows of a box: the blocks that hold some, and which of their rows.
struct FoundRows {
  std::vector<std::uint32_t> blocks;  // room for all blocks there are, and to spare
  std::vector<std::uint64_t> masks;
  std::size_t size = 0;  // so many blocks

  [[nodiscard]] PlacedWords words() const { return {std::span(blocks).first(size), std::span(masks).first(size)}; }
  [[nodiscard]] WordRoom room() { return {blocks, masks}; }
};

// Room for a question and its answer; kept by whoever asks many.
struct BlockScratch {
  FoundRows found;     // rows of the box last counted
  FoundRows narrower;  // those of them that were last asked about
  std::vector<std::pair<float, BlockSide>> ranked;  // sides by their share of the codes
  std::vector<BlockSide> sides;
  PrefixBits::Scratch prefix;

  // From now on the narrower rows are the found ones.
  void accept_narrower() { std::swap(found, narrower); }
};

class RowBlocks {
 public:
  RowBlocks(const CodeMatrix& codes, const AskedSides& asked, const Run& run = {},
            std::size_t most_prefix_bytes = std::size_t{1} << 26);

  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  // Whether counting takes so long that a guess before it pays.
  [[nodiscard]] bool large() const { return !prefix_.exact(); }
  // How many rows a box would hold if features had nothing to do with each other.
  [[nodiscard]] double expected(std::span<const CodeSide> box) const;
  [[nodiscard]] RowMarks mark(std::span<const std::uint8_t> flags) const;
  [[nodiscard]] RowMarks mark_rows(std::span<const std::uint32_t> rows) const;

  // members: the rows that count at all; empty: every row.
  [[nodiscard]] BitCounts count(std::span<const CodeSide> box, const RowMarks& members, const RowMarks& marks,
                                BlockScratch& scratch) const;
  // Of the rows found, those that lie on these sides too, which is quicker: other blocks hold none.
  [[nodiscard]] BitCounts narrow(std::span<const CodeSide> sides, const RowMarks& marks, BlockScratch& scratch) const;
  void list(const FoundRows& found, std::vector<std::uint32_t>& rows) const;
  // All rows of a box, ascending.
  [[nodiscard]] std::vector<std::uint32_t> rows_in(std::span<const CodeSide> box) const;
  [[nodiscard]] std::vector<std::uint32_t> rows_in(std::span<const Condition> rule) const;  // by their codes

 private:
  void split(const CodeMatrix& codes, std::span<const double> asked, std::size_t begin, std::size_t end,
             const Run& run);
  [[nodiscard]] double spread(const CodeMatrix& codes, std::size_t feature, std::size_t begin, std::size_t end) const;
  void copy_codes(const CodeMatrix& codes, const Run& run);
  void read_shares(const CodeMatrix& codes);
  template <class Visit>
  void visit(const FoundRows& found, const Visit& visit) const;
  void read_undecided(std::span<const CodeSide> box, BlockScratch& scratch) const;
  void keep_inside(std::span<const CodeSide> box, FoundRows& rows, BlockScratch& scratch) const;

  std::size_t rows_;
  std::size_t features_;
  std::size_t blocks_;
  bool wide_ = false;                 // codes need two bytes
  std::vector<std::uint32_t> order_;  // row at each place
  std::vector<Code> last_;            // per feature
  std::vector<std::vector<double>> below_;  // per feature and code, the share of rows below it; then 1
  RowMarks all_;                      // the last block may be short
  std::vector<std::uint8_t, LineAllocator<std::uint8_t>> bytes_;  // codes, feature after feature
  std::vector<std::uint16_t, LineAllocator<std::uint16_t>> words_;
  PrefixBits prefix_;
};

}  // namespace cfrules
