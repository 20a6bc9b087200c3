#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <functional>

#include "cfrules/arrow.h"
#include "cfrules/error.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::NanSensitiveDoubleEq;
using Holds = FrameColumn::Holds;

// What stands behind one array of a made-up stream; released arrays are counted.
struct Piece {
  std::vector<std::vector<char>> bytes;
  std::vector<const void*> buffers;
  std::vector<ArrowArray*> children;
  ArrowArray array{};
};

struct ArrowField {
  std::string format, name;
  std::vector<ArrowSchema*> children;
  ArrowSchema schema{};
};

template <class Value>
std::vector<char> bytes_of(const std::vector<Value>& values) {
  std::vector<char> bytes(values.size() * sizeof(Value));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<char> text_bytes(std::string_view text) { return {text.begin(), text.end()}; }

// A stream of batches of one column, made by hand.
class Source {
 public:
  explicit Source(const std::string& format, const std::string& dictionary = "") {
    ArrowSchema* const column = add_field(format, "a");
    if (!dictionary.empty()) column->dictionary = add_field(dictionary, "");
    fields_.push_back({"+s", "", {column}, {}});
    finish(fields_.back());
  }

  // valid: one letter per row, '1' or '0'; empty: nothing is missing. An empty buffer is null.
  ArrowArray* add_array(std::int64_t length, const std::string& valid, std::vector<std::vector<char>> buffers) {
    pieces_.emplace_back();
    Piece& piece = pieces_.back();
    std::vector<char> bits(valid.empty() ? 0 : valid.size() / 8 + 1);
    for (std::size_t i = 0; i < valid.size(); ++i)
      if (valid[i] == '1') bits[i / 8] = static_cast<char>(bits[i / 8] | (1 << (i % 8)));
    piece.bytes.push_back(std::move(bits));
    for (auto& buffer : buffers) piece.bytes.push_back(std::move(buffer));
    for (const auto& buffer : piece.bytes) piece.buffers.push_back(buffer.empty() ? nullptr : buffer.data());
    piece.array.length = length;
    piece.array.null_count = valid.empty() ? 0 : -1;
    piece.array.n_buffers = static_cast<std::int64_t>(piece.buffers.size());
    piece.array.buffers = piece.buffers.data();
    return &piece.array;
  }

  void add_batch(ArrowArray* column, std::int64_t offset = 0) {
    pieces_.emplace_back();
    Piece& piece = pieces_.back();
    piece.children = {column};
    piece.buffers = {nullptr};
    piece.array.length = column->length - offset;
    piece.array.offset = offset;
    piece.array.n_buffers = 1;
    piece.array.n_children = 1;
    piece.array.buffers = piece.buffers.data();
    piece.array.children = piece.children.data();
    batches_.push_back(&piece.array);
  }

  void fail_at_the_end() { fails_ = true; }

  ArrowTable read() {
    ArrowArrayStream stream{get_schema, get_next, last_error, release_stream, this};
    return ArrowTable(stream);
  }

  int released = 0;

 private:
  ArrowSchema* add_field(const std::string& format, const std::string& name) {
    fields_.push_back({format, name, {}, {}});
    finish(fields_.back());
    return &fields_.back().schema;
  }
  static void finish(ArrowField& field) {
    field.schema.format = field.format.c_str();
    field.schema.name = field.name.c_str();
    field.schema.n_children = static_cast<std::int64_t>(field.children.size());
    field.schema.children = field.children.data();
  }

  static Source& self(ArrowArrayStream* stream) { return *static_cast<Source*>(stream->private_data); }
  static void release_array(ArrowArray* array) {
    ++static_cast<Source*>(array->private_data)->released;
    array->release = nullptr;
  }
  static void release_schema(ArrowSchema* schema) {
    ++static_cast<Source*>(schema->private_data)->released;
    schema->release = nullptr;
  }
  static void release_stream(ArrowArrayStream* stream) {
    ++self(stream).released;
    stream->release = nullptr;
  }
  static const char* last_error(ArrowArrayStream*) { return "the disk is gone"; }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    *out = self(stream).fields_.back().schema;
    out->private_data = stream->private_data;
    out->release = release_schema;
    return 0;
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    Source& source = self(stream);
    *out = {};
    if (source.next_ == source.batches_.size()) return source.fails_ ? 5 : 0;
    *out = *source.batches_[source.next_++];
    out->private_data = stream->private_data;
    out->release = release_array;
    return 0;
  }

  std::deque<ArrowField> fields_;
  std::deque<Piece> pieces_;
  std::vector<ArrowArray*> batches_;
  std::size_t next_ = 0;
  bool fails_ = false;
};

testing::Matcher<std::vector<double>> same(std::vector<double> values) {
  std::vector<testing::Matcher<double>> each;
  for (const double value : values) each.push_back(NanSensitiveDoubleEq(value));
  return testing::ElementsAreArray(each);
}

// Length, first letters or the whole text, buffer and offset.
std::vector<char> view_of(std::string_view text, std::int32_t buffer, std::int32_t offset) {
  std::vector<char> view(16);
  const auto length = static_cast<std::int32_t>(text.size());
  std::memcpy(view.data(), &length, 4);
  if (length <= 12) {
    if (length > 0) std::memcpy(view.data() + 4, text.data(), text.size());
    return view;
  }
  std::memcpy(view.data() + 4, text.data(), 4);
  std::memcpy(view.data() + 8, &buffer, 4);
  std::memcpy(view.data() + 12, &offset, 4);
  return view;
}

TEST(Arrow, NumbersInOnePieceAreLookedAtWhereTheyLie) {
  Source source("g");
  ArrowArray* const column = source.add_array(4, "", {bytes_of<double>({1.5, 2.5, 3.5, 4.5})});
  source.add_batch(column, 1);
  const ArrowTable table = source.read();
  ASSERT_EQ(table.rows(), 3u);
  const auto numbers = table.look(0);
  ASSERT_TRUE(numbers.has_value());
  EXPECT_EQ(numbers->first, static_cast<const double*>(column->buffers[1]) + 1);
  EXPECT_THAT(table.read(0).column.values, ElementsAre(2.5, 3.5, 4.5));
}

TEST(Arrow, PiecesWithGapsAreCopiedInOrder) {
  Source source("s");
  source.add_batch(source.add_array(3, "101", {bytes_of<std::int16_t>({7, 8, 9})}));
  ArrowArray* const sliced = source.add_array(1, "01", {bytes_of<std::int16_t>({-1, -2})});
  sliced->offset = 1;
  source.add_batch(sliced);
  const ArrowTable table = source.read();
  EXPECT_FALSE(table.look(0).has_value());
  const FrameColumn column = table.read(0).column;
  EXPECT_EQ(column.holds, Holds::integers);
  EXPECT_THAT(column.values, same({7, kNaN, 9, -2}));
}

TEST(Arrow, TextsOfAllThreeLayoutsAreTheSame) {
  const std::string letters = "rentownrent";
  Source narrow("u");
  narrow.add_batch(narrow.add_array(4, "1101", {bytes_of<std::int32_t>({0, 4, 7, 7, 11}), text_bytes(letters)}));
  Source wide("U");
  wide.add_batch(wide.add_array(4, "1101", {bytes_of<std::int64_t>({0, 4, 7, 7, 11}), text_bytes(letters)}));
  Source views("vu");
  std::vector<char> all;
  for (const std::string_view text : {"rent", "own", "", "rent"}) {
    const std::vector<char> view = view_of(text, 0, 0);
    all.insert(all.end(), view.begin(), view.end());
  }
  views.add_batch(views.add_array(4, "1101", {all}));
  for (Source* source : {&narrow, &wide, &views}) {
    const FrameColumn column = source->read().read(0).column;
    EXPECT_EQ(column.holds, Holds::texts);
    EXPECT_THAT(column.names, ElementsAre("rent", "own"));
    EXPECT_THAT(column.values, same({0, 1, kNaN, 0}));
  }
}

TEST(Arrow, LongTextsOfViewsLieInFurtherBuffers) {
  Source source("vu");
  std::vector<char> all = view_of("a text of more than twelve", 1, 3);
  const std::vector<char> second = view_of("another one of that kind", 0, 0);
  all.insert(all.end(), second.begin(), second.end());
  source.add_batch(source.add_array(
      2, "", {all, text_bytes("another one of that kind"), text_bytes("...a text of more than twelve"), {}}));
  EXPECT_THAT(source.read().read(0).column.names,
              ElementsAre("a text of more than twelve", "another one of that kind"));
}

TEST(Arrow, EveryPieceMayHaveADictionaryOfItsOwn) {
  Source source("c", "u");
  ArrowArray* const first = source.add_array(2, "", {bytes_of<std::int8_t>({1, 0})});
  first->dictionary = source.add_array(2, "", {bytes_of<std::int32_t>({0, 1, 2}), text_bytes("ab")});
  source.add_batch(first);
  ArrowArray* const second = source.add_array(3, "110", {bytes_of<std::int8_t>({0, 1, 0})});
  second->dictionary = source.add_array(2, "", {bytes_of<std::int32_t>({0, 1, 2}), text_bytes("bc")});
  source.add_batch(second);
  const FrameColumn column = source.read().read(0).column;
  EXPECT_THAT(column.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(column.values, same({1, 0, 1, 2, kNaN}));
}

TEST(Arrow, CategoriesOfNumbersSayWhatTheyWere) {
  Source source("I", "l");
  ArrowArray* const column = source.add_array(2, "", {bytes_of<std::uint32_t>({1, 0})});
  column->dictionary = source.add_array(2, "", {bytes_of<std::int64_t>({10, -3})});
  source.add_batch(column);
  const ArrowTable::Read read = source.read().read(0);
  EXPECT_THAT(read.column.names, ElementsAre("10", "-3"));
  EXPECT_EQ(read.names_hold, Holds::integers);
}

TEST(Arrow, ACategoryBeyondTheDictionaryIsRefused) {
  Source source("c", "u");
  ArrowArray* const column = source.add_array(1, "", {bytes_of<std::int8_t>({2})});
  column->dictionary = source.add_array(2, "", {bytes_of<std::int32_t>({0, 1, 2}), text_bytes("ab")});
  source.add_batch(column);
  const ArrowTable table = source.read();
  EXPECT_THROW((void)table.read(0), InputError);
}

TEST(Arrow, BooleansHalvesDecimalsAndNothingAreRead) {
  Source booleans("b");
  booleans.add_batch(booleans.add_array(3, "110", {{0b001}}));
  EXPECT_THAT(booleans.read().read(0).column.values, same({1, 0, kNaN}));
  Source halves("e");
  halves.add_batch(halves.add_array(4, "", {bytes_of<std::uint16_t>({0x3C00, 0xC100, 0x0001, 0x7E00})}));
  EXPECT_THAT(halves.read().read(0).column.values, same({1, -2.5, std::ldexp(1, -24), kNaN}));
  Source decimals("d:9,1");
  decimals.add_batch(decimals.add_array(3, "", {bytes_of<std::int64_t>({1, 0, -25, -1, 0, 0})}));
  EXPECT_THAT(decimals.read().read(0).column.values, ElementsAre(0.1, -2.5, 0));
  Source nothing("n");
  nothing.add_batch(nothing.add_array(2, "", {}));
  EXPECT_THAT(nothing.read().read(0).column.values, same({kNaN, kNaN}));
}

TEST(Arrow, DatesAndListsAreRefusedByName) {
  for (const auto& [format, words] : {std::pair("tdD", "dates"), {"tsu:UTC", "timestamps"}, {"+l", "lists"}}) {
    Source source(format);
    const ArrowTable table = source.read();
    try {
      (void)table.read(0);
      ADD_FAILURE() << format;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(),
                "X: column 'a' holds " + std::string(words) + "; allowed: numbers, booleans, texts and categories");
    }
  }
}

TEST(Arrow, WhatWasTakenIsReleasedOnce) {
  Source source("g");
  source.add_batch(source.add_array(1, "", {bytes_of<double>({1})}));
  source.add_batch(source.add_array(1, "", {bytes_of<double>({2})}));
  {
    ArrowTable table = source.read();
    EXPECT_EQ(source.released, 1);  // the stream
    const ArrowTable moved = std::move(table);
  }
  EXPECT_EQ(source.released, 4);
}

TEST(Arrow, AStreamThatFailsSaysWhy) {
  Source source("g");
  source.fail_at_the_end();
  try {
    (void)source.read();
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the disk is gone"));
  }
  EXPECT_EQ(source.released, 2);
}

}  // namespace
}  // namespace cfrules
