#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cfrules/arrow.h"
#include "cfrules/error.h"
#include "data/arrow_chunk.h"
#include "data/csv_column.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

using Holds = FrameColumn::Holds;

// One of the interface's structures: released once, moved by moving its bytes.
template <class Struct>
class Released {
 public:
  Released() = default;
  explicit Released(Struct& taken) : held_(taken) { taken.release = nullptr; }
  Released(Released&& other) noexcept : Released(other.held_) {}
  Released& operator=(Released&&) = delete;
  ~Released() {
    if (held_.release != nullptr) held_.release(&held_);
  }

  [[nodiscard]] Struct* get() { return &held_; }
  [[nodiscard]] const Struct& operator*() const { return held_; }
  [[nodiscard]] const Struct* operator->() const { return &held_; }

 private:
  Struct held_{};
};

[[noreturn]] void refuse_stream(ArrowArrayStream* stream, int code) {
  const char* const told = stream->get_last_error == nullptr ? nullptr : stream->get_last_error(stream);
  throw IoError(std::string("the Arrow stream of X failed: ") + (told != nullptr ? told : std::strerror(code)));
}

std::int64_t width_of(char format) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kWidths = {
      {{"cC", 1}, {"sS", 2}, {"iIf", 4}, {"lLg", 8}}};
  for (const auto& [letters, width] : kWidths)
    if (letters.find(format) != std::string_view::npos) return width;
  return 0;
}

bool is_record(const ArrowSchema& schema) { return std::strcmp(schema.format, "+s") == 0; }

// Places of a dictionary's entries among the names of all pieces, NaN for a missing entry.
class Names {
 public:
  explicit Names(std::string_view format) : format_(format) {}

  [[nodiscard]] static bool can_read(std::string_view format) {
    return is_text_format(format) || is_integer_format(format) || is_number_format(format) || format == "b";
  }

  [[nodiscard]] Holds hold() const {
    if (is_text_format(format_)) return Holds::texts;
    if (format_ == "b") return Holds::booleans;
    return is_integer_format(format_) ? Holds::integers : Holds::numbers;
  }

  std::vector<double> places(const ArrowChunk& entries) {
    std::vector<double> places;
    if (is_text_format(format_)) {
      for (std::int64_t i = 0; i < entries.length; ++i)
        places.push_back(entries.missing(i) ? kNaN : dictionary_.add(text_at(entries, format_, i), 0));
      return places;
    }
    format_ == "b" ? append_booleans(entries, places) : append_numbers(entries, format_, places);
    for (double& place : places)
      if (!std::isnan(place)) place = dictionary_.add(name_of_number(place), 0);
    return places;
  }

  [[nodiscard]] std::vector<std::string> take() const {
    std::vector<std::string> names;
    for (const TextDictionary::Entry& entry : dictionary_.entries()) names.push_back(entry.text);
    return names;
  }

 private:
  [[nodiscard]] std::string name_of_number(double number) const {
    if (format_ == "b") return number == 0 ? "False" : "True";
    return shortest_decimal(number);
  }

  std::string_view format_;
  TextDictionary dictionary_;
};

}  // namespace

struct ArrowTable::Impl {
  Released<ArrowSchema> schema;
  std::vector<Released<ArrowArray>> batches;
  std::vector<std::string> names;
  std::size_t rows = 0;

  [[nodiscard]] const ArrowSchema& field(std::size_t column) const {
    return is_record(*schema) ? *schema->children[column] : *schema;
  }

  [[nodiscard]] std::vector<ArrowChunk> chunks(std::size_t column) const {
    std::vector<ArrowChunk> found;
    for (const Released<ArrowArray>& batch : batches) {
      const ArrowArray* const array = is_record(*schema) ? batch->children[column] : &*batch;
      // A batch that is a slice of a larger one says so itself, on top of what its columns say.
      const std::int64_t first = is_record(*schema) ? batch->offset + array->offset : array->offset;
      if (batch->length > 0) found.push_back({array, first, batch->length});
    }
    return found;
  }

  [[nodiscard]] double entry(const std::vector<double>& places, double key, std::size_t column) const {
    if (key >= 0 && key < static_cast<double>(places.size())) return places[static_cast<std::size_t>(key)];
    throw InputError("X: column " + quote(names[column]) + " names category " + shortest_decimal(key) + " of " +
                     std::to_string(places.size()));
  }

  // Every piece may come with a dictionary of its own.
  void read_dictionary(std::size_t column, Read& read) const {
    const ArrowSchema& about = field(column);
    Names known(about.dictionary->format);
    for (const ArrowChunk& chunk : chunks(column)) {
      const ArrowArray& entries = *chunk.array->dictionary;
      const std::vector<double> places = known.places({&entries, entries.offset, entries.length});
      std::vector<double> keys;
      append_numbers(chunk, about.format, keys);
      for (const double key : keys) read.column.values.push_back(std::isnan(key) ? kNaN : entry(places, key, column));
    }
    read.column.holds = Holds::texts;
    read.column.names = known.take();
    read.names_hold = known.hold();
  }

  void read_texts(std::size_t column, Read& read) const {
    const std::string_view format = field(column).format;
    Names known(format);
    for (const ArrowChunk& chunk : chunks(column)) {
      const std::vector<double> places = known.places(chunk);
      read.column.values.insert(read.column.values.end(), places.begin(), places.end());
    }
    read.column.holds = Holds::texts;
    read.column.names = known.take();
  }

  void read_plain(std::size_t column, Read& read) const {
    const std::string_view format = field(column).format;
    if (format == "n") {
      read.column.values.assign(rows, kNaN);
      return;
    }
    for (const ArrowChunk& chunk : chunks(column))
      format == "b" ? append_booleans(chunk, read.column.values) : append_numbers(chunk, format, read.column.values);
    if (format == "b") read.column.holds = Holds::booleans;
    if (is_integer_format(format)) read.column.holds = Holds::integers;
  }
};

ArrowTable::ArrowTable(ArrowArrayStream& taken, const Run& run) : impl_(std::make_unique<Impl>()) {
  Released<ArrowArrayStream> stream(taken);
  if (const int code = stream->get_schema(stream.get(), impl_->schema.get())) refuse_stream(stream.get(), code);
  for (;;) {
    check_stop(run);
    Released<ArrowArray> batch;
    if (const int code = stream->get_next(stream.get(), batch.get())) refuse_stream(stream.get(), code);
    if (batch->release == nullptr) break;
    impl_->rows += static_cast<std::size_t>(batch->length);
    impl_->batches.push_back(std::move(batch));
  }
  const ArrowSchema& schema = *impl_->schema;
  const std::size_t columns = is_record(schema) ? static_cast<std::size_t>(schema.n_children) : 1;
  for (std::size_t column = 0; column < columns; ++column) {
    const char* const name = impl_->field(column).name;
    impl_->names.emplace_back(name == nullptr ? "" : name);
  }
}

ArrowTable::ArrowTable(ArrowTable&&) noexcept = default;
ArrowTable& ArrowTable::operator=(ArrowTable&&) noexcept = default;
ArrowTable::~ArrowTable() = default;

std::size_t ArrowTable::columns() const { return impl_->names.size(); }
std::size_t ArrowTable::rows() const { return impl_->rows; }
const std::string& ArrowTable::name(std::size_t column) const { return impl_->names[column]; }

ArrowTable::Read ArrowTable::read(std::size_t column) const {
  const ArrowSchema& field = impl_->field(column);
  const std::string_view format = field.dictionary == nullptr ? field.format : field.dictionary->format;
  const bool readable = Names::can_read(format) || (format == "n" && field.dictionary == nullptr);
  if (!readable)
    throw InputError("X: column " + quote(name(column)) + " holds " + words_for(format) +
                     "; allowed: numbers, booleans, texts and categories");
  Read read;
  read.column.name = name(column);
  read.column.values.reserve(impl_->rows);
  if (field.dictionary != nullptr) {
    impl_->read_dictionary(column, read);
  } else if (is_text_format(format)) {
    impl_->read_texts(column, read);
  } else {
    impl_->read_plain(column, read);
  }
  return read;
}

std::optional<ArrowTable::Numbers> ArrowTable::look(std::size_t column) const {
  const ArrowSchema& field = impl_->field(column);
  const std::string_view format = field.format;
  if (field.dictionary != nullptr || !(is_integer_format(format) || format == "f" || format == "g"))
    return std::nullopt;
  const std::vector<ArrowChunk> chunks = impl_->chunks(column);
  if (chunks.size() != 1) return std::nullopt;
  const ArrowChunk& chunk = chunks.front();
  for (std::int64_t i = 0; i < chunk.length; ++i)
    if (chunk.missing(i)) return std::nullopt;
  return Numbers{format[0], static_cast<const char*>(chunk.array->buffers[1]) + chunk.first * width_of(format[0])};
}

}  // namespace cfrules
