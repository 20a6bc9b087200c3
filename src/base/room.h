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

  Room() = default;
  Room(Room&& other) noexcept { swap(other); }
  Room& operator=(Room&& other) noexcept {
    swap(other);
    return *this;
  }

  [[nodiscard]] std::span<const T> items() const { return {items_.get(), end_}; }

  // Behind the last item, for so many more.
  [[nodiscard]] T* room(std::size_t more) {
    if (static_cast<std::size_t>(limit_ - end_) < more) grow(more);
    return end_;
  }
  void end_at(T* end) { end_ = end; }
  void push_back(T item) {
    *room(1) = item;
    ++end_;
  }
  void clear() { end_ = items_.get(); }

 private:
  void swap(Room& other) {
    std::swap(items_, other.items_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
  }
  [[gnu::noinline]] void grow(std::size_t more) {
    constexpr std::size_t kLeast = 64;
    const auto size = static_cast<std::size_t>(end_ - items_.get());
    const std::size_t room = std::max({kLeast, 2 * static_cast<std::size_t>(limit_ - items_.get()), size + more});
    auto items = std::make_unique_for_overwrite<T[]>(room);
    std::copy_n(items_.get(), size, items.get());
    items_ = std::move(items);
    end_ = items_.get() + size;
    limit_ = items_.get() + room;
  }

  std::unique_ptr<T[]> items_;
  T* end_ = nullptr;
  T* limit_ = nullptr;
};

}  // namespace cfrules
