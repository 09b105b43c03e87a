#include "scenarios/resolve.h"

#include <fmt/format.h>

#include <filesystem>

#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/sweep/axes.h"

namespace tahoma {

namespace {

void inline_flow_files(Node& root) {
  Node* workload = root.find("workload");
  if (!workload) return;
  inline_flow_file(*workload, "workload");
  Node* jobs = workload->find("jobs");
  for (std::size_t i = 0; jobs && i < jobs->items.size(); ++i) {
    inline_flow_file(jobs->items[i], joined("workload.jobs", i));
  }
}

void resolve_head(Node& root, Scenario& scenario, const std::string& file) {
  settle(root, "name", std::filesystem::path(file).stem().string());
  const Field top{&root, ""};
  scenario.name = top["name"].text();
  if (const Field description = top["description"]) scenario.description = description.text();
  if (const Field seed = top["seed"]) scenario.seed = read_field(seed, read_count);
  for (const Field& format : each(top["report"]["format"])) scenario.report_formats.push_back(format.text());
}

void resolve_sweep(const Node& sweep, Scenario& scenario) {
  if (const Node* variants = sweep.find("variants")) {
    for (const Entry& entry : variants->entries) scenario.variants.push_back(entry.key);
  }
  std::vector<std::string> paths;
  for (const SweepAxis& axis : read_sweep(sweep).axes) {
    if (axis.path != variant_axis) paths.push_back(axis.path);
  }
  if (paths.empty()) return;
  scenario.warnings.push_back(
      fmt::format("{}: key 'sweep': varies {}; a run answers the scenario as it stands, "
                  "`tahoma sweep` runs the points",
                  to_string(sweep.place), fmt::join(paths, ", ")));
}

/// `cluster.count: auto`; while the rest is read, the count is 1. nullptr: it is given.
Node* take_open_count(Node& root) {
  Node* cluster = root.find("cluster");
  Node* count = cluster ? cluster->find("count") : nullptr;
  if (!count || !count->is_scalar() || count->text != "auto") return nullptr;
  const Field deadline = Field{&root, ""}["workload"]["training"]["deadline"];
  if (!deadline) {
    throw InfeasibleError(sentence({count->place,
                                    "cluster.count",
                                    "auto",
                                    {"is found only for a training step with a deadline",
                                     "a number, or workload.training with tokens and deadline", ""}}));
  }
  count->text = "1";
  return count;
}

}  // namespace

Resolved resolve(Layered layered, const std::string& file, bool needs_workload) {
  Node& root = layered.tree;
  Scenario scenario;
  scenario.preset = layered.preset;
  inline_flow_files(root);
  fill_defaults(root);
  resolve_head(root, scenario, file);
  const bool count_is_open = take_open_count(root) != nullptr;
  scenario.count_is_open = count_is_open;
  resolve_network(root, scenario);
  if (needs_workload || root.find("workload")) resolve_workload(root, scenario);
  const Field top{&root, ""};
  resolve_faults(top["faults"], scenario);
  resolve_assertions(top["assert"], scenario);
  check_against_network(root, scenario);
  const std::vector<std::string> warnings = warnings_of(root, scenario);
  scenario.warnings.insert(scenario.warnings.end(), warnings.begin(), warnings.end());
  if (count_is_open) root.find("cluster")->find("count")->text = "auto";
  Node tree = ordered(root);
  if (layered.sweep.kind != Node::Kind::empty) {
    resolve_sweep(layered.sweep, scenario);
    tree.entries.push_back({"sweep", layered.sweep.place, std::move(layered.sweep)});
  }
  scenario.resolved_yaml = to_yaml(tree);
  return {std::move(scenario), std::move(tree)};
}

}  // namespace tahoma
