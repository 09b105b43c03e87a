// The rows of each stack, a file per family.
#pragma once

#include <span>

#include "collectives/stack/stack.h"

namespace tahoma {

/// The source of what was fitted.
inline constexpr std::string_view measured_rows = "docs/validation.md, the rows of this platform";

std::span<const StackParameter> nvidia_parameters();  // nccl, msccl
std::span<const StackParameter> other_parameters();   // rccl, neuron, xla

}  // namespace tahoma
