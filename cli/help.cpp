#include "help.h"

#include <algorithm>
#include <numeric>

#include "cfrules/version.h"
#include "words.h"

namespace cfrules::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kHelpColumn = 34;

bool is_positional(const Option& option) { return !option.names.starts_with('-'); }

std::string option_entry(const Option& option) {
  std::string names = option.names;
  std::replace(names.begin(), names.end(), ',', ' ');
  if (!option.placeholder.empty() && !is_positional(option)) names += " " + option.placeholder;
  const std::string help = option.help + (option.required && !is_positional(option) ? " (required)" : "");
  std::string entry = "  " + pad_right(names, kHelpColumn - 4);
  entry += names.size() > kHelpColumn - 4 ? "\n" + std::string(kHelpColumn, ' ') : "  ";
  return entry + wrapped(help, kWidth, kHelpColumn, kHelpColumn) + "\n";
}

std::string usage_line(const Command& command, const OptionTable& own) {
  std::string line = "Usage: cfrules " + command.name();
  for (const Option& option : own.options()) {
    if (is_positional(option)) line += " " + (option.required ? option.names : "[" + option.names + "]");
  }
  for (const Option& option : own.options()) {
    if (option.required && !is_positional(option)) line += " " + option.names + " " + option.placeholder;
  }
  return line + " [options]\n";
}

std::size_t edit_distance(const std::string& one, const std::string& other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string overview(std::span<const std::unique_ptr<Command>> commands) {
  std::string text =
      "Examples:\n"
      "  cfrules demo\n"
      "  cfrules fit loans.csv --outcome approved -o loans.cfr\n"
      "  cfrules explain loans.cfr people.csv --target yes\n"
      "  cfrules regions loans.cfr --target yes\n"
      "\n"
      "Counterfactual rules: which few features to change, into which ranges, for which outcome, how surely.\n"
      "\n"
      "Commands:\n";
  for (const auto& command : commands) text += "  " + pad_right(command->name(), 13) + command->summary() + "\n";
  return text +
         "\n"
         "  cfrules COMMAND --help    examples and options of a command\n"
         "  cfrules --version         version, build and compiler\n";
}

std::string command_help(const Command& command, const OptionTable& own, const OptionTable& global) {
  std::string text = "Examples:\n";
  for (const std::string& example : command.examples()) text += "  " + example + "\n";
  text += "\n" + command.summary() + "\n\n" + usage_line(command, own) + "\nOptions:\n";
  for (const Option& option : own.options()) text += option_entry(option);
  text += "\nOptions of every command:\n";
  for (const Option& option : global.options()) text += option_entry(option);
  return text;
}

std::string version_text() { return "cfrules " + std::string(version()) + " (" + std::string(build_info()) + ")\n"; }

std::string suggestion(const std::string& unknown, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(3, unknown.size() / 2) + 1;
  for (const std::string& name : known) {
    const bool prefix = unknown.size() > 3 && name.starts_with(unknown);
    const std::size_t distance = prefix ? 0 : edit_distance(unknown, name);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = name;
  }
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

}  // namespace cfrules::cli
