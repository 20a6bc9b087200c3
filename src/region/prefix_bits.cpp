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
      bits_(rows_of_bits(last) * stride_, 0) {
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
    within[within_size] = up_to(feature, high);
    within_size += high < last ? 1 : 0;
    without[without_size] = up_to(feature, static_cast<Code>(std::min(codes.low, last) - (codes.low > 0 ? 1 : 0)));
    without_size += codes.low > 0 ? 1 : 0;
  }
  if (empty) return std::nullopt;
  if (within_size == 0) within[within_size++] = up_to(0, last_[0]);  // every row
  return CommonBits{{within, within_size}, {without, without_size}, words_};
}

}  // namespace cfrules
