// Keys of `cluster` that change a preset's network in a few words: the shape of a TPU slice, other NICs,
// another transport. They are written into the fabric and erased, so that everything behind reads the fabric
// alone and resolved.yaml shows what they meant.
//
// A server with fewer NICs than chips is modelled by each chip's share of a NIC: exact while all chips of the
// server send alike, too little where one chip sends alone.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/decimal_text.h"
#include "scenarios/preset_layer.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

/// The first entry of a list of the fabric, which the key is about.
Node& fabric_entry(Node& root, const Field& asking, std::string_view list) {
  Node* fabric = root.find("fabric");
  Node* entries = fabric ? fabric->find(list) : nullptr;
  if (!entries || entries->items.empty() || !entries->items[0].is_map()) {
    refuse({asking.place(),
            asking.path,
            "",
            {fmt::format("has no fabric.{} to change", list), "a preset or a fabric that has one", ""}});
  }
  return entries->items[0];
}

/// Figures of presets and defaults give way, the user's own stay.
void overrule(Node& entry, const std::string& key, Node value, Layer weakest_that_stays) {
  Node* there = entry.find(key);
  if (there && there->layer >= weakest_that_stays) return;
  entry.at_or_insert(key, value.place) = std::move(value);
}

void overrule(Node& entry, const std::string& key, const std::string& value, const Node& by) {
  overrule(entry, key, scalar_node(value, by.place, by.layer),
           static_cast<Layer>(std::max<int>(static_cast<int>(by.layer) + 1, 2)));
}

/// A part of the ports of a switched domain, `[64]` of 72: its rails are as many, if they were one per chip.
bool take_ports(Node& root, Node& entry, const Field& shape, const Field& size) {
  const Node* kind = entry.find("kind");
  if (shape.size() != 1 || !size || !size.node->is_scalar() || !kind || kind->text != "switch") return false;
  const Field ports = shape[0];
  const std::uint64_t all = read_field(size, read_count), some = read_field(ports, read_count);
  if (some < 1 || some > all)
    refuse(ports, {fmt::format("is no part of the {} ports of fabric.scale_up.0", all),
                   fmt::format("from 1 to {}", all), ""});
  Node* fabric = root.find("fabric");
  Node* out = fabric->find("scale_out");
  Node* rails = out && !out->items.empty() ? out->items[0].find("rails") : nullptr;
  if (rails && rails->text == size.text()) *rails = *ports.node;
  entry.at_or_insert("size", shape.place()) = *ports.node;
  return true;
}

void take_shape(Node& root) {
  const Field shape = Field{&root, ""}["cluster"]["shape"];
  if (!shape) return;
  Node& entry = fabric_entry(root, shape, "scale_up");
  const Field size = Field{&entry, "fabric.scale_up.0"}["size"];
  if (take_ports(root, entry, shape, size)) return;
  if (!size || !size.node->is_list() || size.size() != shape.size()) {
    refuse(shape, {"does not fit fabric.scale_up.0, which is no torus of as many dimensions",
                   size && size.node->is_list() ? fmt::format("a list of {} sizes", size.size())
                                                : "a preset whose slices have a shape, such as tpu-v5p",
                   ""});
  }
  entry.at_or_insert("size", shape.place()) = *shape.node;
}

void take_transport(Node& root) {
  const Field transport = Field{&root, ""}["cluster"]["transport"];
  if (!transport) return;
  Node& entry = fabric_entry(root, transport, "scale_out");
  const Node fabric = preset_layer(transport.text() + "-fabric", transport.place(), transport.path);
  const Node& figures = fabric.find("fabric")->find("scale_out")->items[0];
  const Node* kind = entry.find("kind");
  for (const std::string key : {"efficiency", "latency", "routing"}) {
    if (key == "routing" && !(kind && kind->text == "clos")) continue;
    overrule(entry, key, *figures.find(key), Layer::extends);
  }
}

/// bandwidth / divisor, exactly, or refused.
std::string part_of(const Field& bandwidth, std::uint64_t divisor) {
  const Decimal whole = read_field(bandwidth, read_bandwidth);
  std::uint64_t power = 1;
  for (std::int32_t digits = 0; digits < 10; ++digits, power *= 10) {
    if (power % divisor == 0) return to_text(scaled(whole, power / divisor, -digits)) + "B/s";
  }
  refuse(bandwidth, {fmt::format("cannot be shared by {} chips exactly", divisor),
                     "a number of NICs that leaves each a finite decimal", ""});
}

void share_nics(Node& entry, const Field& nic, std::uint64_t nics, std::uint64_t chips) {
  const Field bandwidth = nic["bandwidth"];
  if (nics % chips == 0) {
    overrule(entry, "planes", std::to_string(nics / chips), *nic["count"].node);
    if (bandwidth) overrule(entry, "bandwidth", bandwidth.text(), *bandwidth.node);
  } else if (chips % nics == 0) {
    overrule(entry, "planes", "1", *nic["count"].node);
    const Field own{entry.find("bandwidth"), "fabric.scale_out.0.bandwidth"};
    const Field whole = bandwidth ? bandwidth : own;
    if (whole) overrule(entry, "bandwidth", part_of(whole, chips / nics), *nic["count"].node);
  } else {
    refuse(nic["count"], {fmt::format("neither divides the {} chips of a server nor is a multiple", chips),
                          "a divisor or a multiple of them", ""});
  }
}

}  // namespace

void take_nics(Node& root, std::uint64_t chips, std::optional<std::uint64_t> nics_of_graph) {
  const Field nic = Field{&root, ""}["cluster"]["nic"];
  if (nic) {
    Node& entry = fabric_entry(root, nic, "scale_out");
    const Field count = nic["count"], bandwidth = nic["bandwidth"];
    const std::uint64_t nics = count ? read_field(count, read_count) : 0;
    if (nics_of_graph) {
      if (count && nics != *nics_of_graph)
        refuse(count, {fmt::format("disagrees with the graph, whose servers have {}", *nics_of_graph),
                       "that number, or another graph", ""});
      if (bandwidth) overrule(entry, "bandwidth", bandwidth.text(), *bandwidth.node);
    } else if (count) {
      share_nics(entry, nic, nics, chips);
    } else if (bandwidth) {
      overrule(entry, "bandwidth", bandwidth.text(), *bandwidth.node);
    }
  }
  if (Node* cluster = root.find("cluster")) cluster->erase("nic");
}

void take_options(Node& root) {
  take_shape(root);
  take_transport(root);
  Node* cluster = root.find("cluster");
  if (!cluster) return;
  cluster->erase("shape");
  cluster->erase("transport");
}

}  // namespace tahoma
