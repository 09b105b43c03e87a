// The result as tidy tables: one row per observation, units in the column's name, RFC 4180 quoting, lines
// ended by a bare newline. Columns carry the names of the JSON's fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/result.h"

namespace tahoma {

/// One field, quoted if it needs to be.
std::string csv_field(std::string_view text);

/// A row per collective, size, algorithm and job.
std::string collectives_csv(const Result& result);
/// The columns of a row, those of `stack` included, and their cells.
std::vector<std::string_view> collective_column_names();
std::vector<std::string> collective_cells(const CollectiveRow& row);
/// A row per flow of a `flows` workload.
std::string flows_csv(const Result& result);
std::string training_csv(const Result& result);
/// A row per class of links and row of the result.
std::string links_csv(const Result& result);

/// What `--format csv` prints: the collectives, or the flows of a scenario that has nothing else.
std::string to_csv(const Result& result);

}  // namespace tahoma
