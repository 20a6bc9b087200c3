// One cell of a CSV line we write.
#pragma once

#include <string>
#include <string_view>

namespace cfrules {

// Quoted where any common delimiter, a quote or a line end is inside.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace cfrules
