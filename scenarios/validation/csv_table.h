// A table of comma-separated values whose cells know their line and column.
//
// Problem: files of measurements are written by hand and by many programs; a cell that slipped by one column
// must not become another figure. Idea: RFC 4180 (quoted cells may hold commas, line ends and doubled
// quotes), columns found by the names in the first line, every record as long as that line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace tahoma {

struct CsvCell {
  std::string text;
  Place place;
};

struct CsvTable {
  std::vector<CsvCell> names;
  std::vector<std::vector<CsvCell>> records;  // each as long as `names`
};

/// Throws ScenarioError with `file`, line and column.
CsvTable read_csv(std::string_view text, const std::string& file);

}  // namespace tahoma
