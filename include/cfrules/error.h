// How the library says no. It never prints, exits or reads the environment: wrong input, a bad file and a failing
// system each throw one of these, with one sentence that names what was wrong, where, the value seen and what is
// allowed. "No rule was found" is a status of a result, never an exception.
#pragma once

#include <stdexcept>

namespace cfrules {

// The caller's data, options or constraints are wrong.
class InputError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A file is not what it should be: truncated, damaged, from a newer version, not a model.
class FormatError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The system failed: cannot open, read, write, rename.
class IoError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The caller asked to stop through Run::stop.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace cfrules
