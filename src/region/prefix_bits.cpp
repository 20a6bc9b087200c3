#include "region/prefix_bits.h"

#include <algorithm>
#include <numeric>

namespace cfrules {

namespace {

[[nodiscard]] std::size_t rows_of_bits(std::span<const Code> last) {
  return std::accumulate(last.begin(), last.end(), last.size());  // codes are 0 to last
}

}  // namespace

std::size_t PrefixBits::bytes(std::size_t rows, std::span<const Code> last) {
  return rows_of_bits(last) * row_stride(words_of_bits(rows)) * sizeof(std::uint64_t);
}

PrefixBits::PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last)
    : words_(words_of_bits(order.size())),
      stride_(row_stride(words_)),
      last_(last.begin(), last.end()),
      bits_(rows_of_bits(last) * stride_, 0),
      line_words_(words_of_bits((words_ + kLineWords - 1) / kLineWords)),
      lines_(rows_of_bits(last) * line_words_) {
  std::size_t begin = 0;
  for (std::size_t feature = 0; feature < last.size(); ++feature) {
    begins_.push_back(begin);
    for (std::size_t place = 0; place < order.size(); ++place)
      bits_[(begin + codes.at(order[place], feature)) * stride_ + place / kWordBits] |= std::uint64_t{1}
                                                                                        << place % kWordBits;
    for (std::size_t i = (begin + 1) * stride_; i < (begin + last[feature] + 1u) * stride_; ++i)
      bits_[i] |= bits_[i - stride_];
    begin += last[feature] + 1u;
  }
  note_lines(codes, order);
}

void PrefixBits::note_lines(const CodeMatrix& codes, std::span<const std::uint32_t> order) {
  for (std::size_t feature = 0; feature < last_.size(); ++feature) {
    const std::span<Lines> lines = std::span(lines_).subspan(begins_[feature] * line_words_);
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::size_t line = place / (kLineWords * kWordBits);
      Lines& here = lines[codes.at(order[place], feature) * line_words_ + line / kWordBits];
      here.up_to |= std::uint64_t{1} << line % kWordBits;
      here.from = here.up_to;
    }
    const std::size_t end = (last_[feature] + std::size_t{1}) * line_words_;
    for (std::size_t i = line_words_; i < end; ++i) lines[i].up_to |= lines[i - line_words_].up_to;
    for (std::size_t i = end - line_words_; i-- > 0;) lines[i].from |= lines[i + line_words_].from;
  }
}

// Which sides have which ends nothing predicts, so all is worked out without a branch.
CommonBits PrefixBits::rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                               Scratch& scratch) const {
  scratch.within.resize(std::max(scratch.within.size(), box.size() + 1));
  scratch.without.resize(std::max(scratch.without.size(), box.size()));
  const std::uint64_t** const within = scratch.within.data();
  const std::uint64_t** const without = scratch.without.data();
  std::size_t within_size = 0;
  std::size_t without_size = 0;
  if (!members.empty()) within[within_size++] = members.data();
  for (const auto& [feature, codes] : box) {
    const Code last = last_[feature];
    const Code high = std::min(codes.high, last);
    within[within_size] = up_to(feature, high);
    within_size += high < last ? 1 : 0;
    without[without_size] = up_to(feature, static_cast<Code>(codes.low - (codes.low > 0 ? 1 : 0)));
    without_size += codes.low > 0 ? 1 : 0;
  }
  if (within_size == 0) within[within_size++] = up_to(0, last_[0]);  // every row
  return {{within, within_size}, {without, without_size}, words_};
}

void PrefixBits::find_lines(std::span<const CodeSide> box, std::vector<std::uint64_t>& lines) const {
  lines.resize(line_words_);
  for (std::size_t word = 0; word < line_words_; ++word) {
    std::uint64_t common = lines_[word].from;  // of the first feature's first code: all
    for (const auto& [feature, codes] : box) {
      const Code high = std::min(codes.high, last_[feature]);
      common &= lines_[(begins_[feature] + high) * line_words_ + word].up_to;
      common &= lines_[(begins_[feature] + codes.low) * line_words_ + word].from;
    }
    lines[word] = common;
  }
}

bool PrefixBits::is_empty(std::span<const CodeSide> box) const {
  bool empty = false;
  for (const auto& [feature, codes] : box) empty |= codes.low > std::min(codes.high, last_[feature]);
  return empty;
}

std::size_t PrefixBits::find(std::span<const CodeSide> box, std::span<const std::uint64_t> members, Scratch& scratch,
                             WordRoom to) const {
  if (is_empty(box)) return 0;
  find_lines(box, scratch.lines);
  return find_words(scratch.lines, rows_in(box, members, scratch), to);
}

std::size_t PrefixBits::keep(std::span<const CodeSide> sides, const PlacedWords& from, Scratch& scratch,
                             WordRoom to) const {
  return is_empty(sides) ? 0 : keep_common(from, rows_in(sides, {}, scratch), to);
}

}  // namespace cfrules
