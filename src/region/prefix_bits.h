// For every feature and code a bit per row: is its code at most this one? The rows of a box are then a few ANDs,
// whatever the box is, and only of the lines of words that may have a bit at all: another few ANDs tell which. Memory
// grows with rows times codes; where it does not suffice, neighbouring codes share a row of bits, and the ANDs leave
// some rows too many.
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

class PrefixBits {
 public:
  PrefixBits() = default;
  // order: the row at each place; last: the last code of each feature; asked: per feature how often boxes have a side
  // on it (empty: equally often), which keeps its codes apart the longer.
  PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last,
             std::span<const double> asked, std::size_t most_bytes, const Run& run);

  // Room for a question; kept by whoever asks many.
  struct Scratch {
    std::vector<const std::uint64_t*> within;
    std::vector<const std::uint64_t*> without;
    std::vector<std::uint64_t> lines;  // that may hold rows of the box
  };
  // The words with rows of a box, and those whose codes on undecided sides share bits with its ends. members: the
  // places that count at all, or empty: all.
  [[nodiscard]] std::size_t find(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                 Scratch& scratch, WordRoom to) const;
  // Of some rows those that lie on these sides too, as far as they are decided.
  [[nodiscard]] std::size_t keep(std::span<const CodeSide> sides, const PlacedWords& from, Scratch& scratch,
                                 WordRoom to) const;
  // Whether no code shares its bits, so that all sides are decided.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] bool decides(const CodeSide& side) const {
    const Feature& feature = features_[side.feature];
    const unsigned within = (1u << feature.shift) - 1;
    return (side.codes.low & within) == 0 &&
           ((side.codes.high & within) == within || side.codes.high >= feature.last);
  }

 private:
  struct Feature {
    Code last = 0;
    std::uint8_t shift = 0;       // codes that share a row of bits, as a power of two
    std::uint8_t line_shift = 0;  // and those that share their lines
    std::size_t begin = 0;        // its first row of bits
    std::size_t first_line = 0;   // where its part of lines_ begins

    [[nodiscard]] std::size_t coarse(Code code) const { return code >> shift; }
    [[nodiscard]] std::size_t line_code(Code code) const { return code >> line_shift; }
    [[nodiscard]] std::size_t last_row() const { return coarse(last); }
  };

  void share_rows(std::span<const double> asked, std::size_t most_rows);
  void set_line(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::size_t begin);
  void make_line_table();
  void complete_line_table();
  [[nodiscard]] CommonBits rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                   Scratch& scratch) const;
  void find_lines(std::span<const CodeSide> box, std::vector<std::uint64_t>& lines) const;
  [[nodiscard]] bool is_empty(std::span<const CodeSide> box) const;
  [[nodiscard]] const std::uint64_t* up_to(const Feature& feature, std::size_t coarse_code) const {
    return bits_.data() + (feature.begin + coarse_code) * stride_;
  }

  std::size_t words_ = 0;
  std::size_t stride_ = 0;  // words from one row of bits to the next
  bool exact_ = true;
  std::vector<Feature> features_;
  BitRows bits_;
  std::size_t line_words_ = 0;  // of a bit per line
  // Per feature and code, so many words each: lines with a row whose code is at most this one, then those with one
  // whose code is at least this one.
  std::vector<std::uint64_t> lines_;
};

}  // namespace cfrules
