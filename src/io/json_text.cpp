#include "io/json_text.h"

namespace cfrules {
namespace {

void write(JsonWriter& out, const Json& value) {
  if (const bool* flag = value.boolean()) {
    out.value(*flag);
  } else if (const double* number = value.number()) {
    out.value(*number);
  } else if (const std::string* text = value.string()) {
    out.value(*text);
  } else if (const Json::Array* items = value.array()) {
    out.begin_array();
    for (const Json& item : *items) write(out, item);
    out.end_array();
  } else if (const Json::Object* members = value.object()) {
    out.begin_object();
    for (const auto& [key, member] : *members) write(out.key(key), member);
    out.end_object();
  } else {
    out.null();
  }
}

}  // namespace

std::string json_text(const Json& value) {
  JsonWriter out;
  write(out, value);
  return out.take();
}

}  // namespace cfrules
