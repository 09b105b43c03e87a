// A schedule that another tool has listed, of whatever format: what a scenario needs to know of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/collective.h"
#include "collectives/program/rank_program.h"

namespace tahoma {

struct ListedSchedule {
  std::string name, format;  // as its file says; "MSCCL XML", ...
  Collective collective = Collective::custom;
  std::uint32_t ranks = 1;
  std::uint64_t least_bytes = 0, most_bytes = 0;  // sizes it was made for; 0: any
  std::string protocol;
  std::string not_proven;          // what its replay left open, "" if nothing
  std::uint64_t made_for = 0;      // the one size its maker had in mind; 0: not said
  std::string claim;               // what its maker says of its time, "" if nothing
  std::vector<std::string> notes;  // on what the file holds that the time does not
  /// Its program for a buffer of `elements`, cut into `rounds` that follow each other.
  std::function<RankProgram(std::uint64_t elements, std::uint64_t element_bytes, std::uint32_t rounds)>
      program;
};

/// Recognises the format, reads, and proves by replay. Throws ScenarioError with the place in `file`.
ListedSchedule read_listed_schedule(std::string_view text, const std::string& file);

}  // namespace tahoma
