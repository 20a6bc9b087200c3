#include <algorithm>
#include <unordered_set>

#include "base/decimal.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "cfrules/csv.h"
#include "cfrules/error.h"
#include "data/csv_reader.h"

namespace cfrules {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) { throw InputError(where + ": " + what); }

Kind parse_kind(const Json& value, const std::string& where) {
  constexpr std::string_view kAllowed = "'number', 'integer', 'boolean' and 'category' are allowed";
  const std::string* name = value.string();
  if (!name) fail(where, "the kind is " + std::string(value.type_name()) + "; " + std::string(kAllowed));
  for (const Kind kind : {Kind::number, Kind::integer, Kind::boolean, Kind::category})
    if (name_of(kind) == *name) return kind;
  fail(where, "the kind is " + quote(*name) + "; " + std::string(kAllowed));
}

std::vector<std::string> parse_texts(const Json& value, const std::string& where, bool numbers_allowed) {
  const std::string needed = numbers_allowed ? "strings or numbers" : "strings";
  if (!value.array())
    fail(where, "found " + std::string(value.type_name()) + " where an array of " + needed + " is needed");
  std::vector<std::string> texts;
  for (const Json& item : *value.array()) {
    if (item.string()) {
      texts.push_back(*item.string());
    } else if (item.number() && numbers_allowed) {
      texts.push_back(shortest_decimal(*item.number()));
    } else {
      fail(where, "found " + std::string(item.type_name()) + " in an array of " + needed);
    }
  }
  return texts;
}

void check_categories(const ColumnHint& hint, const std::string& where) {
  if (hint.categories.empty()) return;
  if (hint.kind == Kind::number || hint.kind == Kind::integer)
    fail(where, "a column of kind " + quote(name_of(*hint.kind)) + " has no categories");
  if (hint.kind == Kind::boolean && hint.categories.size() != 2)
    fail(where,
         "a boolean has two categories, the words for false and true, not " + std::to_string(hint.categories.size()));
  std::unordered_set<std::string_view> seen;
  for (const std::string& category : hint.categories) {
    if (category.empty()) fail(where, "a category has no name");
    if (!seen.insert(category).second) fail(where, "the category " + quote(category) + " is there twice");
  }
}

ColumnHint parse_hint(const std::string& name, const Json& value, const std::string& source) {
  const std::string where = source + ": column " + quote(name);
  ColumnHint hint;
  hint.name = name;
  if (value.string()) {
    hint.kind = parse_kind(value, where);
    return hint;
  }
  if (!value.object())
    fail(where, "found " + std::string(value.type_name()) +
                    " where a kind or an object with the keys 'kind', 'categories', 'missing' is needed");
  for (const auto& [key, item] : *value.object()) {
    if (key == "kind") {
      hint.kind = parse_kind(item, where);
    } else if (key == "categories") {
      hint.categories = parse_texts(item, where + ", 'categories'", false);
      if (hint.categories.empty()) fail(where, "'categories' is empty; leave it out to take them as seen");
    } else if (key == "missing") {
      hint.missing = parse_texts(item, where + ", 'missing'", true);
    } else {
      fail(where, "the key " + quote(key) + " is unknown; 'kind', 'categories' and 'missing' are allowed");
    }
  }
  check_categories(hint, where);
  return hint;
}

}  // namespace

std::vector<ColumnHint> read_schema_file(const std::string& path) {
  const FileBytes bytes = FileBytes::read(path);
  const std::string source = display_name(path);
  require_within(limits::kSettingsBytes, bytes.text().size(), source);
  const Json document = Json::parse(bytes.text(), source);
  if (!document.object())
    fail(source, "found " + std::string(document.type_name()) + " where an object with the key 'columns' is needed");
  for (const auto& [key, value] : *document.object())
    if (key != "columns") fail(source, "the key " + quote(key) + " is unknown; only 'columns' is allowed");
  const Json* columns = document.find("columns");
  if (!columns || !columns->object()) fail(source, "an object under the key 'columns' is needed");
  std::vector<ColumnHint> hints;
  for (const auto& [name, value] : *columns->object()) hints.push_back(parse_hint(name, value, source));
  return hints;
}

}  // namespace cfrules
