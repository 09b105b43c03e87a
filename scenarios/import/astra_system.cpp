#include "scenarios/import/astra_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "collectives/importers/json_document.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

/// What a scenario's rate can hold: 16 TB/s.
constexpr double most_reduction_bytes_per_s = 16e12;

struct AstraCollective {
  std::string_view key, custom_key, collective;
};
constexpr std::array astra_collectives = {
    AstraCollective{"all-reduce-implementation", "all-reduce-implementation-custom", "all_reduce"},
    AstraCollective{"all-gather-implementation", "all-gather-implementation-custom", "all_gather"},
    AstraCollective{"reduce-scatter-implementation", "reduce-scatter-implementation-custom",
                    "reduce_scatter"},
    AstraCollective{"all-to-all-implementation", "all-to-all-implementation-custom", "all_to_all"},
};

struct AstraAlgorithm {
  std::string_view word, algorithm;
};
constexpr std::array astra_algorithms = {
    AstraAlgorithm{"ring", "ring"},
    AstraAlgorithm{"oneRing", "ring"},
    AstraAlgorithm{"direct", "direct"},
    AstraAlgorithm{"oneDirect", "direct"},
    AstraAlgorithm{"halvingDoubling", "halving_doubling"},
    AstraAlgorithm{"oneHalvingDoubling", "halving_doubling"},
    AstraAlgorithm{"doubleBinaryTree", "double_binary_tree"},
};

/// Keys that are read, or that change nothing here, and why.
struct SystemKey {
  std::string_view key, note;  // note: what is said when it is there
};
constexpr std::array system_keys = {
    SystemKey{"scheduling-policy", ""},
    SystemKey{"endpoint-delay", ""},
    SystemKey{"active-chunks-per-dimension", ""},
    SystemKey{"preferred-dataset-splits", ""},
    SystemKey{"local-mem-bw", ""},
    SystemKey{"collective-optimization", ""},
    SystemKey{"boost-mode", ""},
    SystemKey{"local-reduction-delay", ""},
    SystemKey{"roofline-enabled", ""},
    SystemKey{"peak-perf", "peak-perf is about computing, and there is none here"},
    SystemKey{"trace-enabled", ""},
    SystemKey{"replay-only", ""},
    SystemKey{"track-local-mem", ""},
    SystemKey{"local-mem-trace-filename", ""},
    SystemKey{"model-shared-bus", ""},
    SystemKey{"L", ""},
    SystemKey{"o", ""},
    SystemKey{"g", ""},
    SystemKey{"G", ""},
};

class AstraSystemReader {
 public:
  AstraSystemReader(std::string_view json, const std::string& file) : json_(json, file) {}

  AstraSystem read() {
    const JsonValue& root = json_.root();
    if (root.kind != JsonValue::Kind::map) json_.refuse(root, "is no system of ASTRA-sim");
    keys(root);
    for (const AstraCollective& row : astra_collectives) collective(root, row);
    out_.splits = static_cast<std::uint32_t>(json_.whole_or(root, "preferred-dataset-splits", 1, 1, 1 << 20));
    out_.active =
        static_cast<std::uint32_t>(json_.whole_or(root, "active-chunks-per-dimension", 1, 1, 1 << 20));
    const std::int64_t delay = json_.whole_or(root, "endpoint-delay", 10, 0, 1'000'000'000);
    if (delay > 0) out_.overhead = fmt::format("{}ns", delay);
    if (const JsonValue* memory = root.find("local-mem-bw")) {
      const bool is_number =
          memory->kind == JsonValue::Kind::whole || memory->kind == JsonValue::Kind::number;
      if (!is_number || !(memory->real > 0) || !(memory->real <= 1e12))
        json_.refuse(*memory,
                     "is no bandwidth; accepted: a number of 10^9 B/s, more than 0 and at most 10^12");
      const double rate = memory->real * 1e9 / 3;
      if (rate < most_reduction_bytes_per_s) {
        out_.reduction_bytes_per_s = static_cast<std::uint64_t>(std::llround(rate));
      } else {
        out_.notes.emplace_back("local-mem-bw is so high that adding takes no time");
      }
    }
    if (const JsonValue* shared = root.find("model-shared-bus");
        shared != nullptr && json_.whole(*shared, 0, 1) == 1)
      json_.refuse(*shared,
                   "models the bus inside an endpoint (L, o, g, G), which is not built; accepted: 0");
    return std::move(out_);
  }

 private:
  void keys(const JsonValue& root) {
    std::vector<std::string_view> known;
    for (const SystemKey& row : system_keys) known.push_back(row.key);
    for (const AstraCollective& row : astra_collectives) {
      known.push_back(row.key);
      known.push_back(row.custom_key);
    }
    json_.allow(root, known);
    for (const SystemKey& row : system_keys) {
      if (root.find(row.key) != nullptr && !row.note.empty()) out_.notes.emplace_back(row.note);
    }
    if (const JsonValue* policy = root.find("scheduling-policy")) {
      const std::string& word = json_.text(*policy);
      if (word != "LIFO" && word != "FIFO" && word != "EXPLICIT")
        json_.refuse(*policy, "is not known; accepted: LIFO, FIFO, EXPLICIT");
    }
    if (const JsonValue* policy = root.find("collective-optimization")) {
      const std::string& word = json_.text(*policy);
      if (word != "baseline" && word != "localBWAware")
        json_.refuse(*policy, "is not known; accepted: baseline, localBWAware");
    }
  }

  void collective(const JsonValue& root, const AstraCollective& row) {
    const JsonValue* plain = root.find(row.key);
    const JsonValue* custom = root.find(row.custom_key);
    if (plain == nullptr && custom == nullptr) return;
    if (plain != nullptr && custom != nullptr)
      json_.refuse(*custom, fmt::format("stands beside '{}'", row.key));
    AstraSystem::Algorithms algorithms;
    algorithms.collective = row.collective;
    const JsonValue& list = custom != nullptr ? *custom : *plain;
    if (json_.list(list).empty()) json_.refuse(list, "names nothing");
    if (custom != nullptr) {
      if (custom->items.size() > 1)
        json_.refuse(custom->items[1], "is a second custom collective; accepted: one");
      algorithms.custom = json_.text(custom->items[0]);
    } else {
      for (const JsonValue& name : list.items) algorithms.names.push_back(algorithm(name, algorithms));
    }
    out_.collectives.push_back(std::move(algorithms));
  }

  std::string algorithm(const JsonValue& name, AstraSystem::Algorithms& of) {
    std::string word = json_.text(name);
    // "direct4": at most so many messages of an NPU on the way.
    const std::size_t digits = word.find_last_not_of("0123456789") + 1;
    if (digits < word.size() && digits > 0) {
      of.notes.push_back(
          fmt::format("'{}' limits how many messages are on the way at once; here all are", word));
      word.resize(digits);
    }
    const auto row = std::find_if(astra_algorithms.begin(), astra_algorithms.end(),
                                  [&](const AstraAlgorithm& one) { return one.word == word; });
    if (row == astra_algorithms.end()) {
      std::vector<std::string_view> names;
      for (const AstraAlgorithm& one : astra_algorithms) names.push_back(one.word);
      const std::string near = nearest(word.substr(0, 80), std::span<const std::string_view>(names));
      json_.refuse(name,
                   fmt::format("'{}' is no algorithm that is known; accepted: {}{}", word.substr(0, 80),
                               fmt::join(names, ", "), near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    if (of.collective != "all_to_all" || row->algorithm == "direct") return std::string(row->algorithm);
    if (row->algorithm != "ring")
      json_.refuse(name, "is no algorithm of an all-to-all; accepted: ring, direct");
    of.notes.emplace_back(
        "its all-to-all by 'ring' stores and forwards every piece at every NPU on the way; here pieces go "
        "straight");
    return "direct";
  }

  JsonDocument json_;
  AstraSystem out_;
};

}  // namespace

AstraSystem read_astra_system(std::string_view json, const std::string& file) {
  return AstraSystemReader(json, file).read();
}

}  // namespace tahoma
