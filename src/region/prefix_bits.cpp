#include "region/prefix_bits.h"

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

std::optional<CommonBits> PrefixBits::rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                              Scratch& scratch) const {
  scratch.within.clear();
  if (!members.empty()) scratch.within.push_back(members.data());
  scratch.without.clear();
  for (const auto& [feature, codes] : box) {
    if (codes.low > codes.high || codes.low > last_[feature]) return std::nullopt;
    if (codes.high < last_[feature]) scratch.within.push_back(up_to(feature, codes.high));
    if (codes.low > 0) scratch.without.push_back(up_to(feature, static_cast<Code>(codes.low - 1)));
  }
  return CommonBits{scratch.within, scratch.without, words_};
}

}  // namespace cfrules
