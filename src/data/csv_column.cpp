#include "data/csv_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/decimal.h"
#include "base/limits.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "data/csv_number.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

constexpr double kMostlyNumbers = 0.9;
constexpr std::array<std::string_view, 6> kAlwaysMissing = {"NA", "N/A", "NaN", "null", "None", "?"};

using WordPair = std::array<std::string_view, 2>;
constexpr std::array<WordPair, 5> kBooleanWords = {
    {{"false", "true"}, {"no", "yes"}, {"0", "1"}, {"f", "t"}, {"n", "y"}}};

bool parse_cell(const Field& field, double& value, bool& whole) {
  if (parse_decimal(field.text, value, whole)) return true;
  const std::string_view inside = trimmed(field.text);
  return inside.size() < field.text.size() && parse_decimal(inside, value, whole);
}

std::string_view category_text(const Field& field) { return field.quoted ? field.text : trimmed(field.text); }

// The word in the manner of the example: all capitals, first capital or as it is.
std::string in_the_manner_of(std::string_view word, std::string_view example) {
  const auto capital = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
  std::string out(word);
  if (example.empty() || !capital(example.front())) return out;
  const std::size_t capitals = std::all_of(example.begin(), example.end(), capital) ? out.size() : 1;
  for (std::size_t i = 0; i < capitals; ++i)
    if (out[i] >= 'a' && out[i] <= 'z') out[i] = static_cast<char>(out[i] - 'a' + 'A');
  return out;
}

// The pair that all texts belong to, or null.
const WordPair* boolean_words(const TextDictionary& texts, std::size_t most_pairs) {
  const auto fits = [&](const WordPair& pair) {
    return std::all_of(texts.entries().begin(), texts.entries().end(), [&](const TextDictionary::Entry& entry) {
      return equal_ignoring_case(entry.text, pair[0]) || equal_ignoring_case(entry.text, pair[1]);
    });
  };
  const auto end = kBooleanWords.begin() + static_cast<std::ptrdiff_t>(most_pairs);
  const auto found = std::find_if(kBooleanWords.begin(), end, fits);
  return found == end || texts.entries().empty() ? nullptr : &*found;
}

}  // namespace

void MissingMarkers::add(const std::vector<std::string>& markers) {
  for (const std::string& marker : markers) {
    words_.emplace_back(trimmed(marker));
    double number = 0;
    if (parse_decimal(words_.back(), number)) numbers_.push_back(number);
  }
}

bool MissingMarkers::match(std::string_view trimmed_text) const {
  if (trimmed_text.empty()) return true;
  const auto same = [&](std::string_view word) { return equal_ignoring_case(word, trimmed_text); };
  return (trimmed_text.size() <= 4 && std::any_of(kAlwaysMissing.begin(), kAlwaysMissing.end(), same)) ||
         std::any_of(words_.begin(), words_.end(), same);
}

bool MissingMarkers::match(double number) const {
  return std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end();
}

std::uint32_t TextDictionary::add(std::string_view text, std::size_t line) {
  const auto at = index_.find(text);
  if (at != index_.end()) {
    ++entries_[at->second].count;
    return at->second;
  }
  const auto place = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({std::string(text), line, 1});
  index_.emplace(entries_.back().text, place);
  return place;
}

std::optional<std::uint32_t> TextDictionary::find(std::string_view text) const {
  const auto at = index_.find(text);
  return at == index_.end() ? std::nullopt : std::optional(at->second);
}

void TextDictionary::clear() {
  index_.clear();
  entries_.clear();
}

ColumnBuilder::ColumnBuilder(ColumnPlan plan, std::size_t index, std::size_t most_rows)
    : plan_(std::move(plan)), index_(index) {
  values_.reserve(most_rows);
  for (const std::string& category : plan_.categories) texts_.add(category, 0);
  if (!plan_.kind) {
    mode_ = plan_.categories.empty() ? Mode::infer : Mode::known;
  } else if (*plan_.kind == Kind::number || *plan_.kind == Kind::integer) {
    mode_ = Mode::number;
  } else {
    mode_ = plan_.categories.empty() ? Mode::text : Mode::known;
  }
}

void ColumnBuilder::add(const CsvReader& reader) {
  const Field& field = reader.fields()[index_];
  switch (mode_) {
    case Mode::infer:
      return add_inferred(field, reader);
    case Mode::number:
      return add_number(field, reader);
    case Mode::text:
      return add_text(field, reader);
    case Mode::known:
      return add_known(field, reader);
  }
}

void ColumnBuilder::add_inferred(const Field& field, const CsvReader& reader) {
  double value = 0;
  bool whole = false;
  if (parse_cell(field, value, whole)) {
    if (plan_.missing.match(value)) {
      values_.push_back(kNaN);
      return;
    }
    ++numbers_;
    whole_ = whole_ && whole && std::abs(value) <= kLargestInteger;
    if (std::abs(value) >= kLargestInteger && whole && rounded_.entries().empty() &&
        !is_exact(trimmed(field.text), value))
      rounded_.add(trimmed(field.text), reader.line());
    values_.push_back(value);
  } else if (plan_.missing.match(trimmed(field.text))) {
    values_.push_back(kNaN);
  } else {
    ++text_cells_;
    values_.push_back(texts_.add(category_text(field), reader.line()));
  }
}

void ColumnBuilder::add_number(const Field& field, const CsvReader& reader) {
  double value = 0;
  bool whole = false;
  const bool number = parse_cell(field, value, whole);
  if (!number && !plan_.missing.match(trimmed(field.text)))
    throw InputError(reader.place(index_) + ": " + why_not_a_number(trimmed(field.text)));
  if (!number || plan_.missing.match(value)) value = kNaN;
  check_number(value, field, reader);
  values_.push_back(value);
}

void ColumnBuilder::check_number(double value, const Field& field, const CsvReader& reader) const {
  if (plan_.weights && !(value >= 0 && value <= limits::kWeight))
    throw InputError(reader.place(index_) + ": a weight must be a number from 0 to 1e15, not " +
                     quote(trimmed(field.text)));
  if (std::isnan(value) || plan_.kind != Kind::integer) return;
  if (value != std::trunc(value) || std::abs(value) > kLargestInteger)
    throw InputError(reader.place(index_) + ": " + quote(trimmed(field.text)) +
                     " is not a whole number of at most 2^53, and the column is an integer");
}

void ColumnBuilder::add_text(const Field& field, const CsvReader& reader) {
  const bool missing = plan_.missing.match(trimmed(field.text));
  values_.push_back(missing ? kNaN : texts_.add(category_text(field), reader.line()));
}

std::optional<double> ColumnBuilder::find_known(std::string_view text) const {
  if (const std::optional<std::uint32_t> place = texts_.find(text)) return place;
  double number = 0;
  if (plan_.classes && parse_decimal(text, number)) return texts_.find(shortest_decimal(number));
  const bool any_case = plan_.kind == Kind::boolean || (plan_.classes && boolean_words(texts_, 1));
  for (std::size_t word = 0; any_case && word < plan_.categories.size(); ++word)
    if (equal_ignoring_case(plan_.categories[word], text)) return static_cast<double>(word);
  return std::nullopt;
}

// A listed category counts even if it reads like a missing marker: the user named it.
void ColumnBuilder::add_known(const Field& field, const CsvReader& reader) {
  const std::string_view text = category_text(field);
  if (const std::optional<double> place = find_known(text)) {
    values_.push_back(*place);
    return;
  }
  if (!plan_.unseen_as_missing && !plan_.missing.match(trimmed(field.text)))
    throw InputError(reader.place(index_) + ": " + quote(text) + " is not among the known " +
                     (plan_.classes ? "classes " : "categories ") + quote_list(plan_.categories));
  values_.push_back(kNaN);
}

void ColumnBuilder::check_not_mostly_numbers(const CsvReader& reader) const {
  const TextDictionary::Entry* culprit = nullptr;
  std::size_t meant = 0;
  for (const TextDictionary::Entry& entry : texts_.entries()) {
    if (!meant_as_number(trimmed(entry.text))) continue;
    meant += entry.count;
    if (!culprit) culprit = &entry;
  }
  const double share = static_cast<double>(numbers_ + meant) / static_cast<double>(numbers_ + text_cells_);
  if (plan_.mixed_allowed || share <= kMostlyNumbers) return;
  if (!culprit || texts_.entries().front().line < culprit->line) culprit = &texts_.entries().front();
  const std::string text = quote(culprit->text);
  const std::string line = " on line " + std::to_string(culprit->line);
  if (meant_as_number(trimmed(culprit->text)))
    throw InputError(reader.name() + ": column " + quote(plan_.name) + " is a number, but" + line + " " +
                     why_not_a_number(trimmed(culprit->text)) + "; or declare the column a category in a schema file");
  throw InputError(reader.name() + ": column " + quote(plan_.name) + " is a number except" + line + " where it holds " +
                   text + "; declare it a category in a schema file, or add " + text + " to the missing markers");
}

// A rule about dates as names would be no rule; as numbers they can be learned from.
void ColumnBuilder::check_not_dates(const CsvReader& reader) const {
  const auto date = [](const TextDictionary::Entry& entry) { return is_date(trimmed(entry.text)); };
  const auto& entries = texts_.entries();
  if (plan_.mixed_allowed || numbers_ > 0 || !std::all_of(entries.begin(), entries.end(), date)) return;
  throw InputError(reader.name() + ", line " + std::to_string(entries.front().line) + ", column " + quote(plan_.name) +
                   ": " + quote(entries.front().text) +
                   " is a date; turn dates into numbers such as days or years, leave the column out, or declare it a "
                   "category in a schema file");
}

void ColumnBuilder::check_not_rounded(const CsvReader& reader) const {
  if (rounded_.entries().empty()) return;
  const TextDictionary::Entry& culprit = rounded_.entries().front();
  throw InputError(reader.name() + ", line " + std::to_string(culprit.line) + ", column " + quote(plan_.name) + ": " +
                   quote(culprit.text) +
                   " is beyond 2^53 and would be rounded; leave the column out if it is an identifier, or declare it a "
                   "category, or a number that may be rounded, in a schema file");
}

bool ColumnBuilder::end_reading(const CsvReader& reader) {
  if (mode_ != Mode::infer) return false;
  if (text_cells_ == 0) {
    check_not_rounded(reader);
    return false;
  }
  check_not_mostly_numbers(reader);
  check_not_dates(reader);
  mode_ = Mode::text;
  if (numbers_ == 0) {
    plan_.kind = boolean_words(texts_, 1) ? Kind::boolean : Kind::category;
    return false;
  }
  plan_.kind = Kind::category;
  values_.clear();
  texts_.clear();
  return true;
}

Column ColumnBuilder::finish(const CsvReader& reader) {
  if (mode_ == Mode::infer || mode_ == Mode::number) return finish_numbers();
  if (mode_ == Mode::known)
    return {{plan_.name, plan_.kind.value_or(Kind::category), std::move(plan_.categories)}, std::move(values_)};
  return plan_.kind == Kind::boolean ? finish_boolean(reader) : finish_categories();
}

Column ColumnBuilder::finish_numbers() {
  const Kind inferred = whole_ && numbers_ > 0 ? Kind::integer : Kind::number;
  return {{plan_.name, plan_.kind.value_or(inferred), {}}, std::move(values_)};
}

Column ColumnBuilder::finish_boolean(const CsvReader& reader) {
  const auto& entries = texts_.entries();
  const WordPair* const pair = entries.empty() ? &kBooleanWords.front() : boolean_words(texts_, kBooleanWords.size());
  if (!pair)
    throw InputError(
        reader.name() + ", line " + std::to_string(entries.back().line) + ", column " + quote(plan_.name) + ": " +
        quote(entries.back().text) +
        " does not go with the other cells of a boolean; two words such as 'false' and 'true' are allowed");
  std::vector<std::string> words(2);
  std::vector<double> value_of(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t word = equal_ignoring_case(entries[i].text, (*pair)[0]) ? 0 : 1;
    value_of[i] = static_cast<double>(word);
    if (words[word].empty()) words[word] = entries[i].text;
  }
  for (std::size_t word = 0; word < 2; ++word)
    if (words[word].empty()) words[word] = in_the_manner_of((*pair)[word], words[1 - word]);
  for (double& value : values_)
    if (!std::isnan(value)) value = value_of[static_cast<std::size_t>(value)];
  return {{plan_.name, Kind::boolean, std::move(words)}, std::move(values_)};
}

Column ColumnBuilder::finish_categories() {
  const auto& entries = texts_.entries();
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return entries[a].text < entries[b].text; });
  std::vector<std::string> names(entries.size());
  std::vector<double> value_of(entries.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    names[i] = entries[order[i]].text;
    value_of[order[i]] = static_cast<double>(i);
  }
  for (double& value : values_)
    if (!std::isnan(value)) value = value_of[static_cast<std::size_t>(value)];
  texts_.clear();
  return {{plan_.name, Kind::category, std::move(names)}, std::move(values_)};
}

Table table_of(std::vector<Column> columns) {
  Schema schema;
  std::vector<std::vector<double>> values;
  for (Column& column : columns) {
    schema.push_back(std::move(column.feature));
    values.push_back(std::move(column.values));
  }
  return {std::move(schema), std::move(values)};
}

}  // namespace cfrules
