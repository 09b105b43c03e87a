#include "scenarios/load.h"

#include "scenarios/resolve.h"

namespace tahoma {

namespace {

Resolved resolved(const LoadRequest& request) {
  return resolve(layered(request), request.file, request.needs_workload);
}

}  // namespace

Scenario load(const LoadRequest& request) {
  return resolved(request).scenario;
}

Scenario load_point(const ScenarioFiles& files, const std::string& name, const std::string& variant,
                    const std::vector<Setting>& settings) {
  return resolve(files.with(variant, settings), name, true).scenario;
}

std::vector<Explained> explain(const LoadRequest& request) {
  const Node tree = resolved(request).tree;
  std::vector<Explained> rows;
  for (const Leaf& leaf : leaves(tree)) {
    const Node& node = *leaf.node;
    rows.push_back({leaf.path, one_line(node), to_string(node.place), node.source, node.confidence});
  }
  return rows;
}

}  // namespace tahoma
