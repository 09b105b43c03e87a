// From files and --set to a Scenario: the reader's front door.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/merge.h"
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

/// The files of a scenario, read once, for many runs that differ in a few values.
class ScenarioFiles {
 public:
  /// Reads the files and --set, not `variant`. Throws ScenarioError.
  explicit ScenarioFiles(const LoadRequest& request);

  /// `sweep`, or an empty node.
  const Node& sweep() const { return files_.sweep; }
  /// The files laid over each other as one text, without --set and without the preset that `cluster` names.
  std::string text(bool with_sweep) const;
  /// With a variant ("" = none) and then the settings laid over it. Many threads may ask at once.
  Layered with(const std::string& variant, const std::vector<Setting>& settings) const;

 private:
  Layered files_;                // without presets and without --set
  std::vector<Setting> sets_;    // of the command line
  Layered laid_;                 // with both
  bool sites_are_laid_ = false;  // of different hardware: a setting has to be laid before them
};

Layered layered(const LoadRequest& request);

/// One point of a sweep.
Scenario load_point(const ScenarioFiles& files, const std::string& name, const std::string& variant,
                    const std::vector<Setting>& settings);

}  // namespace tahoma
