// A model that is a program: rows as CSV on its standard input, one prediction per line on its standard output.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "cfrules/explainer.h"

namespace cfrules::cli {

// Runs command through the shell, feeds it input and returns what it printed. Throws IoError if it cannot be run or
// fails, Interrupted (and ends it) if a stop is requested.
[[nodiscard]] std::string run_program(const std::string& command, std::string_view input, const std::stop_token& stop);

// One prediction per line, as class indices of the outcome or numbers. Throws InputError naming the line.
[[nodiscard]] std::vector<double> read_predictions(std::string_view text, std::size_t rows, const Outcome& outcome,
                                                   const std::string& command);

[[nodiscard]] Labeller program_labeller(const std::string& command, const Outcome& outcome, std::stop_token stop);

}  // namespace cfrules::cli
