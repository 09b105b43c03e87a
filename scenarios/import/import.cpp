#include "scenarios/import/import.h"

#include <array>

#include "core/errors.h"
#include "scenarios/load.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_import_bytes = std::size_t{256} << 20;

constexpr std::array kinds = {
    ImportKind{"msccl", "a schedule as MSCCL XML: proven, and run as `workload: {program: FILE}`",
               scenario_from_msccl},
    ImportKind{"mscclpp", "an execution plan of MSCCL++ (JSON): proven, and run likewise",
               scenario_from_mscclpp},
    ImportKind{"teccl", "a schedule that TE-CCL found (JSON): proven, and run likewise", scenario_from_teccl},
    ImportKind{"taccl", "an algorithm that TACCL found (JSON): proven, and run likewise",
               scenario_from_taccl},
    ImportKind{"chakra", "a Chakra execution trace, run by --ranks N", scenario_from_chakra},
    ImportKind{"goal", "a GOAL schedule of LogGOPSim, run as `workload: {trace: FILE}`", scenario_from_goal},
    ImportKind{"simai", "a workload text of SimAI or AICB, run as `workload: {trace: FILE}`",
               scenario_from_layers},
    ImportKind{"astra-sim", "a network of ASTRA-sim (YAML), with --system its system (JSON), as `fabric`",
               scenario_from_astra},
    ImportKind{"nccl-topology", "the server that an NCCL or RCCL topology file describes, as `fabric.graph`",
               scenario_from_nccl},
};

}  // namespace

std::span<const ImportKind> import_kinds() {
  return kinds;
}

std::string import_scenario(const ImportKind& kind, const ImportRequest& request) {
  if (kind.name != "astra-sim" && !(request.system.empty() && request.collective.empty()))
    throw ScenarioError(request.file + ": --system and --collective belong to the kind astra-sim");
  const std::string content = read_text_file(request.file, {"command line", 0, 0}, most_import_bytes);
  return kind.scenario(request, content);
}

}  // namespace tahoma
