// The tables of docs/hardware.md, out of the catalogue.
#pragma once

#include <string>

namespace tahoma {

std::string hardware_page();

}  // namespace tahoma
