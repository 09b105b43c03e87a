// The data files of this folder, compiled in so that the program works alone (embedded.cpp.in, by CMake).
#pragma once

#include <string_view>

namespace tahoma {

std::string_view embedded_open_rows();      // open_rows.csv
std::string_view embedded_checked_cases();  // checked_cases.csv

}  // namespace tahoma
