#include "region/prefix_bits.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"

namespace cfrules {

PrefixBits::PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last,
                       const AskedSides& asked, std::size_t most_bytes, const Run& run)
    : words_(words_of_bits(order.size())),
      stride_(row_stride(words_)),
      features_(last.size()),
      line_words_(words_of_bits((words_ + kLineWords - 1) / kLineWords)) {
  for (std::size_t feature = 0; feature < last.size(); ++feature) features_[feature].last = last[feature];
  choose_rows(asked, most_bytes / (stride_ * sizeof(std::uint64_t)));
  bits_.assign((features_.back().begin + features_.back().rows) * stride_, 0);
  make_line_table();
  for (std::size_t begin = 0; begin < words_; begin += kLineWords) {
    check_stop(run);
    set_line(codes, order, begin);
  }
  complete_line_table();
}

// Codes of a feature that lie side by side and are asked about as often as any other such run share a row of bits: that
// of the code among them that is asked about most.
void PrefixBits::choose_rows(const AskedSides& asked, std::size_t most_rows) {
  const auto weight = [&](std::size_t feature, std::size_t code) {
    constexpr double kNever = 1e-3;  // codes that nobody is known to ask about count a little
    return kNever + (feature < asked.ends.size() && code < asked.ends[feature].size() ? asked.ends[feature][code] : 0.0);
  };
  std::size_t codes = 0;
  double all = 0;
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    codes += features_[feature].last + 1u;
    for (std::size_t code = 0; code < features_[feature].last; ++code) all += weight(feature, code);
  }
  exact_ = codes <= most_rows;
  // The last code of a feature has a row anyway.
  const double share = all / static_cast<double>(std::max(most_rows, features_.size() + 1) - features_.size());
  std::size_t rows = 0;
  for (std::size_t index = 0; index < features_.size(); ++index) {
    Feature& feature = features_[index];
    feature.begin = rows;
    feature.first_code = row_of_.size();
    std::vector<std::uint8_t> chosen(feature.last + 1u, exact_ ? 1 : 0);
    chosen.back() = 1;
    double heard = 0;
    std::size_t most = 0;
    for (std::size_t code = 0; code < feature.last && !exact_; ++code) {
      const double here = weight(index, code);
      if (heard == 0 || here > weight(index, most)) most = code;
      heard += here;
      if (heard < share) continue;
      chosen[most] = 1;
      heard = 0;
    }
    std::uint16_t row = 0;
    for (const std::uint8_t one : chosen) {
      row_of_.push_back(row);
      row += one;
    }
    feature.rows = row;
    rows += row;
  }
}

// A cache line of each row of bits, from a word on: rows of the table are read once for all features.
void PrefixBits::set_line(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::size_t begin) {
  const std::size_t words = std::min(kLineWords, words_ - begin);
  const std::span<const std::uint32_t> rows = order.subspan(begin * kWordBits);
  for (std::size_t feature = 0; feature < features_.size(); ++feature) {
    const Feature& here = features_[feature];
    std::uint64_t* const line = bits_.data() + here.begin * stride_ + begin;
    Code least = here.last, greatest = 0;
    for (std::size_t place = 0; place < std::min(rows.size(), words * kWordBits); ++place) {
      const Code code = codes.at(rows[place], feature);
      line[row_of(here, code) * stride_ + place / kWordBits] |= std::uint64_t{1} << place % kWordBits;
      least = std::min(least, code);
      greatest = std::max(greatest, code);
    }
    for (std::size_t row = 1; row < here.rows; ++row)
      for (std::size_t word = 0; word < words; ++word) line[row * stride_ + word] |= line[(row - 1) * stride_ + word];
    const std::size_t number = begin / kLineWords;
    const std::uint64_t bit = std::uint64_t{1} << number % kWordBits;
    std::uint64_t* const lines = lines_.data() + here.first_line + number / kWordBits;
    lines[here.line_code(least) * 2 * line_words_] |= bit;
    lines[(here.line_code(greatest) * 2 + 1) * line_words_] |= bit;
  }
}

void PrefixBits::make_line_table() {
  constexpr int kBits = 8;  // of a code: more tell hardly more lines apart
  std::size_t size = 0;
  for (Feature& feature : features_) {
    const int bits = static_cast<int>(std::bit_width(feature.last));
    feature.line_shift = static_cast<std::uint8_t>(std::max(0, bits - kBits));
    feature.first_line = size;
    size += (feature.line_code(feature.last) + 1) * 2 * line_words_;
  }
  lines_.assign(size, 0);
}

// Lines are noted at their least and their greatest code; the codes above and below follow.
void PrefixBits::complete_line_table() {
  const std::size_t stride = 2 * line_words_;  // from code to code
  for (const Feature& feature : features_) {
    std::uint64_t* const up_to = lines_.data() + feature.first_line;
    std::uint64_t* const from = up_to + line_words_;
    const std::size_t last = feature.line_code(feature.last);
    for (std::size_t code = 1; code <= last; ++code)
      for (std::size_t at = code * stride; at < code * stride + line_words_; ++at) up_to[at] |= up_to[at - stride];
    for (std::size_t code = last; code-- > 0;)
      for (std::size_t at = code * stride; at < code * stride + line_words_; ++at) from[at] |= from[at + stride];
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
  for (const auto& [index, codes] : box) {
    const Feature& feature = features_[index];
    const std::size_t high = row_of(feature, std::min(codes.high, feature.last));
    const std::size_t low = row_of(feature, codes.low);
    within[within_size] = up_to(feature, high);
    within_size += high + 1 < feature.rows ? 1 : 0;
    without[without_size] = up_to(feature, low - (low > 0 ? 1 : 0));
    without_size += low > 0 ? 1 : 0;
  }
  if (within_size == 0) within[within_size++] = up_to(features_[0], features_[0].rows - 1);  // every row
  return {{within, within_size}, {without, without_size}, words_};
}

void PrefixBits::find_lines(std::span<const CodeSide> box, Scratch& scratch) const {
  scratch.within.resize(std::max(scratch.within.size(), 2 * box.size() + 1));
  scratch.lines.resize(line_words_);
  const std::uint64_t** within = scratch.within.data();
  *within++ = lines_.data() + line_words_;  // with a code of the first feature at all
  for (const auto& [index, codes] : box) {
    const Feature& feature = features_[index];
    const std::uint64_t* const here = lines_.data() + feature.first_line;
    const std::size_t stride = 2 * line_words_;
    *within++ = here + feature.line_code(std::min(codes.high, feature.last)) * stride;
    *within++ = here + feature.line_code(codes.low) * stride + line_words_;
  }
  const CommonBits common{{scratch.within.data(), 2 * box.size() + 1}, {}, line_words_};
  if (line_words_ == 1)
    scratch.lines[0] = common.word(0);
  else
    common_words(common, scratch.lines);
}

bool PrefixBits::is_empty(std::span<const CodeSide> box) const {
  bool empty = false;
  for (const auto& [feature, codes] : box) empty |= codes.low > std::min(codes.high, features_[feature].last);
  return empty;
}

std::size_t PrefixBits::find(std::span<const CodeSide> box, std::span<const std::uint64_t> members, Scratch& scratch,
                             WordRoom to) const {
  if (is_empty(box)) return 0;
  find_lines(box, scratch);
  return find_words(scratch.lines, rows_in(box, members, scratch), to);
}

std::size_t PrefixBits::keep(std::span<const CodeSide> sides, const PlacedWords& from, Scratch& scratch,
                             WordRoom to) const {
  return is_empty(sides) ? 0 : keep_common(from, rows_in(sides, {}, scratch), to);
}

}  // namespace cfrules
