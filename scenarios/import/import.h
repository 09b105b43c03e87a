// Other tools' files -> scenarios of ours, as text: `tahoma import KIND FILE`.
//
// What a file does not say is not made up in silence: it is a line of the scenario with a comment that says
// so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tahoma {

struct ImportRequest {
  std::string file;
  std::string name_in_scenario;  // how the scenario names the file: beside itself, where that is known
  std::string preset;            // hardware to run on; "" if the file says it or nobody does
  std::uint32_t ranks = 0;       // that do what one trace says; 0: not said
  std::string system = {};       // of ASTRA-sim: its system file
  std::string collective = {};   // of ASTRA-sim: which of the system's is run; "": all_reduce
};

/// One kind of file.
struct ImportKind {
  std::string_view name;
  std::string_view purpose;
  std::string (*scenario)(const ImportRequest& request, const std::string& content);
};
std::span<const ImportKind> import_kinds();

/// The scenario's YAML; it begins with a summary in comments, and has been loaded once. Throws ScenarioError
/// about the file.
std::string import_scenario(const ImportKind& kind, const ImportRequest& request);

// The kinds, one file each.
std::string scenario_from_msccl(const ImportRequest& request, const std::string& content);
std::string scenario_from_chakra(const ImportRequest& request, const std::string& content);
std::string scenario_from_mscclpp(const ImportRequest& request, const std::string& content);
std::string scenario_from_teccl(const ImportRequest& request, const std::string& content);
std::string scenario_from_taccl(const ImportRequest& request, const std::string& content);
std::string scenario_from_goal(const ImportRequest& request, const std::string& content);
std::string scenario_from_layers(const ImportRequest& request, const std::string& content);
std::string scenario_from_astra(const ImportRequest& request, const std::string& content);
std::string scenario_from_nccl(const ImportRequest& request, const std::string& content);

}  // namespace tahoma
