// JSON for small documents: settings, schemas, constraints, regions, imported forests, model metadata. Strict (RFC 8259),
// UTF-8 checked, depth and size capped, duplicate keys refused. In the core because both front ends and the model file
// need the same parser and the same sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cfrules {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // keys in the order written

  Json() : value_(nullptr) {}
  Json(std::nullptr_t) : value_(nullptr) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  // Throws InputError: "SOURCE: line 3, column 14: expected ',' or '}' but found 'x'".
  [[nodiscard]] static Json parse(std::string_view text, std::string_view source);

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&value_); }
  [[nodiscard]] const double* number() const { return std::get_if<double>(&value_); }
  [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] const Array* array() const { return std::get_if<Array>(&value_); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&value_); }
  [[nodiscard]] const Json* find(std::string_view key) const;  // null unless an object with this key
  [[nodiscard]] std::string_view type_name() const;            // "null", "a boolean", "a number", ...

 private:
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_;
};

// Writes JSON by appending: no intermediate tree. Commas and indentation are its business. NaN and infinities become null.
class JsonWriter {
 public:
  explicit JsonWriter(bool pretty = false) : pretty_(pretty) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);  // the shortest decimal that reads back as the same double
  JsonWriter& value(bool flag);
  JsonWriter& value(std::size_t number);
  JsonWriter& value(int number) { return value(static_cast<double>(number)); }
  JsonWriter& null();
  JsonWriter& raw(std::string_view json);  // an already written JSON value

  [[nodiscard]] const std::string& text() const { return out_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void before_value();
  void newline();

  bool pretty_;
  bool after_key_ = false;
  std::vector<bool> has_items_;  // one per open container
  std::string out_;
};

}  // namespace cfrules
