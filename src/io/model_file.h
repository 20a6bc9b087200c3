// A model as a file that is the same or refused: see docs/model-format.md. The same model gives the same bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "region/model.h"

namespace cfrules {

// Whole or not at all; what cannot be loaded again is not saved. Throws InputError if path exists and overwrite is
// false.
void save_model(const Model& model, const std::string& path, bool overwrite);

// Throws FormatError naming the file and what is wrong with it, before anything is used; IoError if it cannot be read.
[[nodiscard]] Model load_model(const std::string& path);

// source: the name for messages.
[[nodiscard]] Model parse_model(std::span<const std::byte> bytes, std::string_view source);

// Does not check the model.
[[nodiscard]] std::string serialize_model(const Model& model);

// "sha256:" and 64 hexadecimal digits, of the serialized bytes.
[[nodiscard]] std::string model_checksum(const Model& model);

}  // namespace cfrules
