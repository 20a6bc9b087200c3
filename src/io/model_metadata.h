// The JSON section of a model file: names, counts and settings. Everything long is in the other sections.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cfrules/table.h"
#include "region/model.h"

namespace cfrules {

struct ModelMetadata {
  Schema schema;
  std::size_t rows = 0;
  std::string outcome;
  std::vector<std::string> classes;  // empty: a numeric outcome
  bool weighted = false;
  std::size_t trees = 0;
  std::size_t inlier_trees = 0;
  std::size_t inlier_sample = 0;
  std::string calibration_source;
  std::size_t calibration_channels = 0;
  std::size_t calibration_cases = 0;
  bool calibration_weighted = false;
  bool audited = false;  // the four below are unset otherwise
  std::string audit_judge;
  bool audit_asked_the_model = false;
  std::vector<std::string> audit_targets;
  std::size_t audit_cases = 0;
  ModelSettings settings;
};

[[nodiscard]] ModelMetadata metadata_of(const Model& model);
[[nodiscard]] std::string metadata_json(const ModelMetadata& metadata);
// Throws InputError "metadata: ..." unless all keys are there, no others, and every value is of its kind.
[[nodiscard]] ModelMetadata parse_metadata(std::string_view json);

}  // namespace cfrules
