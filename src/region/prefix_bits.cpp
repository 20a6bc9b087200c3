#include "region/prefix_bits.h"

#include <algorithm>

namespace cfrules {

PrefixBits::PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last,
                       std::span<const double> asked, std::size_t most_bytes)
    : words_(words_of_bits(order.size())),
      stride_(row_stride(words_)),
      shifts_(last.size(), 0),
      last_(last.begin(), last.end()) {
  share_rows(asked, most_bytes / (stride_ * sizeof(std::uint64_t)));
  begins_.push_back(0);
  for (std::size_t feature = 0; feature < last_.size(); ++feature)
    begins_.push_back(begins_.back() + coarse(feature, last_[feature]) + 1);
  bits_.assign(begins_.back() * stride_, 0);
  for (std::size_t begin = 0; begin < words_; begin += kLineWords) set_line(codes, order, begin);
}

// Twice as many codes share a row, again and again, of the feature that has the most rows for how often it is asked.
void PrefixBits::share_rows(std::span<const double> asked, std::size_t most_rows) {
  std::size_t rows = 0;
  for (const Code last : last_) rows += last + 1u;
  while (rows > most_rows) {
    std::size_t finest = 0;
    double most = 0;
    for (std::size_t feature = 0; feature < last_.size(); ++feature) {
      const auto codes = static_cast<double>(coarse(feature, last_[feature]));
      const double for_each = codes / (asked.empty() ? 1.0 : asked[feature] + 1.0);
      if (for_each <= most) continue;
      most = for_each;
      finest = feature;
    }
    if (most == 0) break;  // one row each: nothing is left to be shared
    const std::size_t before = coarse(finest, last_[finest]);
    ++shifts_[finest];
    rows -= before - coarse(finest, last_[finest]);
    exact_ = false;
  }
}

// A cache line of each row of bits, from a word on: rows of the table are read once for all features.
void PrefixBits::set_line(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::size_t begin) {
  const std::size_t words = std::min(kLineWords, words_ - begin);
  for (std::size_t feature = 0; feature < last_.size(); ++feature) {
    std::uint64_t* const line = bits_.data() + begins_[feature] * stride_ + begin;
    for (std::size_t place = begin * kWordBits; place < std::min(order.size(), (begin + words) * kWordBits); ++place)
      line[coarse(feature, codes.at(order[place], feature)) * stride_ + place / kWordBits - begin] |=
          std::uint64_t{1} << place % kWordBits;
    for (std::size_t row = 1; row <= coarse(feature, last_[feature]); ++row)
      for (std::size_t word = 0; word < words; ++word) line[row * stride_ + word] |= line[(row - 1) * stride_ + word];
  }
}

// Which sides have which ends nothing predicts, so it is worked out without a branch.
std::optional<CommonBits> PrefixBits::rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                              Scratch& scratch) const {
  scratch.within.resize(std::max(scratch.within.size(), box.size() + 1));
  scratch.without.resize(std::max(scratch.without.size(), box.size()));
  const std::uint64_t** const within = scratch.within.data();
  const std::uint64_t** const without = scratch.without.data();
  std::size_t within_size = 0;
  std::size_t without_size = 0;
  bool empty = false;
  if (!members.empty()) within[within_size++] = members.data();
  for (const auto& [feature, codes] : box) {
    const Code last = last_[feature];
    const Code high = std::min(codes.high, last);
    empty |= codes.low > high;
    const std::size_t coarse_high = coarse(feature, high);
    const std::size_t coarse_low = coarse(feature, std::min(codes.low, last));
    within[within_size] = up_to(feature, coarse_high);
    within_size += coarse_high < coarse(feature, last) ? 1 : 0;
    without[without_size] = up_to(feature, coarse_low - (coarse_low > 0 ? 1 : 0));
    without_size += coarse_low > 0 ? 1 : 0;
  }
  if (empty) return std::nullopt;
  if (within_size == 0) within[within_size++] = up_to(0, coarse(0, last_[0]));  // every row
  return CommonBits{{within, within_size}, {without, without_size}, words_};
}

}  // namespace cfrules
