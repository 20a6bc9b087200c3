// What every model must be before it is used or saved: one function per part. Each throws Flaw saying what is wrong.
// The file's frame says that bytes are as they were written; these say that they make sense.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "io/tree_check.h"
#include "region/model.h"

namespace cfrules {

// Trees hold rows in 32 bits, and features in 15.
void check_shape(std::size_t rows, std::size_t features);
// Names can be written as JSON; classes are there once.
void check_names(const Model& model);
void check_settings(const ModelSettings& settings);
// Class indexes, or numbers no larger than allowed. what: "the outcome", for messages.
void check_outcomes(std::string_view what, std::span<const double> values, std::size_t classes, std::size_t rows);
// Not negative and no larger than allowed; empty or one per row.
void check_weights(std::string_view what, std::span<const double> weights, std::size_t rows);
// As many axes as features, cuts finite and increasing, few enough for codes. Categories have places, if ordered.
void check_grid(const Grid& grid, const Schema& schema, bool ordered);
void check_codes(const CodeMatrix& codes, const Grid& grid, std::size_t rows);
// Both: all but what the trees hold.
void check_forest(const Forest& forest, std::size_t features, std::size_t classes);
void check_inliers(const IsolationForest& inliers);
[[nodiscard]] TreeChecker::Kind tree_kind(const Forest& forest, std::size_t rows, std::size_t classes);
inline constexpr TreeChecker::Kind kInlierTree{"inlier tree", 0, 1, kLeafPaths};
void check_calibration(const CalibrationSample& sample, std::size_t classes);
void check_audit_indexes(std::span<const double> values, std::size_t limit);
void check_audit(const Audit& audit, const Outcome& outcome);

// All of it.
void check_model(const Model& model);

}  // namespace cfrules
