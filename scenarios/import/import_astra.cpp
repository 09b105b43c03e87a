// ASTRA-sim's network, and its system where it is given, as a scenario of one collective.
//
// Its analytical network shares no links and stores whole messages at switches; what it says is then faster
// or slower than physics allow. Ours is run as it is, and the comments tell where the two part.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/errors.h"
#include "scenarios/import/astra_system.h"
#include "scenarios/import/import.h"
#include "scenarios/import/import_hardware.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t astra_bytes = 1 << 20;  // what its own examples run
constexpr std::string_view level_words[] = {"server", "ultraserver", "site"};

std::string fabric_of(const AstraNetwork& network) {
  constexpr std::string_view outside = "outside";
  const auto dimension = [&](const AstraNetwork::Dimension& one, std::string_view level) {
    // A switch outside domains has a port for every chip.
    const std::string size =
        level == outside && one.kind == "switch" ? "" : fmt::format(", size: {}", one.size);
    return fmt::format("{{kind: {}{}, bandwidth: {}, latency: {}{}}}", one.kind, size, one.bandwidth,
                       one.latency,
                       level.empty() || level == outside ? "" : fmt::format(", level: {}", level));
  };
  const auto& dims = network.dimensions;
  if (dims.size() == 1) return fmt::format("fabric: {{scale_up: [{}]}}\n", dimension(dims[0], ""));
  std::string text = "fabric:\n  scale_up:\n";
  text += "    - " + dimension(dims[0], "server") + "\n    - " + dimension(dims[1], "ultraserver") + "\n";
  if (dims.size() == 3) text += "  scale_out: [" + dimension(dims[2], outside) + "]\n";
  return text;
}

std::string chip_of(const AstraSystem& system, bool adds) {
  std::string text;
  if (!system.overhead.empty()) text = "overhead: " + system.overhead;
  if (adds && system.reduction_bytes_per_s > 0) {
    text +=
        fmt::format("{}reduction: {{rate: {}B/s}}", text.empty() ? "" : ", ", system.reduction_bytes_per_s);
  }
  return text.empty() ? "" : ", chip: {" + text + "}";
}

const AstraSystem::Algorithms* chosen(const AstraSystem& system, const ImportRequest& request) {
  const std::string wanted = request.collective.empty() ? "all_reduce" : request.collective;
  std::string known;
  for (const auto& one : system.collectives) {
    if (one.collective == wanted) return &one;
    known += (known.empty() ? "" : ", ") + one.collective;
  }
  if (system.collectives.empty()) return nullptr;
  throw ScenarioError(request.system + ": says nothing of " + wanted +
                      "; accepted as --collective: " + known);
}

std::string astra_algorithm_of(const AstraNetwork& network, const std::vector<std::string>& names,
                               const std::string& file) {
  const std::size_t dims = network.dimensions.size();
  if (names.size() != dims) {
    throw ScenarioError(fmt::format(
        "{}: names {} algorithms for {} dimensions (ASTRA-sim itself leaves the others out in silence)", file,
        names.size(), dims));
  }
  if (dims == 1) return names[0];
  std::string text;
  for (std::size_t d = 0; d < dims; ++d)
    text += fmt::format("{}{}: {}", d == 0 ? "" : ", ", level_words[d], names[d]);
  return "{" + text + "}";
}

// The traces of a custom collective: its path, or what is left of it when folders are taken off its front,
// beside the system's file or above it.
std::string custom_traces(const std::string& named, const std::string& system) {
  std::vector<fs::path> tails;
  fs::path rest;
  std::vector<fs::path> parts;
  for (const fs::path& part : fs::path(named)) parts.push_back(part);
  for (auto part = parts.rbegin(); part != parts.rend() && tails.size() < 16; ++part) {
    rest = rest.empty() ? *part : *part / rest;
    tails.insert(tails.begin(), rest);
  }
  std::error_code error;
  fs::path folder = fs::absolute(system, error).parent_path();
  for (int up = 0; up < 8 && !folder.empty(); ++up, folder = folder.parent_path()) {
    for (const fs::path& tail : tails) {
      if (fs::exists(fs::path((folder / tail).string() + ".0.et"), error)) return (folder / tail).string();
    }
  }
  throw ScenarioError(
      system + ": the custom collective '" + named +
      "' has no traces there: no such file with .0.et behind it, beside the system or above it");
}

void tell_physics(const AstraNetwork& network, const AstraSystem* system, bool adds, std::string& yaml) {
  const auto has = [&](std::string_view kind) {
    return std::any_of(network.dimensions.begin(), network.dimensions.end(),
                       [&](const AstraNetwork::Dimension& one) { return one.kind == kind; });
  };
  yaml +=
      "# Note: its GB/s are 2^30 B/s, and its times are cut to whole ns message by message; here neither is\n"
      "# Note: its network shares no links, so several messages on one link each have all of it there; here "
      "they share it\n";
  if (has("switch"))
    yaml +=
        "# Note: the latency is that of a link, and a switch is two links away from every NPU: it counts "
        "twice "
        "per message,\n"
        "# Note: and its congestion-aware network sends a whole message to the switch before it goes on "
        "(twice "
        "the time); here it does not\n";
  if (has("full"))
    yaml +=
        "# Note: the bandwidth of FullyConnected is that of each link, so an NPU has as many times as much "
        "as it "
        "has peers\n";
  if (system == nullptr) return;
  if (system->active > 1 && system->splits > 1)
    yaml += fmt::format(
        "# Note: {} pieces at once on a dimension each have all its bandwidth there; here they "
        "follow each other (pipeline)\n",
        std::min(system->active, system->splits));
  if (adds && system->reduction_bytes_per_s > 0)
    yaml +=
        "# Note: what is added passes the memory three times: a third of local-mem-bw is the rate of "
        "adding\n";
  yaml += "# Note: its endpoints wait endpoint-delay once more at a collective's end; here they do not\n";
  for (const std::string& note : system->notes) yaml += "# Note: " + one_line_comment(note) + "\n";
}

std::string traces_workload(const std::string& stem, const AstraNetwork& network) {
  return fmt::format("workload: {{trace: {}, ranks: {}}}\n", yaml_scalar(stem + ".{rank}.et"), network.npus);
}

std::string collective_workload(const AstraNetwork& network, const AstraSystem* system,
                                const ImportRequest& request, const AstraSystem::Algorithms* of) {
  std::string name = request.collective.empty() ? "all_reduce" : request.collective;
  std::string text = fmt::format("collective: {}", name);
  const bool gathers = name == "all_gather";
  // ASTRA-sim counts what a rank puts in.
  const std::uint64_t bytes = astra_bytes * (gathers ? network.npus : 1);
  const std::uint32_t splits = system == nullptr ? 1 : system->splits;
  const bool serial = system != nullptr && system->active == 1 && network.dimensions.size() == 1;
  const std::uint64_t piece = serial ? (bytes + splits - 1) / splits : bytes;
  text += fmt::format(", sizes: {}B", piece);
  if (of != nullptr) text += ", algorithm: " + astra_algorithm_of(network, of->names, request.system);
  if (splits == 1) return "workload: {" + text + "}\n";
  if (!serial) return fmt::format("workload: {{{}, pipeline: {}}}\n", text, splits);
  return fmt::format("workload:\n  jobs: [{{name: pieces, repeat: {}, {}}}]  # one piece after another\n",
                     splits, text);
}

}  // namespace

std::string scenario_from_astra(const ImportRequest& request, const std::string& content) {
  if (!request.preset.empty())
    throw ScenarioError(request.file + ": a network is hardware itself; --preset says nothing here");
  if (content.find_first_not_of(" \t\r\n") != std::string::npos &&
      content[content.find_first_not_of(" \t\r\n")] == '{') {
    throw ScenarioError(request.file +
                        ": this is JSON, so a system perhaps; accepted: the network (YAML) as FILE, and "
                        "the system as --system FILE");
  }
  const AstraNetwork network = read_astra_network(content, request.file);
  std::optional<AstraSystem> system;
  const AstraSystem::Algorithms* of = nullptr;
  if (!request.system.empty()) {
    system = read_astra_system(read_text_file(request.system, {"command line", 0, 0}), request.system);
    of = chosen(*system, request);
  }
  std::string words;
  for (const auto& one : network.dimensions)
    words += fmt::format("{}{}({})", words.empty() ? "" : " x ", one.word, one.size);
  std::string yaml =
      fmt::format("# ASTRA-sim's network {}: {}, {} NPUs{}\n", one_line_comment(request.name_in_scenario),
                  words, network.npus, system ? ", with the system " + one_line_comment(request.system) : "");
  const bool is_custom = of != nullptr && !of->custom.empty();
  const bool adds = !is_custom && request.collective != "all_gather" && request.collective != "all_to_all";
  tell_physics(network, system ? &*system : nullptr, adds, yaml);
  if (of != nullptr) {
    for (const std::string& note : of->notes) yaml += "# Note: " + one_line_comment(note) + "\n";
  }
  if (!is_custom)
    yaml +=
        fmt::format("# Assumed: {} of 2^20 bytes put in by each NPU; neither file says what is to be done\n",
                    request.collective.empty() ? "all_reduce" : request.collective);
  const std::uint32_t domains = network.dimensions.size() == 3 ? network.dimensions[2].size : 1;
  yaml += fmt::format("cluster: {{count: {}{}}}\n", domains, system ? chip_of(*system, adds) : "");
  yaml += fabric_of(network);
  yaml += is_custom ? traces_workload(custom_traces(of->custom, request.system), network)
                    : collective_workload(network, system ? &*system : nullptr, request, of);
  return yaml;
}

}  // namespace tahoma
