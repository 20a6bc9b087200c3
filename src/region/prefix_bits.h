// For every feature and code a bit per row: is its code at most this one? The rows of a box are then a few ANDs,
// whatever the box is, and only of the lines of words that may have a bit at all: another few ANDs tell which. Memory
// grows with rows times codes; where it does not suffice, only codes that boxes often end at have a row of bits, and the
// ANDs leave some rows too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/run.h"
#include "forest/tree.h"
#include "kernels/bit_rows.h"
#include "kernels/bits.h"

namespace cfrules {

struct CodeSide {
  std::size_t feature;
  Interval codes;
};

// What boxes will be asked about.
struct AskedSides {
  std::vector<double> features;           // how often they have a side on each; empty: equally often
  std::vector<std::vector<double>> ends;  // per feature and code, how often a side ends behind it; none: equally often
};

class PrefixBits {
 public:
  PrefixBits() = default;
  // order: the row at each place; last: the last code of each feature.
  PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last,
             const AskedSides& asked, std::size_t most_bytes, const Run& run);

  // Room for a question; kept by whoever asks many.
  struct Scratch {
    std::vector<const std::uint64_t*> within;
    std::vector<const std::uint64_t*> without;
    std::vector<std::uint64_t> lines;  // that may hold rows of the box
  };
  // The words with rows of a box, and those whose codes on undecided sides lie as near to it as the next row of bits. members: the
  // places that count at all, or empty: all.
  [[nodiscard]] std::size_t find(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                 Scratch& scratch, WordRoom to) const;
  // Of some rows those that lie on these sides too, as far as they are decided.
  [[nodiscard]] std::size_t keep(std::span<const CodeSide> sides, const PlacedWords& from, Scratch& scratch,
                                 WordRoom to) const;
  // Whether every code has its row of bits, so that all sides are decided.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] bool decides(const CodeSide& side) const {
    const Feature& feature = features_[side.feature];
    return (side.codes.low == 0 || has_row(feature, side.codes.low - 1u)) &&
           (side.codes.high >= feature.last || has_row(feature, side.codes.high));
  }

 private:
  struct Feature {
    Code last = 0;
    std::uint8_t line_shift = 0;  // codes that share their lines, as a power of two
    std::size_t begin = 0;        // its first row of bits
    std::size_t rows = 0;         // how many it has; the last is of its last code
    std::size_t first_code = 0;   // where its part of row_of_ begins
    std::size_t first_line = 0;   // where its part of lines_ begins

    [[nodiscard]] std::size_t line_code(Code code) const { return code >> line_shift; }
  };

  void choose_rows(const AskedSides& asked, std::size_t most_rows);
  // The first row of bits that the code has a bit in: of the code itself, or of one above it.
  [[nodiscard]] std::size_t row_of(const Feature& feature, std::size_t code) const {
    return row_of_[feature.first_code + code];
  }
  [[nodiscard]] bool has_row(const Feature& feature, std::size_t code) const {
    return row_of(feature, code) != row_of(feature, code + 1);
  }
  void set_line(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::size_t begin);
  void make_line_table();
  void complete_line_table();
  [[nodiscard]] CommonBits rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                   Scratch& scratch) const;
  void find_lines(std::span<const CodeSide> box, Scratch& scratch) const;
  [[nodiscard]] bool is_empty(std::span<const CodeSide> box) const;
  [[nodiscard]] const std::uint64_t* up_to(const Feature& feature, std::size_t row) const {
    return bits_.data() + (feature.begin + row) * stride_;
  }

  std::size_t words_ = 0;
  std::size_t stride_ = 0;  // words from one row of bits to the next
  bool exact_ = true;
  std::vector<Feature> features_;
  std::vector<std::uint16_t> row_of_;  // per feature and code
  BitRows bits_;
  std::size_t line_words_ = 0;  // of a bit per line
  // Per feature and code, so many words each: lines with a row whose code is at most this one, then those with one
  // whose code is at least this one.
  std::vector<std::uint64_t> lines_;
};

}  // namespace cfrules
