// Takes known keys out of a dictionary, each with a check of its type.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cfrules/error.h"

namespace cfrules::python {

namespace nb = nanobind;

class OptionReader {
 public:
  explicit OptionReader(const nb::dict& options) : left_(nb::steal<nb::dict>(PyDict_Copy(options.ptr()))) {}

  template <class Value>
  void read(const char* key, Value& into) {
    const nb::object given = take(key);
    if (given.is_valid() && !nb::try_cast<Value>(given, into)) refuse(key, given, type_wanted(into));
  }

  template <class Value, class Into>
  void choose(const char* key, Into& into, const std::vector<std::pair<std::string, Value>>& choices) {
    const nb::object given = take(key);
    if (!given.is_valid()) return;
    std::string allowed;
    std::string word;
    const bool text = nb::try_cast<std::string>(given, word);
    for (const auto& [name, value] : choices) {
      allowed += (allowed.empty() ? "" : ", ") + name;
      if (text && name == word) {
        into = value;
        return;
      }
    }
    refuse(key, given, allowed);
  }

  // Invalid if the key is not there.
  nb::object take(const char* key) {
    const nb::str name(key);
    if (!left_.contains(name)) return {};
    nb::object value = left_[name];
    nb::del(left_[name]);
    return value;
  }

  [[nodiscard]] const nb::dict& left() const { return left_; }

  void finish() const {
    for (const auto& [key, value] : left_) throw InputError("unknown option " + nb::cast<std::string>(nb::repr(key)));
  }

 private:
  static const char* type_wanted(double) { return "a number"; }
  static const char* type_wanted(bool) { return "True or False"; }
  static const char* type_wanted(const std::string&) { return "a text"; }
  static const char* type_wanted(std::size_t) { return "a whole number of at least 0"; }
  static const char* type_wanted(const std::vector<std::string>&) { return "a list of names"; }
  static const char* type_wanted(const std::vector<double>&) { return "a list of numbers"; }

  [[noreturn]] static void refuse(const char* key, const nb::object& given, const std::string& allowed) {
    throw InputError(std::string(key) + " is " + nb::cast<std::string>(nb::repr(given)) + "; allowed: " + allowed);
  }

  nb::dict left_;
};

}  // namespace cfrules::python
