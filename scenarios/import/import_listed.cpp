// Plans of MSCCL++ and schedules of TE-CCL and TACCL as scenarios.
#include <fmt/format.h>

#include "collectives/importers/listed_schedule.h"
#include "core/errors.h"
#include "scenarios/import/import.h"
#include "scenarios/import/import_hardware.h"

namespace tahoma {

namespace {

std::string size_text(const ListedSchedule& listed) {
  if (listed.made_for != 0) return fmt::format("{}B  # what it was found for", listed.made_for);
  std::uint64_t size = std::uint64_t{1} << 30;
  if (listed.most_bytes != 0) size = std::min(size, listed.most_bytes);
  return fmt::format("{}B", std::max(size, listed.least_bytes));
}

std::string scenario_of_listed(const ImportRequest& request, const std::string& content,
                               std::string_view format) {
  const ListedSchedule listed = read_listed_schedule(content, request.file);
  if (listed.format != format)
    throw ScenarioError(fmt::format("{}: this is of another kind: {}", request.file, listed.format));
  std::string yaml = fmt::format("# {} '{}', {}\n# {} on {} ranks, protocol {}\n", listed.format,
                                 one_line_comment(listed.name), one_line_comment(request.name_in_scenario),
                                 name_of(listed.collective), listed.ranks, listed.protocol);
  yaml += listed.not_proven.empty()
              ? "# proven by replay: every chunk of the output holds exactly what it should, in any order\n"
              : "# not proven: " + one_line_comment(listed.not_proven) + "\n";
  if (!listed.claim.empty()) yaml += "# " + listed.claim + "; here only the order of its sends counts\n";
  for (const std::string& note : listed.notes) yaml += "# Note: " + one_line_comment(note) + "\n";
  const ImportedHardware hardware = hardware_for(listed.ranks, request.preset);
  yaml += hardware.yaml;
  yaml += "workload:\n  program: " + yaml_scalar(request.name_in_scenario) + "\n";
  yaml += "  sizes: " + size_text(listed) + "\n";
  if (!hardware.ranks.empty()) yaml += "  ranks: " + hardware.ranks + "\n";
  return yaml;
}

}  // namespace

std::string scenario_from_mscclpp(const ImportRequest& request, const std::string& content) {
  return scenario_of_listed(request, content, "MSCCL++ plan");
}

std::string scenario_from_teccl(const ImportRequest& request, const std::string& content) {
  return scenario_of_listed(request, content, "TE-CCL JSON");
}

std::string scenario_from_taccl(const ImportRequest& request, const std::string& content) {
  return scenario_of_listed(request, content, "TACCL JSON");
}

}  // namespace tahoma
