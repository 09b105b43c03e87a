// A preset of the hardware catalogue as a layer like any other: its rows planted into a tree, each figure
// with its source and confidence.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/tree.h"

namespace tahoma {

/// Is there a preset of this name ("trn2-server", "trn3-gen2-ultraserver@aws_doc_literal")?
bool is_preset(std::string_view name);

/// Throws ScenarioError with the nearest name if there is none, or the variants if the variant is unknown.
Node preset_layer(const std::string& name, const Place& asked_by, const std::string& key);

}  // namespace tahoma
