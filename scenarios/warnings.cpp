// Keys that cannot change the result of this scenario: not wrong, but the user should know. Only the user's
// own keys are told, not those of presets. No places in the text: resolved.yaml must give the same warnings.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/defaults.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

class Warnings {
 public:
  /// With a preset the cluster and its fabric are a thing as it is, not the user's choice key by key.
  explicit Warnings(bool has_preset) : has_preset_(has_preset) {}

  std::vector<std::string> told;

  void useless(const Field& field, std::string_view because) {
    if (!field.node || field.node->layer < Layer::extends) return;
    if (has_preset_ && (field.path.starts_with("cluster.") || field.path.starts_with("fabric."))) return;
    told.push_back(fmt::format("key '{}' cannot change the result: {}", field.path, because));
  }

  /// What the table says (Key::when).
  void by_table(const Field& field) {
    for (std::size_t i = 0; i < field.size(); ++i) by_table(field[i]);
    if (!field.node->is_map()) return;
    for (const Child& child : children_of(field.path)) {
      const Field value = field[child.name];
      if (!value.node) continue;
      if (!matters(*child.key, *field.node)) useless(value, reason(*child.key));
      by_table(value);
    }
  }

 private:
  static std::string reason(const Key& key) {
    const std::size_t equals = key.when.find('=');
    if (equals == std::string_view::npos) {
      std::string keys(key.when);
      for (std::size_t bar; (bar = keys.find('|')) != std::string::npos;) keys.replace(bar, 1, "' or '");
      return fmt::format("it counts only beside '{}'", keys);
    }
    std::string names(key.when.substr(equals + 1));
    std::replace(names.begin(), names.end(), '|', ' ');
    return fmt::format("it counts only with {}: {}", key.when.substr(0, equals), names);
  }

  bool has_preset_;
};

bool only_direct(const CollectiveWork& work) {
  return std::all_of(work.algorithms.begin(), work.algorithms.end(),
                     [](const AlgorithmChoice& choice) { return choice.name == "direct"; });
}

bool reduces(const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [](const Job& job) {
    if (std::holds_alternative<TraceWork>(job.work)) return true;
    const auto* work = std::get_if<CollectiveWork>(&job.work);
    return work && std::any_of(work->collectives.begin(), work->collectives.end(), [](Collective c) {
             return c == Collective::all_reduce || c == Collective::reduce_scatter || c == Collective::reduce;
           });
  });
}

bool is_random(const Scenario& scenario) {
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  if (shape && shape->clos && shape->clos->routing == Routing::ecmp) return true;
  const auto* graph = std::get_if<GraphShape>(&scenario.network);
  if (graph && !graph->detours.groups.empty()) return true;
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [](const Job& job) {
    const auto* work = std::get_if<CollectiveWork>(&job.work);
    return work && work->pattern && work->pattern->kind == PermutePattern::Kind::random;
  });
}

void about_fabric(const Field& top, const Scenario& scenario, Warnings& warnings) {
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  if (!shape) return;
  const Field scale_out = top["fabric"]["scale_out"];
  const bool one_domain = shape->sites.size() == 1 && shape->sites[0].domains == 1;
  if (scale_out && one_domain) return warnings.useless(scale_out, "there is one scale-up domain");
  if (!shape->clos || scale_out[0]["kind"].text() != "clos") return;
  if (shape->clos->rails == 1) warnings.useless(scale_out[0]["between_rails"], "there is one rail");
  if (shape->clos->tiers == 1) {
    for (const std::string_view key : {"oversubscription", "routing", "spines"}) {
      warnings.useless(scale_out[0][key], "a clos of one tier has no uplinks");
    }
  }
  if (shape->clos->tiers < 3) warnings.useless(scale_out[0]["cores"], "only three tiers have cores");
}

void about_work(const Field& map, const CollectiveWork& work, Warnings& warnings) {
  if (work.program) {
    for (std::string& warning : program_warnings(*work.program, work))
      warnings.told.push_back(std::move(warning));
    return;
  }
  if (!only_direct(work)) return;
  warnings.useless(map["channels"], "direct has a channel per peer");
  warnings.useless(map["channel_rule"], "direct has a channel per peer, with one send each");
}

}  // namespace

std::vector<std::string> warnings_of(const Node& root, const Scenario& scenario) {
  Warnings warnings(!scenario.preset.empty());
  const Field top{&root, ""};
  warnings.by_table(top);
  about_fabric(top, scenario, warnings);
  const Field workload = top["workload"], jobs = workload["jobs"];
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    if (const auto* work = std::get_if<CollectiveWork>(&scenario.jobs[i].work)) {
      about_work(jobs ? jobs[i] : workload, *work, warnings);
    }
  }
  const auto* shape = std::get_if<ClusterShape>(&scenario.network);
  if (shape == nullptr || shape->ranks_per_chip == 1)
    warnings.useless(top["cluster"]["chip"]["inner"], "each chip is one rank");
  for (const Job& job : scenario.jobs) {
    if (const auto* trace = std::get_if<TraceWork>(&job.work)) {
      for (std::string& warning : trace_warnings(*trace)) warnings.told.push_back(std::move(warning));
    }
  }
  const bool work_known = !scenario.jobs.empty();
  if (work_known && !reduces(scenario))
    warnings.useless(top["cluster"]["chip"]["reduction"], "nothing is reduced");
  const Field random = top["faults"]["random"];
  if (work_known && !is_random(scenario) && (!random || random["seed"]))
    warnings.useless(top["seed"], "nothing is random");
  return std::move(warnings.told);
}

}  // namespace tahoma
