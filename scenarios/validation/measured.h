// Measured collectives: what was asked of which hardware, and how long it took.
//
// A row's setup is in the columns preset, count, ranks, ranks_per_chip, shape, nic, transport and algo, and
// nowhere else. Sizes and bandwidths are those of nccl-tests. Times are picoseconds, read exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "scenarios/scenario.h"

namespace tahoma {

struct MeasuredRow {
  std::string id, source;
  std::string trust;  // "A" a table with its configuration, "B" a single run, "C" shape only
  std::string basis;  // how the figure came to us, one of measured_bases()
  std::string collective, dtype;
  std::uint64_t bytes = 0;    // of the message as nccl-tests counts it; where none was published, the one
                              // that is compared
  bool bytes_stated = false;  // ... and then this is true
  Duration time;
  std::string preset;  // "" = the setup is not known
  std::uint32_t count = 1, ranks = 0, ranks_per_chip = 1;
  std::string shape, nic, transport, algo;
  Place place;
};

/// Size at which a row without a published size is compared, by bandwidth: 64 MiB.
inline constexpr std::uint64_t stated_bytes = std::uint64_t{64} << 20;

/// Throws ScenarioError with file, line and column.
std::vector<MeasuredRow> read_measured(std::string_view text, const std::string& file);

/// The rows that come with the program, scenarios/validation/open_rows.csv.
const std::vector<MeasuredRow>& open_rows();

std::vector<std::string> measured_bases();

/// The rows whose column has one of the values: "source_id=G02,G05", "preset=p5", "id=M0001". Throws BadText.
std::vector<MeasuredRow> only_rows(const std::vector<MeasuredRow>& rows, std::string_view wanted);

}  // namespace tahoma
