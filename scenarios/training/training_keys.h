// The rows of `workload.training` in the key table.
#pragma once

#include <span>

#include "scenarios/keys.h"

namespace tahoma {

std::span<const Key> training_keys();

}  // namespace tahoma
