#include "option_table.h"

#include <charconv>

#include "words.h"

namespace cfrules::cli {
namespace {

[[noreturn]] void refuse(const std::string& names, const std::string& text, const std::string& allowed) {
  throw UsageError(names + " is \"" + text + "\"; allowed: " + allowed);
}

std::uint64_t whole_number(const std::string& names, const std::string& text, std::uint64_t least) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  if (!whole || value < least) refuse(names, text, "a whole number of at least " + std::to_string(least));
  return value;
}

double decimal(const std::string& names, const std::string& text, const std::string& allowed) {
  double value = 0;
  if (!read_number(text, value)) refuse(names, text, allowed);
  return value;
}

}  // namespace

Option& OptionTable::custom(std::string names, std::string placeholder, std::function<void(const std::string&)> set,
                            std::string help) {
  options_.push_back({std::move(names), std::move(placeholder), std::move(help), false, std::move(set)});
  return options_.back();
}

Option& OptionTable::flag(std::string names, bool& into, std::string help) {
  return custom(std::move(names), "", [&into](const std::string&) { into = true; }, std::move(help));
}

Option& OptionTable::text(std::string names, std::string placeholder, std::string& into, std::string help) {
  auto set = [&into, names](const std::string& value) {
    if (value.empty()) throw UsageError(names + " is empty");
    into = value;
  };
  return custom(std::move(names), std::move(placeholder), std::move(set), std::move(help));
}

Option& OptionTable::list(std::string names, std::string placeholder, std::vector<std::string>& into,
                          std::string help) {
  auto set = [&into, names](const std::string& value) { into = split_list(value, names); };
  return custom(std::move(names), std::move(placeholder), std::move(set), std::move(help));
}

Option& OptionTable::count(std::string names, std::size_t& into, std::string help, std::size_t least) {
  auto set = [&into, names, least](const std::string& value) { into = whole_number(names, value, least); };
  return custom(std::move(names), "N", std::move(set), std::move(help));
}

Option& OptionTable::seed(std::string names, std::uint64_t& into, std::string help) {
  auto set = [&into, names](const std::string& value) { into = whole_number(names, value, 0); };
  return custom(std::move(names), "N", std::move(set), std::move(help));
}

Option& OptionTable::share(std::string names, double& into, std::string help) {
  auto set = [&into, names](const std::string& value) {
    const double share = decimal(names, value, "a number from 0 to 1");
    if (share < 0 || share > 1) refuse(names, value, "a number from 0 to 1");
    into = share;
  };
  return custom(std::move(names), "P", std::move(set), std::move(help));
}

Option& OptionTable::number(std::string names, double& into, std::string help) {
  auto set = [&into, names](const std::string& value) { into = decimal(names, value, "a number"); };
  return custom(std::move(names), "X", std::move(set), std::move(help));
}

std::vector<std::string> split_list(const std::string& text, const std::string& what) {
  std::vector<std::string> items;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    items.push_back(text.substr(start, end - start));
    if (items.back().empty())
      throw UsageError(what + " is \"" + text + "\"; allowed: items separated by single commas");
    start = end + 1;
  }
  return items;
}

}  // namespace cfrules::cli
