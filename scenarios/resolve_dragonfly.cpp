// A dragonfly in fabric.scale_out: of lone chips, or of the NICs of a graph's copies (resolve_copies.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "core/errors.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_graph_vertices = 4096;  // each is a destination with a table of its own

/// One of [chip-router, local, global], or the one value for all.
Field of_three(const Field& values, std::size_t which) {
  if (!values.node->is_list()) return values;
  if (values.size() != 3) {
    refuse(values, {fmt::format("has {} values", values.size()),
                    "one value, or three: [chip-router, local, global]", ""});
  }
  return values[which];
}

Dragonfly::Wire wire_of(const Field& entry, std::size_t which) {
  const bool both = entry["both_directions"] && entry["both_directions"].text() == "true";
  return {read_link_bandwidth(of_three(required(entry, "bandwidth"), which), both),
          read_field(of_three(required(entry, "latency"), which), read_time)};
}

}  // namespace

bool is_dragonfly(const Field& scale_out) {
  return scale_out.size() > 0 && required(scale_out[0], "kind").text() == "dragonfly";
}

Dragonfly resolve_dragonfly(const Field& scale_out) {
  const Field entry = scale_out[0];
  if (scale_out.size() > 1)
    refuse(entry["kind"], {"stands alone: it joins all ends by itself", "one dragonfly", ""});
  const Field size = required(entry, "size");
  if (!size.node->is_list() || size.size() != 3) {
    refuse(size, {"is no size of a dragonfly", "[chips per router, routers per group, groups]", ""});
  }
  Dragonfly dragonfly;
  dragonfly.ends_per_router = read_count32(size[0]);
  dragonfly.routers = read_count32(size[1]);
  dragonfly.groups = read_count32(size[2]);
  if (u128{dragonfly.ends_per_router} * dragonfly.routers * dragonfly.groups > most_graph_vertices ||
      u128{dragonfly.routers} * dragonfly.groups > most_graph_vertices) {
    throw InfeasibleError(sentence(
        {size.place(),
         size.path,
         "",
         {fmt::format("makes a graph of more than {} vertices, and graphs do not fold", most_graph_vertices),
          "fewer chips, or a clos", ""}}));
  }
  const auto fewest = static_cast<std::uint32_t>(ceil_div64(dragonfly.groups - 1, dragonfly.routers));
  const Field global = entry["global_links"];
  dragonfly.global_links = global ? read_count32(global) : std::max(fewest, 1U);
  if (dragonfly.global_links < fewest) {
    refuse(global, {fmt::format("is too few: {} routers of a group are to reach {} other groups",
                                dragonfly.routers, dragonfly.groups - 1),
                    fmt::format("at least {}", fewest), ""});
  }
  if (dragonfly.global_links > most_graph_vertices)
    refuse(global, {"is too large", fmt::format("at most {}", most_graph_vertices), ""});
  dragonfly.terminal = wire_of(entry, 0);
  dragonfly.local = wire_of(entry, 1);
  dragonfly.global = wire_of(entry, 2);
  dragonfly.efficiency = read_field(entry["efficiency"], read_number);
  const Field routing = entry["routing"];
  if (routing && routing.text() != "minimal" && routing.text() != "valiant")
    refuse(routing, {"chooses among the uplinks of a clos", "minimal or valiant", ""});
  if (routing && routing.text() == "valiant" && dragonfly.groups < 3)
    refuse(routing, {"needs a third group", "minimal, or 3 groups or more", ""});
  dragonfly.valiant = routing && routing.text() == "valiant";
  return dragonfly;
}

GraphShape dragonfly_cluster(const Field& top) {
  const Field fabric = top["fabric"];
  for (const Field& other : {fabric["scale_up"], fabric["wan"], top["sites"], top["cluster"]["nic"]}) {
    if (other) {
      refuse({other.place(),
              other.path,
              "",
              {"stands beside a dragonfly, which joins lone chips",
               "chips without it, or servers given as fabric.graph with vertices of kind nic", ""}});
    }
  }
  const Dragonfly dragonfly = resolve_dragonfly(fabric["scale_out"]);
  const Field count = top["cluster"]["count"];
  const std::uint64_t chips = count ? read_field(count, read_count) : dragonfly.ends();
  if (chips > dragonfly.ends()) {
    refuse(count, {fmt::format("is more than the dragonfly holds, {}", dragonfly.ends()),
                   "at most that, or a larger `size`", ""});
  }
  return dragonfly_of_chips(dragonfly, static_cast<std::uint32_t>(chips));
}

}  // namespace tahoma
