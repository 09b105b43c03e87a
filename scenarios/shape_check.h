// The first of two checks: is the file of the right shape? Known keys, the right kind of node, values of the
// right type with their units. What the values mean together is resolve's business.
//
// Each layer is checked by itself, before the merge, so that a mistake is told at its own place even if a
// later layer would hide it.
#pragma once

#include "scenarios/keys.h"
#include "scenarios/tree.h"

namespace tahoma {

/// Throws ScenarioError with every trouble found, one a line (at most 20). If there is none but a key or name
/// that is known and not built yet, throws InfeasibleError naming it.
void check_shape(const Node& root);

/// The same for a value that will stand at `path` (--set). The path must be known.
void check_shape_at(const Node& value, const std::string& path);

/// Throws ScenarioError, with the nearest key, if the table has no such path.
void check_path(const std::string& path, const Place& place);

/// One scalar against its row. Throws BadText.
void check_value(const Key& key, std::string_view text);

}  // namespace tahoma
