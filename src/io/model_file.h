// A model as a file that is the same or refused: see docs/model-format.md. The same model gives the same bytes.
// A large one takes seconds; run can stop any of this.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cfrules/run.h"
#include "region/model.h"

namespace cfrules {

// Whole or not at all; what cannot be loaded again is not saved. Throws InputError if path exists and overwrite is
// false.
void save_model(const Model& model, const std::string& path, bool overwrite, const Run& run = {});

// Throws FormatError naming the file and what is wrong with it, before anything is used; IoError if it cannot be read.
[[nodiscard]] Model load_model(const std::string& path, const Run& run = {});

// source: the name for messages.
[[nodiscard]] Model parse_model(std::span<const std::byte> bytes, std::string_view source, const Run& run = {});

// Does not check the model.
[[nodiscard]] std::string serialize_model(const Model& model, const Run& run = {});

// "sha256:" and 64 hexadecimal digits, of the serialized bytes.
[[nodiscard]] std::string model_checksum(const Model& model, const Run& run = {});

}  // namespace cfrules
