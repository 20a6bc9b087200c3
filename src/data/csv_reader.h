// CSV text into records: comes in as bytes, goes out as fields that are views into one buffer. Knows quotes, line ends,
// delimiters, encoding; knows nothing of columns' meanings.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cfrules {

// The bytes of a file, read once. Grown with realloc, which moves pages and never holds large contents twice.
class FileBytes {
 public:
  // path "-" is standard input. Throws IoError if it cannot be read.
  [[nodiscard]] static FileBytes read(const std::string& path);

  [[nodiscard]] std::string_view text() const { return {bytes_.get(), size_}; }
  void release();

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  void grow(std::size_t capacity);

  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// The name of a file in messages.
[[nodiscard]] std::string display_name(const std::string& path);

struct Field {
  std::string_view text;  // without quotes, not trimmed; valid until the next record
  bool quoted = false;
};

class CsvReader {
 public:
  // Reads the header. delimiter 0: the most plausible of , ; tab |. Throws InputError on an empty file, NUL bytes, text
  // that is not UTF-8, a column without a name or with the name of another.
  CsvReader(std::string_view text, std::string name, char delimiter);

  // The next record under the header that is not a blank line, with as many fields as the header; false at the end.
  // Throws InputError on bad quotes and another number of fields.
  bool next();
  void rewind();  // to the first record under the header

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }
  [[nodiscard]] std::size_t line() const { return line_; }    // physical, from 1, where the record starts
  [[nodiscard]] std::string place() const;                    // "loans.csv, line 7"
  [[nodiscard]] std::string place(std::size_t column) const;  // "loans.csv, line 7, column 'age'"
  [[nodiscard]] std::size_t most_records() const;             // at least the number of records still to come

 private:
  void check_encoding();
  [[noreturn]] void fail_at(const char* culprit, const std::string& what);
  void read_header();
  bool read_record();
  void refuse_size(const char* start) const;  // of the record that began there
  bool skip_blank_lines();
  void read_field();
  void read_quoted(const char* opening);
  [[nodiscard]] std::string_view unescaped(std::string_view text);
  [[nodiscard]] bool at_line_end(const char* at) const { return at == end_ || *at == '\n' || *at == '\r'; }
  void end_line();

  std::string name_;
  std::string_view text_;
  const char* end_;
  const char* at_;
  char delimiter_;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
  std::vector<std::string> header_;
  const char* body_ = nullptr;  // where the records under the header begin
  std::size_t body_line_ = 1;
  std::vector<Field> fields_;
  std::deque<std::string> unescaped_;  // fields of this record that held doubled quotes
};

}  // namespace cfrules
