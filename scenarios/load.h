// From files and --set to a Scenario: the reader's front door.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "scenarios/tree.h"

namespace tahoma {

struct LoadRequest {
  std::string file;
  std::vector<std::string> overlays;  // -f, later ones win
  std::vector<std::string> sets;      // --set path=value, later ones win
  std::optional<std::string> text =
      {};                      // read instead of `file`, which then only gives the places their name
  bool needs_workload = true;  // false: only the network is asked for (`tahoma topology`)
  std::string variant = {};    // one of `sweep.variants`, laid over everything else
};

/// Throws ScenarioError or InfeasibleError with a finished sentence.
Scenario load(const LoadRequest& request);

/// One resolved value and where it came from.
struct Explained {
  std::string path, value, origin, source, confidence;
};
/// Every resolved value, defaults included, in the order of the reference page.
std::vector<Explained> explain(const LoadRequest& request);

/// All layers in merge order, checked and merged, presets laid below. `preset` is the innermost one's name.
struct Layered {
  Node tree;   // without `sweep`
  Node sweep;  // empty: there is none, or a variant was chosen
  std::string preset;
  Place preset_place;
};
Layered layered(const LoadRequest& request);

}  // namespace tahoma
