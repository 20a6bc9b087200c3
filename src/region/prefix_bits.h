// For every feature and code a bit per row: is its code at most this one? The rows of a box are then a few ANDs,
// whatever the box is, and only of the lines of words that may have a bit at all: another few ANDs tell which. Memory
// grows with rows times codes, so this is for tables of moderate size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"
#include "kernels/bit_rows.h"
#include "kernels/bits.h"

namespace cfrules {

struct CodeSide {
  std::size_t feature;
  Interval codes;
};

class PrefixBits {
 public:
  // order: the row at each place; last: the last code of each feature.
  PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last);
  [[nodiscard]] static std::size_t bytes(std::size_t rows, std::span<const Code> last);

  // Room for a question; kept by whoever asks many.
  struct Scratch {
    std::vector<const std::uint64_t*> within;
    std::vector<const std::uint64_t*> without;
    std::vector<std::uint64_t> lines;  // that may hold rows of the box
  };
  // The words with rows of a box. members: the places that count at all, or empty: all.
  [[nodiscard]] std::size_t find(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                 Scratch& scratch, WordRoom to) const;
  // Of some rows those that lie on these sides too.
  [[nodiscard]] std::size_t keep(std::span<const CodeSide> sides, const PlacedWords& from, Scratch& scratch,
                                 WordRoom to) const;

 private:
  // Lines with a row whose code is at most this one, and with one whose code is at least this one.
  struct Lines {
    std::uint64_t up_to = 0;
    std::uint64_t from = 0;
  };

  void note_lines(const CodeMatrix& codes, std::span<const std::uint32_t> order);
  [[nodiscard]] CommonBits rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                   Scratch& scratch) const;
  void find_lines(std::span<const CodeSide> box, std::vector<std::uint64_t>& lines) const;
  [[nodiscard]] bool is_empty(std::span<const CodeSide> box) const;
  [[nodiscard]] const std::uint64_t* up_to(std::size_t feature, Code code) const {
    return bits_.data() + (begins_[feature] + code) * stride_;
  }

  std::size_t words_;
  std::size_t stride_;               // words from one row of bits to the next
  std::vector<std::size_t> begins_;  // per feature: its first row of bits
  std::vector<Code> last_;
  BitRows bits_;
  std::size_t line_words_;    // of a bit per line
  std::vector<Lines> lines_;  // per feature and code, so many each
};

}  // namespace cfrules
