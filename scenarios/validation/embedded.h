// The data files of this folder, compiled in so that the program works alone (embedded.cpp.in, by CMake).
#pragma once

#include <string_view>

namespace tahoma {

std::string_view embedded_open_rows();      // open_rows.csv
std::string_view embedded_checked_cases();  // checked_cases.csv
std::string_view embedded_open_steps();     // open_steps.csv
std::string_view embedded_more_steps();     // more_steps.csv, the other set of columns

}  // namespace tahoma
