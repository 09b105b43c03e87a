#include "scenarios/preset_layer.h"

#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/merge.h"
#include "scenarios/yaml_tree.h"
#include "topology/presets.h"

namespace tahoma {

namespace {

void stamp(Node& node, const PresetRow& row) {
  node.source = row.source;
  node.confidence = name_of(row.confidence);
  for (Node& item : node.items) stamp(item, row);
  for (Entry& entry : node.entries) stamp(entry.value, row);
}

/// Rows for the catalogue only.
bool is_scenario_key(std::string_view path) {
  return path != "describes" && !path.starts_with("facts.");
}

}  // namespace

bool is_preset(std::string_view name) {
  return !rows_of_preset(name).empty();
}

Node preset_layer(const std::string& name, const Place& asked_by, const std::string& key) {
  const std::vector<PresetRow> rows = rows_of_preset(name);
  if (rows.empty()) {
    const std::vector<std::string> names = preset_names_with_variants();
    refuse({asked_by,
            key,
            name,
            {"is neither a preset nor a file", "a file, or one of the presets " + listed(names),
             nearest(name, std::span<const std::string>(names))}});
  }
  Node root;
  root.kind = Node::Kind::map;
  root.layer = Layer::preset;
  root.place = {"preset " + name, 0, 0};
  for (const PresetRow& row : rows) {
    if (!is_scenario_key(row.path)) continue;
    Node value = parse_yaml({row.value, root.place.file, Layer::preset, false});
    stamp(value, row);
    plant(root, std::string(row.path), std::move(value));
  }
  return root;
}

}  // namespace tahoma
