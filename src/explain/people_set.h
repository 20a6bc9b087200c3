// A set of people as bits, so that "how many of these does that box serve" is a few words' work.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cfrules {

class PeopleSet {
 public:
  explicit PeopleSet(std::size_t people = 0) : words_((people + 63) / 64, 0) {}

  void add(std::size_t person) { words_[person / 64] |= std::uint64_t{1} << (person % 64); }
  [[nodiscard]] bool contains(std::size_t person) const { return (words_[person / 64] >> (person % 64) & 1) != 0; }

  void remove(const PeopleSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }

  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  // How many are in both. Sets are of the same people.
  [[nodiscard]] std::size_t shared(const PeopleSet& other) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      count += static_cast<std::size_t>(std::popcount(words_[i] & other.words_[i]));
    return count;
  }
  [[nodiscard]] PeopleSet operator&(const PeopleSet& other) const {
    PeopleSet both = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) both.words_[i] &= other.words_[i];
    return both;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace cfrules
