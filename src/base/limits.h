// Everything there is a limit to, in one place. docs/limits.md says why each is there; a test compares the numbers.
#pragma once

#include <cstddef>
#include <string_view>

namespace cfrules {

struct Limit {
  std::string_view what;  // counted, in the plural
  std::size_t most;
};

namespace limits {

inline constexpr Limit kRows{"rows", 2'147'483'646};
inline constexpr Limit kFeatures{"features", 32'767};
inline constexpr Limit kCategories{"categories", 100'000};
inline constexpr Limit kClasses{"classes", 1'000};
inline constexpr Limit kTrees{"trees", 65'536};
inline constexpr Limit kIsolationTrees{"isolation trees", 4'096};
inline constexpr Limit kDepth{"levels", 4'096};
inline constexpr Limit kCodes{"codes", 255};
inline constexpr Limit kCuts{"cuts", 65'000};
inline constexpr Limit kGenerated{"generated rows for a real one", 100};
inline constexpr Limit kThreads{"threads", 1'024};
inline constexpr Limit kColumns{"columns", 100'000};
inline constexpr Limit kLineBytes{"bytes", 16'777'216};
inline constexpr Limit kSettingsBytes{"bytes", 67'108'864};
inline constexpr Limit kNesting{"levels", 64};
inline constexpr Limit kWholeNumber{"whole numbers", 9'007'199'254'740'992};

// Of a numeric outcome: its squares, summed over any number of rows, stay finite.
inline constexpr double kOutcome = 1e100;
// Of the weight of a row or a class.
inline constexpr double kWeight = 1e15;
// Of a leaf of the isolation forest: with the most trees there may be, sums in fixed point do not overflow.
inline constexpr double kIsolationPath = 64;

}  // namespace limits

// Throws InputError unless seen is at most the limit: "WHO has 40000 features; at most 32767 are possible".
void require_within(const Limit& limit, std::size_t seen, std::string_view who);

}  // namespace cfrules
