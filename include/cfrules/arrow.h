// Tables in the Arrow C stream interface, the common tongue of pyarrow, polars, pandas and DuckDB. In: a stream. Out:
// columns of a frame; numbers can also be looked at where they lie, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cfrules/frame.h"
#include "cfrules/run.h"

// The layout that the Arrow project fixes; the guard lets other headers that declare it come first.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}
#endif

namespace cfrules {

class ArrowTable {
 public:
  // Takes the stream over, whatever happens, and pulls all its batches; a stop is looked for between two of them. A
  // stream of plain values instead of records has one column. Throws IoError with what the stream says if it fails.
  explicit ArrowTable(ArrowArrayStream& stream, const Run& run = {});
  ArrowTable(ArrowTable&&) noexcept;
  ArrowTable& operator=(ArrowTable&&) noexcept;
  ~ArrowTable();

  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] const std::string& name(std::size_t column) const;

  // What a category's names stand for: texts, or the numbers and booleans they were.
  struct Read {
    FrameColumn column;
    FrameColumn::Holds names_hold = FrameColumn::Holds::texts;
  };
  // A copy as doubles. Throws InputError naming the column if it holds dates, lists or the like.
  [[nodiscard]] Read read(std::size_t column) const;

  // Numbers of one piece with nothing missing, where they lie for as long as this table lives. format: one letter of
  // the Arrow format, c C s S i I l L f g.
  struct Numbers {
    char format = 'g';
    const void* first = nullptr;
  };
  [[nodiscard]] std::optional<Numbers> look(std::size_t column) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cfrules
