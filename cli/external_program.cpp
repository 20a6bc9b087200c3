#include "external_program.h"

#include <sys/wait.h>

#include <algorithm>

#include "cfrules/csv.h"
#include "cfrules/error.h"
#include "child_process.h"
#include "words.h"

namespace cfrules::cli {
namespace {

constexpr int kNotFound = 127;  // what the shell says of a command that is not there

void require_success(int status, const std::string& command) {
  if (WIFSIGNALED(status)) {
    throw IoError("\"" + command + "\" was ended by signal " + std::to_string(WTERMSIG(status)));
  }
  const int code = WEXITSTATUS(status);
  if (code == kNotFound) throw IoError("\"" + command + "\": program not found");
  if (code != 0) throw IoError("\"" + command + "\" failed with exit code " + std::to_string(code));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// By name; "1.0" is also the class called "1".
std::size_t class_named(std::string_view word, const std::vector<std::string>& classes) {
  const auto by_name = std::find(classes.begin(), classes.end(), word);
  if (by_name != classes.end()) return static_cast<std::size_t>(by_name - classes.begin());
  double wanted = 0;
  if (!read_number(word, wanted)) return classes.size();
  const auto by_number = std::find_if(classes.begin(), classes.end(), [wanted](const std::string& name) {
    double number = 0;
    return read_number(name, number) && number == wanted;
  });
  return static_cast<std::size_t>(by_number - classes.begin());
}

double prediction(std::string_view line, const Outcome& outcome, const std::string& where) {
  if (outcome.numeric()) {
    double number = 0;
    if (read_number(line, number)) return number;
    throw InputError(where + " is \"" + std::string(line) + "\"; allowed: a number");
  }
  const std::size_t index = class_named(line, outcome.classes);
  if (index < outcome.classes.size()) return static_cast<double>(index);
  throw InputError(where + " is \"" + std::string(line) + "\"; allowed: " + listed(outcome.classes));
}

}  // namespace

std::string run_program(const std::string& command, std::string_view input, const std::stop_token& stop) {
  ChildProcess child(command);
  std::string output = child.exchange(input, stop);
  require_success(child.wait(stop), command);
  return output;
}

std::vector<double> read_predictions(std::string_view text, std::size_t rows, const Outcome& outcome,
                                     const std::string& command) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.size() != rows) {
    throw InputError("\"" + command + "\" printed " + std::to_string(lines.size()) + " lines for " +
                     std::to_string(rows) + " rows; allowed: one prediction per line, no header");
  }
  std::vector<double> values;
  values.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    values.push_back(prediction(lines[i], outcome, "\"" + command + "\": line " + std::to_string(i + 1)));
  }
  return values;
}

Labeller program_labeller(const std::string& command, const Outcome& outcome, std::stop_token stop) {
  Outcome known{outcome.name, outcome.classes, {}};
  return [command, known, stop](const Table& rows) {
    if (rows.rows() == 0) return std::vector<double>();
    return read_predictions(run_program(command, to_csv(rows), stop), rows.rows(), known, command);
  };
}

}  // namespace cfrules::cli
