#include "region/row_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "base/parallel.h"

namespace cfrules {

namespace {

constexpr Code kMostInByte = 0xFF;
constexpr std::size_t kLineRows = kLineWords * kBlockRows;  // have their bits on one cache line
constexpr std::size_t kSidesAtOnce = 4;                     // then blocks without a row are left out

void set_bit(std::span<std::uint64_t> words, std::size_t bit) {
  words[bit / kWordBits] |= std::uint64_t{1} << bit % kWordBits;
}

}  // namespace

RowBlocks::RowBlocks(const CodeMatrix& codes, const AskedSides& asked, const Run& run,
                     std::size_t most_prefix_bytes)
    : rows_(codes.rows),
      features_(codes.features),
      blocks_(words_of_bits(codes.rows)),
      order_(codes.rows),
      last_(codes.features, 0) {
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t feature = 0; feature < features_; ++feature)
      last_[feature] = std::max(last_[feature], codes.at(row, feature));
  wide_ = std::any_of(last_.begin(), last_.end(), [](Code code) { return code > kMostInByte; });
  std::iota(order_.begin(), order_.end(), 0u);
  all_ = mark(std::vector<std::uint8_t>(rows_, 1));
  split(codes, asked.features, 0, rows_, run);
  copy_codes(codes, run);
  read_shares(codes);
  prefix_ = PrefixBits(codes, order_, last_, asked, most_prefix_bytes, run);
}

// How far the middle of some rows reaches on a feature, as a share of its codes.
double RowBlocks::spread(const CodeMatrix& codes, std::size_t feature, std::size_t begin, std::size_t end) const {
  constexpr std::size_t kSample = 33;
  constexpr unsigned kFewCodes = 64;  // with fewer a feature does not count as wide however it is spread
  std::array<Code, 2 * kSample> sample;
  std::size_t count = 0;
  for (std::size_t at = begin; at < end; at += std::max<std::size_t>(1, (end - begin) / kSample))
    sample[count++] = codes.at(order_[at], feature);
  std::sort(sample.begin(), sample.begin() + count);
  const int range = sample[count - 1 - count / 8] - sample[count / 8];
  return range / static_cast<double>(std::max(kFewCodes, std::bit_ceil(last_[feature] + 1u)));
}

// Halves at the median of the feature that is spread widest, down to blocks. Whole blocks go left, where there are many
// as many as have their bits on whole cache lines: those that are most alike share a line then.
void RowBlocks::split(const CodeMatrix& codes, std::span<const double> asked, std::size_t begin, std::size_t end,
                      const Run& run) {
  if (end - begin <= kBlockRows) return;
  check_stop(run);
  std::size_t widest = 0;
  double width = -1;
  for (std::size_t feature = 0; feature < features_; ++feature) {
    const double here = spread(codes, feature, begin, end) * (asked.empty() ? 1.0 : asked[feature]);
    if (here <= width) continue;
    width = here;
    widest = feature;
  }
  const std::size_t half = (end - begin) / 2;
  const std::size_t part = end - begin > kLineRows ? kLineRows : kBlockRows;
  const std::size_t middle = begin + (half + part - 1) / part * part;
  std::vector<std::uint64_t>
      keys;  // code, then row: side by side they are sorted faster than rows that look up their codes
  keys.reserve(end - begin);
  for (std::size_t at = begin; at < end; ++at)
    keys.push_back(std::uint64_t{codes.at(order_[at], widest)} << 32 | order_[at]);
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(middle - begin), keys.end());
  for (std::size_t at = begin; at < end; ++at) order_[at] = static_cast<std::uint32_t>(keys[at - begin]);
  keys = {};
  split(codes, asked, begin, middle, run);
  split(codes, asked, middle, end, run);
}

void RowBlocks::copy_codes(const CodeMatrix& codes, const Run& run) {
  (wide_ ? words_.resize(blocks_ * features_ * kBlockRows) : bytes_.resize(blocks_ * features_ * kBlockRows));
  for (std::size_t block = 0; block < blocks_; ++block) {
    check_stop(run);
    const std::size_t begin = block * kBlockRows, end = std::min(rows_, begin + kBlockRows);
    for (std::size_t feature = 0; feature < features_; ++feature)
      for (std::size_t place = begin; place < end; ++place) {
        const Code code = codes.at(order_[place], feature);
        const std::size_t to = feature * blocks_ * kBlockRows + place;
        if (wide_)
          words_[to] = code;
        else
          bytes_[to] = static_cast<std::uint8_t>(code);
      }
  }
}

void RowBlocks::read_shares(const CodeMatrix& codes) {
  for (std::size_t feature = 0; feature < features_; ++feature) {
    std::vector<double>& below = below_.emplace_back(last_[feature] + 2u, 0.0);
    for (std::size_t row = 0; row < rows_; ++row) below[codes.at(row, feature) + 1u] += 1.0;
    std::partial_sum(below.begin(), below.end(), below.begin());
    for (double& share : below) share /= static_cast<double>(rows_);
  }
}

double RowBlocks::expected(std::span<const CodeSide> box) const {
  auto rows = static_cast<double>(rows_);
  for (const auto& [feature, codes] : box) {
    const std::size_t last = last_[feature];
    rows *= below_[feature][std::min<std::size_t>(codes.high, last) + 1] -
            below_[feature][std::min<std::size_t>(codes.low, last + 1)];
  }
  return rows;
}

RowMarks RowBlocks::mark(std::span<const std::uint8_t> flags) const {
  RowMarks marks(blocks_, 0);
  for (std::size_t place = 0; place < rows_; ++place)
    marks[place / kWordBits] |= std::uint64_t{flags[order_[place]] != 0} << place % kWordBits;
  return marks;
}

RowMarks RowBlocks::mark_rows(std::span<const std::uint32_t> rows) const {
  std::vector<std::uint8_t> flags(rows_, 0);
  for (const std::uint32_t row : rows) flags[row] = 1;
  return mark(flags);
}

// Sides of a box, which is not empty, that prefix bits do not decide. Those with the smallest share of their feature's
// codes come first: mostly they leave the fewest rows.
void RowBlocks::read_undecided(std::span<const CodeSide> box, BlockScratch& scratch) const {
  scratch.ranked.clear();
  for (const CodeSide& side : box) {
    if (prefix_.decides(side)) continue;
    const Code last = last_[side.feature];
    const auto width = static_cast<std::uint16_t>(std::min(side.codes.high, last) - side.codes.low);
    scratch.ranked.emplace_back(width / (last + 1.0F),
                                BlockSide{static_cast<std::uint32_t>(side.feature), side.codes.low, width});
  }
  std::sort(scratch.ranked.begin(), scratch.ranked.end(),
            [](const auto& one, const auto& other) { return one.first < other.first; });
  scratch.sides.clear();
  for (const auto& [share, side] : scratch.ranked) scratch.sides.push_back(side);
}

// Of rows that prefix bits have left, those that lie inside the undecided sides of a box too.
void RowBlocks::keep_inside(std::span<const CodeSide> box, FoundRows& rows, BlockScratch& scratch) const {
  read_undecided(box, scratch);
  for (std::span<const BlockSide> left(scratch.sides); !left.empty();) {
    const std::span<const BlockSide> some = left.first(std::min(kSidesAtOnce, left.size()));
    rows.size = wide_ ? cfrules::keep_inside({words_, blocks_}, rows.words(), some, rows.room())
                      : cfrules::keep_inside({bytes_, blocks_}, rows.words(), some, rows.room());
    left = left.subspan(some.size());
  }
}

BitCounts RowBlocks::count(std::span<const CodeSide> box, const RowMarks& members, const RowMarks& marks,
                           BlockScratch& scratch) const {
  FoundRows& found = scratch.found;
  for (FoundRows* rows : {&scratch.found, &scratch.narrower}) {  // once
    rows->blocks.resize(blocks_ + kSpareWords);
    rows->masks.resize(blocks_ + kSpareWords);
  }
  found.size = prefix_.find(box, members, scratch.prefix, found.room());
  if (found.size > 0 && !prefix_.exact()) keep_inside(box, found, scratch);
  return count_bits(found.words(), marks);
}

BitCounts RowBlocks::narrow(std::span<const CodeSide> sides, const RowMarks& marks, BlockScratch& scratch) const {
  FoundRows& kept = scratch.narrower;
  kept.size = prefix_.keep(sides, scratch.found.words(), scratch.prefix, kept.room());
  if (kept.size > 0 && !prefix_.exact()) keep_inside(sides, kept, scratch);
  return count_bits(kept.words(), marks);
}

template <class Visit>
void RowBlocks::visit(const FoundRows& found, const Visit& visit) const {
  for (std::size_t i = 0; i < found.size; ++i)
    for (std::uint64_t mask = found.masks[i]; mask != 0; mask &= mask - 1)
      visit(order_[found.blocks[i] * kBlockRows + static_cast<std::size_t>(std::countr_zero(mask))]);
}

void RowBlocks::list(const FoundRows& found, std::vector<std::uint32_t>& rows) const {
  rows.clear();
  visit(found, [&](std::uint32_t row) { rows.push_back(row); });
}

std::vector<std::uint32_t> RowBlocks::rows_in(std::span<const CodeSide> box) const {
  BlockScratch scratch;
  const std::size_t count = this->count(box, {}, all_, scratch).all;
  std::vector<std::uint64_t> held(blocks_, 0);  // a bit per row, in the table's order
  visit(scratch.found, [&](std::uint32_t row) { set_bit(held, row); });
  std::vector<std::uint32_t> rows(count);
  auto next = rows.begin();
  for (std::size_t word = 0; word < held.size(); ++word)
    for (std::uint64_t bits = held[word]; bits != 0; bits &= bits - 1)
      *next++ = static_cast<std::uint32_t>(word * kWordBits + static_cast<std::size_t>(std::countr_zero(bits)));
  return rows;
}

std::vector<std::uint32_t> RowBlocks::rows_in(std::span<const Condition> rule) const {
  std::vector<CodeSide> box;
  for (const Condition& condition : rule) box.push_back({condition.index, condition.codes});
  return rows_in(box);
}

}  // namespace cfrules
