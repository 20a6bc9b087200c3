#include "data/csv_reader.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <unordered_set>

#include "base/limits.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kDelimiters = ",;\t|";
constexpr std::uint64_t kEveryByte = 0x0101010101010101;
constexpr auto kLongestLine = static_cast<std::ptrdiff_t>(limits::kLineBytes.most);
constexpr std::size_t kRecordsToJudge = 10;
constexpr std::size_t kBytesToJudge = std::size_t{1} << 20;

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

std::string system_reason() { return std::generic_category().message(errno); }

// Sets the high bit of the lowest byte of word that equals the byte repeated in pattern, and perhaps of higher ones.
constexpr std::uint64_t mark_bytes(std::uint64_t word, std::uint64_t pattern) {
  const std::uint64_t difference = word ^ pattern;
  return (difference - kEveryByte) & ~difference & (kEveryByte << 7);
}

// Where an unquoted field ends: eight bytes at a time, which spares a mispredicted branch per field.
const char* find_field_end(const char* at, const char* end, char delimiter) {
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t delimiters = kEveryByte * static_cast<unsigned char>(delimiter);
    for (std::uint64_t word = 0; end - at >= 8; at += 8) {
      std::memcpy(&word, at, sizeof word);
      const std::uint64_t marks =
          mark_bytes(word, delimiters) | mark_bytes(word, kEveryByte * '\n') | mark_bytes(word, kEveryByte * '\r');
      if (marks) return at + std::countr_zero(marks) / 8;
    }
  }
  while (at != end && *at != delimiter && *at != '\n' && *at != '\r') ++at;
  return at;
}

// Fields per record for one delimiter, quotes respected, nothing checked; at most the first few records.
std::vector<std::size_t> count_fields(std::string_view text, char delimiter) {
  std::vector<std::size_t> counts;
  std::size_t fields = 1;
  bool inside = false;
  bool blank = true;
  for (const char letter : text) {
    if (letter == '"') inside = !inside;
    if (!inside && (letter == '\n' || letter == '\r')) {
      if (!blank) counts.push_back(fields);
      if (counts.size() == kRecordsToJudge) return counts;
      fields = 1;
      blank = true;
      continue;
    }
    if (!inside && letter == delimiter) ++fields;
    blank = false;
  }
  if (!blank) counts.push_back(fields);
  return counts;
}

// The delimiter that gives the header most fields, those under which the next records have as many preferred.
char most_plausible_delimiter(std::string_view text) {
  char best = kDelimiters.front();
  std::size_t best_score = 1;
  for (const char delimiter : kDelimiters) {
    const std::vector<std::size_t> counts = count_fields(text, delimiter);
    if (counts.empty() || counts.front() == 1) continue;
    const bool regular = std::all_of(counts.begin(), counts.end(), [&](std::size_t n) { return n == counts.front(); });
    constexpr std::size_t kRegular = std::size_t{1} << 40;
    const std::size_t score = counts.front() + (regular ? kRegular : 0);
    if (score <= best_score) continue;
    best = delimiter;
    best_score = score;
  }
  return best;
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

void FileBytes::grow(std::size_t capacity) {
  char* const moved = static_cast<char*>(std::realloc(bytes_.get(), capacity));
  if (!moved) throw std::bad_alloc();
  static_cast<void>(bytes_.release());
  bytes_.reset(moved);
  capacity_ = capacity;
}

FileBytes FileBytes::read(const std::string& path) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) throw IoError(path + " is a directory, not a file");
  const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) throw IoError("cannot open " + path + ": " + system_reason());
  FileBytes bytes;
  const auto expected = std::filesystem::file_size(path, ignored);
  bytes.grow(path == "-" || ignored ? kFirstCapacity : std::max<std::size_t>(expected + 1, kFirstCapacity));
  for (;;) {
    const std::size_t room = bytes.capacity_ - bytes.size_;
    const std::size_t got = std::fread(bytes.bytes_.get() + bytes.size_, 1, room, file.get());
    bytes.size_ += got;
    // No text holds a NUL: what follows is not read, since a device may go on for ever.
    if (got < room || std::memchr(bytes.bytes_.get() + bytes.size_ - got, '\0', got) != nullptr) break;
    bytes.grow(2 * bytes.capacity_);
  }
  if (std::ferror(file.get())) throw IoError("cannot read " + display_name(path) + ": " + system_reason());
  return bytes;
}

void FileBytes::release() {
  bytes_.reset();
  size_ = capacity_ = 0;
}

CsvReader::CsvReader(std::string_view text, std::string name, char delimiter) : name_(std::move(name)), text_(text) {
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
    throw InputError(name_ + ": the file is UTF-16; save it as UTF-8");
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  end_ = text_.data() + text_.size();
  at_ = text_.data();
  delimiter_ = delimiter ? delimiter : most_plausible_delimiter(text_.substr(0, kBytesToJudge));
  if (delimiter_ == '"' || delimiter_ == '\n' || delimiter_ == '\r' || static_cast<unsigned char>(delimiter_) >= 0x80)
    throw InputError("the delimiter may be any ASCII character but a quote or a line end");
  check_encoding();
  read_header();
}

void CsvReader::check_encoding() {
  const std::size_t nul = text_.find('\0');
  if (nul != std::string_view::npos) fail_at(at_ + nul, "the text holds a NUL byte");
  const std::size_t invalid = find_invalid_utf8(text_);
  if (invalid != std::string_view::npos) fail_at(at_ + invalid, "the text is not valid UTF-8; save the file as UTF-8");
}

// Names the place of a byte by reading up to it.
void CsvReader::fail_at(const char* culprit, const std::string& what) {
  while (skip_blank_lines()) {
    line_ = next_line_;
    fields_.clear();
    for (;; ++at_) {
      read_field();
      if (at_ > culprit) throw InputError(place(fields_.size() - 1) + ": " + what);
      if (at_line_end(at_)) break;
    }
    if (header_.empty())
      for (const Field& field : fields_) header_.emplace_back(trimmed(field.text));
    end_line();
  }
  throw InputError(name_ + ": " + what);
}

void CsvReader::read_header() {
  if (!read_record()) throw InputError(name_ + ": the file is empty; a header line and rows are needed");
  std::unordered_set<std::string_view> seen;
  std::vector<std::string> names;
  names.reserve(fields_.size());
  for (const Field& field : fields_) {
    const std::string& column = names.emplace_back(field.quoted ? field.text : trimmed(field.text));
    if (trimmed(column).empty())
      throw InputError(place() + ": column " + std::to_string(names.size()) + " of the header has no name");
    if (!seen.insert(column).second)
      throw InputError(place() + ": two columns are called " + quote(column) + "; names must be unique");
  }
  header_ = std::move(names);
  body_ = at_;
  body_line_ = next_line_;
}

std::string CsvReader::place() const { return name_ + ", line " + std::to_string(line_); }

std::string CsvReader::place(std::size_t column) const {
  if (column < header_.size()) return place() + ", column " + quote(header_[column]);
  return place() + ", field " + std::to_string(column + 1);
}

void CsvReader::rewind() {
  at_ = body_;
  next_line_ = body_line_;
}

std::size_t CsvReader::most_records() const {
  auto ends = std::count(at_, end_, '\n');
  if (ends == 0) ends = std::count(at_, end_, '\r');
  // A record has at least one byte per field; keeps a file of blank lines from claiming memory.
  const std::size_t fitting = static_cast<std::size_t>(end_ - at_) / header_.size();
  return std::min(static_cast<std::size_t>(ends), fitting) + 1;
}

void CsvReader::end_line() {
  if (at_ == end_) return;
  if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
  ++at_;
  ++next_line_;
}

bool CsvReader::skip_blank_lines() {
  while (at_ != end_) {
    const char* start = at_;
    while (start != end_ && *start == ' ' && delimiter_ != ' ') ++start;
    if (!at_line_end(start)) return true;
    at_ = start;
    end_line();
  }
  return false;
}

void CsvReader::refuse_size(const char* start) const {
  require_within(limits::kLineBytes, static_cast<std::size_t>(at_ - start), place());
  require_within(limits::kColumns, fields_.size(), place());
}

bool CsvReader::read_record() {
  fields_.clear();
  unescaped_.clear();
  if (!skip_blank_lines()) return false;
  line_ = next_line_;
  const char* const start = at_;
  for (;; ++at_) {
    read_field();
    if (at_line_end(at_)) break;
    if (fields_.size() > limits::kColumns.most) break;
  }
  if (fields_.size() > limits::kColumns.most || at_ - start > kLongestLine) refuse_size(start);
  end_line();
  return true;
}

bool CsvReader::next() {
  if (!read_record()) return false;
  if (fields_.size() == header_.size()) return true;
  throw InputError(place() + ": " + std::to_string(fields_.size()) + (fields_.size() == 1 ? " field" : " fields") +
                   " where the header has " + std::to_string(header_.size()));
}

void CsvReader::read_field() {
  const char* start = at_;
  while (start != end_ && *start == ' ' && delimiter_ != ' ') ++start;
  if (start != end_ && *start == '"') return read_quoted(start);
  const char* const at = find_field_end(start, end_, delimiter_);
  fields_.push_back({{at_, static_cast<std::size_t>(at - at_)}, false});
  at_ = at;
}

// Spaces around the quotes are let pass.
void CsvReader::read_quoted(const char* opening) {
  const char* at = opening + 1;
  bool doubled = false;
  for (;; at += 2, doubled = true) {
    at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end_ - at)));
    if (!at) throw InputError(place(fields_.size()) + ": the quote that opens there is never closed");
    if (at + 1 == end_ || at[1] != '"') break;
  }
  const std::string_view inside(opening + 1, static_cast<std::size_t>(at - opening - 1));
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] == '\n' || (inside[i] == '\r' && inside.substr(i + 1, 1) != "\n")) ++next_line_;
  fields_.push_back({doubled ? unescaped(inside) : inside, true});
  ++at;
  while (at != end_ && *at == ' ' && delimiter_ != ' ') ++at;
  at_ = at;
  if (at_line_end(at) || *at == delimiter_) return;
  const char* const stop = std::find_if(at, end_, [&](char c) { return c == delimiter_ || c == '\n' || c == '\r'; });
  throw InputError(place(fields_.size() - 1) + ": after the closing quote stands " +
                   quote({at, static_cast<std::size_t>(stop - at)}) +
                   "; a quote inside quotes is written twice, and nothing may follow the closing one");
}

std::string_view CsvReader::unescaped(std::string_view text) {
  std::string& out = unescaped_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"') ++i;
  }
  return out;
}

}  // namespace cfrules
