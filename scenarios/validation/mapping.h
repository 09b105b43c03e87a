// A measured row as a scenario.
//
// Problem: a prediction is worth something only if the row decides it and nobody's hand. Idea: the scenario
// is made of the columns preset, count, ranks, ranks_per_chip, shape, nic, transport, algo, collective, dtype
// and bytes by the tables below, as YAML text for the ordinary reader; `tahoma validate --show ID` prints it
// and `tahoma run` runs it. Never read here: source, trust and basis.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/validation/measured.h"

namespace tahoma {

/// Why a row has no scenario: a finished clause, "nic '8x' is not understood; ...".
struct Unmapped {
  std::string because;
};

/// The scenario of rows that differ in size only. Throws Unmapped.
std::string scenario_text(const MeasuredRow& row, const std::string& name,
                          const std::vector<std::uint64_t>& sizes);

/// The line `cluster: {...}` of a row's scenario. Throws Unmapped.
std::string cluster_text(const MeasuredRow& row);

/// The collective as a scenario names it: "permute" for "sendrecv".
std::string collective_of(const MeasuredRow& row);

inline std::string scenario_text(const MeasuredRow& row) {
  return scenario_text(row, row.id, {row.bytes});
}

}  // namespace tahoma
