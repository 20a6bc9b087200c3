#include "region/leaf_scan.h"

#include <algorithm>
#include <bit>

#include "base/send_for.h"

namespace cfrules {

namespace {

std::size_t lowest(std::uint64_t bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

std::uint64_t first_bits(std::size_t count) {
  return count >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Of 64 pages or leaves: those on which at least so many candidates depart, and those off the person elsewhere.
class Departed {
 public:
  void candidate(std::uint64_t outside) {
    for (std::size_t count = at_least_.size() - 1; count > 0; --count)
      at_least_[count] |= at_least_[count - 1] & outside;
  }
  void other(std::uint64_t outside) { unreached_ |= outside; }
  [[nodiscard]] std::uint64_t at_least(std::size_t count) const { return at_least_[count]; }
  [[nodiscard]] std::uint64_t at_most(std::size_t count) const { return ~(unreached_ | at_least_[count + 1]); }

 private:
  std::array<std::uint64_t, LeafScan::kMostDepartures + 2> at_least_{~std::uint64_t{0}};
  std::uint64_t unreached_ = 0;
};

}  // namespace

LeafScan::LeafScan(MoveLeaves& into, const MoveLeaves::Source& source, std::span<const Code> fixed,
                   const MoveAxes& candidates, const MoveLeaves::Departures& departures)
    : into_(into),
      source_(source),
      pages_(source.pages->leaves()),
      departures_(departures),
      without_bin_(source.pages->leaves_without_bin(candidates)),
      lines_(candidates.size()),
      groups_(std::size_t{1} << candidates.size(), kUnknown),
      outside_(fixed.size()) {
  for (std::size_t line = 0; line < fixed.size(); ++line) {
    const std::size_t feature = pages_.features()[line];
    values_.push_back(static_cast<std::uint8_t>(std::min<Code>(fixed[feature], LeafPages::kLast)));
    const std::uint8_t candidate = into.candidate_of_[feature];
    if (candidate != kNone) lines_[candidate] = line;
    const bool departs = candidate != kNone && departures.allow(std::uint64_t{1} << candidate);
    candidates_.push_back(departs ? candidate : kNone);
  }
  for (const MoveAxis* axis : candidates) bins_.emplace_back(*axis);
}

[[gnu::always_inline]] inline void LeafScan::send_for_lines(std::size_t page) const {
  for (const IntervalBlock& line : pages_.lines(page)) {
    send_for_early(line.low);
    send_for_early(line.high);
  }
}

// A page is compared while the lines of a later one and what the leaves of an earlier one say are on their way.
void LeafScan::run() {
  constexpr std::size_t kAhead = 8;
  open_pages();
  std::array<Read, 2> pages;
  for (std::size_t i = 0; i <= opened_.size(); ++i) {
    if (i + kAhead < opened_.size()) send_for_lines(opened_[i + kAhead]);
    if (i < opened_.size()) read(opened_[i], pages[i % 2]);
    if (i > 0) keep(pages[(i - 1) % 2]);
  }
}

void LeafScan::open_pages() {
  const std::size_t pages = pages_.pages().size();
  for (std::size_t first = 0; first < pages; first += kWordBits)
    for (std::uint64_t rest = open_pages_of(first / kWordBits) & first_bits(pages - first); rest != 0; rest &= rest - 1)
      opened_.push_back(static_cast<std::uint32_t>(first + lowest(rest)));
}

std::uint64_t LeafScan::open_pages_of(std::size_t block) {
  find_outside(pages_.hulls(block), values_.data(), outside_.data());
  Departed departed;
  for (std::size_t line = 0; line < candidates_.size(); ++line)
    candidates_[line] == kNone ? departed.other(outside_[line]) : departed.candidate(outside_[line]);
  return departed.at_most(departures_.most);
}

void LeafScan::read(std::size_t page, Read& to) {
  constexpr std::size_t kTogether = 8;  // then it is seen whether any leaf is left
  const std::span<const IntervalBlock> lines = pages_.lines(page);
  const std::uint64_t* const without_bin = without_bin_->data() + page * lines.size();
  const std::uint64_t leaves = first_bits(pages_.pages()[page].leaves);
  to.page = page;
  to.reached = leaves;
  Departed departed;
  for (std::size_t first = 0; first < lines.size() && to.reached != 0; first += kTogether) {
    const std::size_t end = std::min(first + kTogether, lines.size());
    find_outside(lines.subspan(first, end - first), &values_[first], &outside_[first]);
    for (std::size_t line = first; line < end; ++line) {
      const std::uint64_t outside = outside_[line];
      if (candidates_[line] == kNone) {
        departed.other(outside);
      } else {
        departed.other(outside & without_bin[line]);  // who departs must arrive somewhere
        departed.candidate(outside);
        to.departed[candidates_[line]] = outside;
      }
    }
    to.reached = departed.at_most(departures_.most) & leaves;
  }
  to.closed = to.reached & departed.at_least(departures_.most);
  const NumbersId* const said = this->said(page);
  for (std::uint64_t rest = to.reached; rest != 0; rest &= rest - 1) send_for(said + lowest(rest));
}

void LeafScan::keep(const Read& page) {
  if (page.reached == 0) return;
  const NumbersId* const said = this->said(page.page);
  const IntervalBlock* const lines = pages_.lines(page.page).data();
  const std::size_t* const line_of = lines_.data();
  const ByteBins* const bins = bins_.data();
  const std::size_t candidates = lines_.size();
  const auto side = [=](std::size_t candidate, std::size_t leaf) {
    const IntervalBlock& line = lines[line_of[candidate]];
    return bins[candidate].of(line.low[leaf], line.high[leaf]);
  };
  std::array<std::uint16_t, kWordBits> masks;
  gather_bits(page.departed, page.reached, masks.data());
  const std::uint16_t* next = masks.data();
  for (std::uint64_t rest = page.reached; rest != 0; rest &= rest - 1) {
    const std::size_t leaf = lowest(rest);
    const std::uint64_t mask = *next++;
    if (said[leaf] == kSaysNothing) continue;
    const std::uint32_t index = group(mask);
    if (index == kNowhere) continue;
    MoveLeaves::Group& group = into_.groups_[index];
    group.said.push_back(said[leaf]);
    BoxSide* to = group.sides.room(kMostCandidates);
    if ((page.closed >> leaf & 1) != 0)
      for (std::uint64_t departed = mask; departed != 0; departed &= departed - 1) *to++ = side(lowest(departed), leaf);
    else
      for (std::size_t candidate = 0; candidate < candidates; ++candidate) *to++ = side(candidate, leaf);
    group.sides.end_at(to);
  }
}

}  // namespace cfrules
