#include "scenarios/import/import.h"

#include <array>

#include "scenarios/load.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_import_bytes = std::size_t{256} << 20;

constexpr std::array kinds = {
    ImportKind{"msccl", "a schedule as MSCCL XML: proven, and run as `workload: {program: FILE}`",
               scenario_from_msccl},
    ImportKind{"chakra", "a Chakra execution trace, run by --ranks N", scenario_from_chakra},
    ImportKind{"nccl-topology", "the server that an NCCL or RCCL topology file describes, as `fabric.graph`",
               scenario_from_nccl},
};

}  // namespace

std::span<const ImportKind> import_kinds() {
  return kinds;
}

std::string import_scenario(const ImportKind& kind, const ImportRequest& request) {
  const std::string content = read_text_file(request.file, {"command line", 0, 0}, most_import_bytes);
  return kind.scenario(request, content);
}

}  // namespace tahoma
