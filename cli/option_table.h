// What a command can be told, as data: the parser, the help pages and the suggestions all read the same table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cfrules::cli {

// The command line itself is wrong, whatever the data are: exit code 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string names;        // "-o,--output", "--pi", or the bare name of a positional argument
  std::string placeholder;  // "FILE"; empty: a flag
  std::string help;
  bool required = false;
  std::function<void(const std::string& text)> set;  // throws UsageError
};

class OptionTable {
 public:
  // One of a few words.
  template <class Value>
  using Choices = std::initializer_list<std::pair<std::string_view, Value>>;

  Option& flag(std::string names, bool& into, std::string help);
  Option& text(std::string names, std::string placeholder, std::string& into, std::string help);
  Option& list(std::string names, std::string placeholder, std::vector<std::string>& into, std::string help);
  Option& count(std::string names, std::size_t& into, std::string help, std::size_t least = 0);
  Option& seed(std::string names, std::uint64_t& into, std::string help);
  Option& share(std::string names, double& into, std::string help);   // in [0, 1]
  Option& number(std::string names, double& into, std::string help);  // finite
  Option& custom(std::string names, std::string placeholder, std::function<void(const std::string&)> set,
                 std::string help);

  // into may be the value or an optional of it.
  template <class Value, class Into>
  Option& choice(std::string names, Into& into, Choices<Value> choices, std::string help) {
    std::vector<std::pair<std::string, Value>> known(choices.begin(), choices.end());
    std::string placeholder;
    for (const auto& [word, value] : known) placeholder.append(placeholder.empty() ? "" : "|").append(word);
    auto set = [&into, known, names, placeholder](const std::string& text) {
      for (const auto& [word, value] : known) {
        if (word != text) continue;
        into = value;
        return;
      }
      throw UsageError(names + " is \"" + text + "\"; allowed: " + placeholder);
    };
    return custom(std::move(names), placeholder, std::move(set), std::move(help));
  }

  [[nodiscard]] const std::vector<Option>& options() const { return options_; }

 private:
  std::vector<Option> options_;
};

// Comma-separated items; empty ones are refused. what names them in the error.
[[nodiscard]] std::vector<std::string> split_list(const std::string& text, const std::string& what);

}  // namespace cfrules::cli
