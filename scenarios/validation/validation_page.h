// The tables of docs/validation.md, made of a validation so that they cannot be wrong.
#pragma once

#include <string>

#include "scenarios/validation/validation.h"

namespace tahoma {

std::string validation_page(const Validation& validation);

}  // namespace tahoma
