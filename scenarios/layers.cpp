// Reads every layer of a scenario and lays them over each other: presets < extends < the file < overlays <
// --set. `extends` of a file lies right below that file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/errors.h"
#include "scenarios/complaint.h"
#include "scenarios/field.h"
#include "scenarios/load.h"
#include "scenarios/merge.h"
#include "scenarios/preset_layer.h"
#include "scenarios/shape_check.h"
#include "scenarios/site_layers.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_layers = 256;  // a diamond of `extends` could otherwise double at every step

void spell_out(Node* name) {
  if (!name || !name->is_scalar()) return;
  Node map;
  map.kind = Node::Kind::map;
  map.place = name->place;
  map.layer = name->layer;
  map.entries.push_back({"name", name->place, *name});
  *name = std::move(map);
}

/// `chip: generic` is short for `chip: {name: generic}`, and `stack: nccl` likewise; the long forms merge.
void spell_out_names(Node& root) {
  if (Node* sites = root.find("sites")) {
    for (Node& site : sites->items) spell_out_names(site);
  }
  if (Node* cluster = root.find("cluster")) spell_out(cluster->find("chip"));
  Node* workload = root.find("workload");
  if (!workload) return;
  spell_out(workload->find("stack"));
  Node* jobs = workload->find("jobs");
  for (std::size_t i = 0; jobs && i < jobs->items.size(); ++i) spell_out(jobs->items[i].find("stack"));
}

class Gatherer {
 public:
  Layered result;

  void file(const std::string& name, Layer layer, const Place& asked_by) {
    enter(name, asked_by);
    text(read_text_file(name, asked_by), name, layer);
    chain_.pop_back();
  }

  void text(const std::string& yaml, const std::string& name, Layer layer) {
    Node root = parse_yaml({yaml, name, layer, true});
    if (root.kind == Node::Kind::empty) root.place = {name, 1, 1};
    check_shape(root);
    spell_out_names(root);
    for (const Field& parent : each(Field{&root, ""}["extends"])) extend(parent, name);
    root.erase("extends");
    merge_into(result.tree, std::move(root));
  }

 private:
  void enter(const std::string& name, const Place& asked_by) {
    std::error_code ignored;
    const std::string canonical = fs::weakly_canonical(name, ignored).string();
    const auto again = std::find_if(chain_.begin(), chain_.end(),
                                    [&](const Step& step) { return step.canonical == canonical; });
    if (again != chain_.end()) {
      std::string names;
      for (auto step = again; step != chain_.end(); ++step) names += step->name + " -> ";
      refuse({asked_by, "extends", "", {fmt::format("goes in a circle: {}{}", names, name), "", ""}});
    }
    if (++layers_ > most_layers) {
      refuse({asked_by, "extends", "", {fmt::format("leads to more than {} files", most_layers), "", ""}});
    }
    chain_.push_back({name, canonical});
  }

  void extend(const Field& parent, const std::string& child_file) {
    const std::string& name = parent.text();
    const bool looks_like_file =
        name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml");
    const fs::path beside = fs::path(child_file).parent_path() / name;
    std::error_code ignored;
    if (is_preset(name) || (!looks_like_file && !fs::exists(beside, ignored))) {
      merge_into(result.tree, preset_layer(name, parent.place(), parent.path));
      result.preset = name;
      result.preset_place = parent.place();
    } else {
      file(beside.string(), Layer::extends, parent.place());
    }
  }

  struct Step {
    std::string name, canonical;
  };
  std::vector<Step> chain_;  // files whose `extends` are being read
  std::size_t layers_ = 0;
};

/// `cluster.preset`, or the one preset that all sites name.
Field named_preset(const Field& root) {
  Field found = root["cluster"]["preset"];
  for (const Field& site : each(root["sites"])) {
    if (const Field preset = site["preset"]) found = preset;
  }
  return found;
}

void take_out_presets(Node& tree) {
  if (Node* cluster = tree.find("cluster")) cluster->erase("preset");
  if (Node* sites = tree.find("sites")) {
    for (Node& site : sites->items) site.erase("preset");
  }
}

void lay_preset_below(Layered& layered) {
  const Field preset = named_preset({&layered.tree, ""});
  if (preset) {
    layered.preset = preset.text();
    layered.preset_place = preset.place();
    Node base = preset_layer(preset.text(), preset.place(), preset.path);
    merge_into(base, std::move(layered.tree));
    layered.tree = std::move(base);
  }
  take_out_presets(layered.tree);
}

/// `sweep` is about scenarios, not part of one.
void take_out_sweep(Layered& layered) {
  const Node* found = layered.tree.find("sweep");
  if (found == nullptr) return;
  layered.sweep = *found;
  layered.tree.erase("sweep");
}

/// Does it decide which presets lie below?
bool picks_hardware(std::string_view path) {
  return path == "cluster" || path == "sites" || path.starts_with("sites.") || path == "cluster.preset";
}

bool picks_hardware(const Node& variant) {
  const Node* cluster = variant.find("cluster");
  return variant.find("sites") != nullptr || (cluster != nullptr && cluster->find("preset") != nullptr);
}

bool picks_hardware(const std::vector<Setting>& settings) {
  return std::any_of(settings.begin(), settings.end(),
                     [](const Setting& setting) { return picks_hardware(setting.path); });
}

void set_all(Node& tree, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) set_value(tree, setting);
  if (!settings.empty()) spell_out_names(tree);
}

/// What lies over the files, in its order: --set, a variant, the settings of a point.
struct Over {
  const std::vector<Setting>& sets;
  const Node* variant;
  const std::vector<Setting>& point;
};

void lay_variant(Node& tree, const Node* variant) {
  if (variant == nullptr) return;
  Node over = *variant;
  spell_out_names(over);
  merge_into(tree, std::move(over));
}

void lay_all(Node& tree, const Over& over) {
  set_all(tree, over.sets);
  lay_variant(tree, over.variant);
  set_all(tree, over.point);
}

/// Only what names the presets: a place in a list may be there with them only.
void lay_hardware(Node& tree, const Over& over) {
  const auto pick = [&](const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) {
      if (picks_hardware(setting.path)) set_value(tree, setting);
    }
  };
  pick(over.sets);
  if (over.variant != nullptr && picks_hardware(*over.variant)) lay_variant(tree, over.variant);
  pick(over.point);
  spell_out_names(tree);
}

/// Whether its sites are of different hardware.
bool lay(Layered& layered, const Over& over) {
  lay_hardware(layered.tree, over);
  if (sites_differ(layered)) {
    lay_all(layered.tree, over);
    lay_sites(layered);
    return true;
  }
  lay_preset_below(layered);
  lay_all(layered.tree, over);  // what was laid before is laid again, which changes nothing
  take_out_presets(layered.tree);
  return false;
}

const std::vector<Setting> no_settings;

}  // namespace

ScenarioFiles::ScenarioFiles(const LoadRequest& request) {
  Gatherer gatherer;
  gatherer.result.tree.kind = Node::Kind::map;
  gatherer.result.tree.place = {request.file, 1, 1};
  const Place asked_by{"command line", 0, 0};
  if (request.text) {
    gatherer.text(*request.text, request.file, Layer::file);
  } else {
    gatherer.file(request.file, Layer::file, asked_by);
  }
  for (const std::string& overlay : request.overlays) gatherer.file(overlay, Layer::overlay, asked_by);
  files_ = std::move(gatherer.result);
  take_out_sweep(files_);
  for (const std::string& setting : request.sets) {
    Setting read = read_setting(setting);
    if (read.path == "sweep" || read.path.starts_with("sweep.")) {
      Node sweep;
      sweep.kind = Node::Kind::map;
      sweep.entries.push_back({"sweep", files_.sweep.place, files_.sweep});
      set_value(sweep, read);
      files_.sweep = *sweep.find("sweep");
    } else {
      sets_.push_back(std::move(read));
    }
  }
  laid_ = files_;
  sites_are_laid_ = lay(laid_, {sets_, nullptr, no_settings});
}

Layered ScenarioFiles::with(const std::string& variant, const std::vector<Setting>& settings) const {
  const Node* patch = nullptr;
  if (!variant.empty()) {
    const Node* variants = files_.sweep.find("variants");
    patch = variants == nullptr ? nullptr : variants->find(variant);
    TAHOMA_ASSERT(patch != nullptr, "no variant '" + variant + "'");
  }
  const bool from_files =
      sites_are_laid_ || picks_hardware(settings) || (patch != nullptr && picks_hardware(*patch));
  Layered layered = from_files ? files_ : laid_;
  if (!variant.empty()) layered.sweep = {};
  if (from_files) {
    lay(layered, {sets_, patch, settings});
  } else {
    lay_variant(layered.tree, patch);
    set_all(layered.tree, settings);
  }
  return layered;
}

std::string ScenarioFiles::text(bool with_sweep) const {
  Node tree = files_.tree;
  if (with_sweep && files_.sweep.kind != Node::Kind::empty)
    tree.entries.push_back({"sweep", files_.sweep.place, files_.sweep});
  return to_yaml(tree);
}

Layered layered(const LoadRequest& request) {
  return ScenarioFiles(request).with(request.variant, {});
}

}  // namespace tahoma
