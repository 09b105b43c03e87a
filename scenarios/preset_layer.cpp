#include "scenarios/preset_layer.h"

#include "scenarios/complaint.h"

namespace tahoma {

bool is_preset(std::string_view) {
  return false;
}

Node preset_layer(const std::string& name, const Place& asked_by, const std::string& key) {
  refuse({asked_by, key, name, {"is neither a preset nor a file", "", ""}});
}

}  // namespace tahoma
