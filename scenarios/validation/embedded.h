// The data files of this folder, compiled in so that the program works alone (embedded.cpp.in, by CMake).
#pragma once

#include <string_view>

namespace tahoma {

std::string_view embedded_open_rows();      // open_rows.csv
std::string_view embedded_checked_cases();  // checked_cases.csv
std::string_view embedded_open_steps();     // open_steps.csv
std::string_view embedded_more_steps();     // more_steps.csv, the other set of columns

/// A schedule that measured rows name (`imported:FILE`); "" if there is none of that name.
std::string_view embedded_program(std::string_view file);
std::string_view embedded_program_names();  // "a.xml, b.xml"

}  // namespace tahoma
