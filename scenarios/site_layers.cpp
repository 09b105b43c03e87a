#include "scenarios/site_layers.h"

#include <set>

#include "scenarios/complaint.h"
#include "scenarios/field.h"
#include "scenarios/merge.h"
#include "scenarios/preset_layer.h"

namespace tahoma {

namespace {

constexpr std::string_view halves[] = {"cluster", "fabric"};

/// Keys of the top that speak of all sites together and stay there.
bool joins_sites(std::string_view half, std::string_view key) {
  return half == "fabric" && (key == "wan" || key == "between_sites");
}

/// What the file says of its one kind of hardware: for the sites that name no preset.
Node top_hardware(const Layered& layered) {
  Node base;
  base.kind = Node::Kind::map;
  const Field preset = Field{&layered.tree, ""}["cluster"]["preset"];
  if (preset) base = preset_layer(preset.text(), preset.place(), preset.path);
  for (const std::string_view half : halves) {
    const Node* own = layered.tree.find(half);
    if (own == nullptr) continue;
    Node copy = *own;
    copy.erase(half == "cluster" ? "preset" : "wan");
    copy.erase(half == "cluster" ? "count" : "between_sites");
    merge_into(base.at_or_insert(half, own->place), std::move(copy), std::string(half));
  }
  return base;
}

void take_hardware_from_top(Node& root) {
  for (const std::string_view half : halves) {
    Node* own = root.find(half);
    if (own == nullptr) continue;
    Node rest = *own;
    std::erase_if(rest.entries, [&](const Entry& entry) { return !joins_sites(half, entry.key); });
    const bool empty = rest.entries.empty();
    *own = std::move(rest);
    if (empty) root.erase(half);
  }
}

void lay_site(Node& site, const std::string& path, const Node& top) {
  const Field preset = Field{&site, path}["preset"];
  Node base = preset ? preset_layer(preset.text(), preset.place(), preset.path) : top;
  if (base.find("sites") != nullptr)
    refuse(preset, {"is a whole cluster of sites", "a preset of one kind of hardware", ""});
  const std::string name = preset ? preset.text() : "";
  for (const std::string_view half : halves) {
    Node made;
    made.kind = Node::Kind::map;
    made.place = site.place;
    made.layer = Layer::preset;
    if (Node* below = base.find(half)) made = std::move(*below);
    if (Node* own = site.find(half)) merge_into(made, std::move(*own), std::string(half));
    if (half == "cluster" && !name.empty() && made.find("hardware") == nullptr)
      made.entries.push_back({"hardware", preset.place(), scalar_node(name, preset.place(), Layer::preset)});
    site.erase(half);
    site.entries.push_back({std::string(half), made.place, std::move(made)});
  }
  site.erase("preset");
}

}  // namespace

bool sites_differ(const Layered& layered) {
  const Field root{&layered.tree, ""};
  std::set<std::string> named;
  bool own_hardware = false, some_unnamed = false;
  for (const Field& site : each(root["sites"])) {
    own_hardware |= site["cluster"] || site["fabric"];
    if (const Field preset = site["preset"]) {
      named.insert(preset.text());
    } else {
      some_unnamed = true;
    }
  }
  if (named.empty()) return own_hardware;
  if (const Field preset = root["cluster"]["preset"]) named.insert(preset.text());
  if (some_unnamed && !layered.preset.empty()) named.insert(layered.preset);
  return own_hardware || named.size() > 1;
}

void lay_sites(Layered& layered) {
  Node* sites = layered.tree.find("sites");
  const Node top = top_hardware(layered);
  bool top_is_used = false;
  for (std::size_t i = 0; i < sites->items.size(); ++i) {
    Node& site = sites->items[i];
    top_is_used |= site.find("preset") == nullptr;
    lay_site(site, joined("sites", i), top);
  }
  if (top_is_used) take_hardware_from_top(layered.tree);
  layered.preset.clear();
}

}  // namespace tahoma
