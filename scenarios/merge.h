// Laying one layer over another: maps are merged key by key, lists and single values are replaced.
//
// Three rules go beyond that, because keys exclude each other: `ranks` and `algorithm` are taken over whole;
// a workload of another kind (flows over collective) displaces the one below; new `sites` displace an older
// `cluster.count`, which counted the old ones.
#pragma once

#include <string>

#include "scenarios/tree.h"

namespace tahoma {

/// `path` is where both stand ("" = the top).
void merge_into(Node& base, Node over, const std::string& path = {});

/// `--set path=value`: the value is YAML. Throws ScenarioError for an unknown path, with the nearest, or for
/// a list place that is not there.
void set_path(Node& root, const std::string& setting);

/// One value to lay over a scenario at a path.
struct Setting {
  std::string path;
  Node value;
};
/// "path=value" checked against the key table, not yet against a scenario.
Setting read_setting(const std::string& setting);
/// Throws ScenarioError for a list place that is not there, told at `value.place`.
void set_value(Node& root, const Setting& setting);

/// Puts a value at a path, making maps and lists on the way (presets). A list place must exist or be the
/// next.
void plant(Node& root, const std::string& path, Node value);

}  // namespace tahoma
