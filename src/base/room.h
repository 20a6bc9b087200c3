// An array that is written past its end: ask for room, write there, say where the writing ended. What was not written
// is not set to anything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace cfrules {

template <class T>
class Room {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  [[nodiscard]] std::span<const T> items() const { return {items_.get(), size_}; }

  // Behind the last item, for so many more.
  [[nodiscard]] T* room(std::size_t more) {
    if (room_ - size_ < more) grow(more);
    return items_.get() + size_;
  }
  void end_at(const T* end) { size_ = static_cast<std::size_t>(end - items_.get()); }
  void clear() { size_ = 0; }

 private:
  [[gnu::noinline]] void grow(std::size_t more) {
    constexpr std::size_t kLeast = 64;
    room_ = std::max({kLeast, 2 * room_, size_ + more});
    auto items = std::make_unique_for_overwrite<T[]>(room_);
    std::copy_n(items_.get(), size_, items.get());
    items_ = std::move(items);
  }

  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace cfrules
