// The rows of each stack, a file per family.
#pragma once

#include <span>

#include "collectives/stack/stack.h"

namespace tahoma {

std::span<const StackParameter> nvidia_parameters();  // nccl, msccl
std::span<const StackParameter> other_parameters();   // rccl, neuron, xla

}  // namespace tahoma
