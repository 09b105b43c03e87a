// The rows of keys(); apart, so that the table can be read as a table.
#pragma once

#include <span>

#include "scenarios/keys.h"

namespace tahoma {

std::span<const Key> key_table();

}  // namespace tahoma
