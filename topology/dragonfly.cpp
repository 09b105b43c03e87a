#include "topology/dragonfly.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint32_t global_steps = 3;  // a local link on both sides of one global link beats two globals

class RouterJoiner {
 public:
  RouterJoiner(GraphShape& graph, const Dragonfly& dragonfly)
      : graph_(graph), d_(dragonfly), first_(static_cast<std::uint32_t>(graph.vertices.size())) {
    for (std::uint32_t group = 0; group < d_.groups; ++group) {
      for (std::uint32_t r = 0; r < d_.routers; ++r)
        graph_.vertices.push_back({fmt::format("g{}.r{}", group, r), VertexKind::switch_});
    }
  }

  void join_end(std::uint32_t end, std::uint32_t router) { join(end, first_ + router, d_.terminal, 1, ""); }

  void join_group(std::uint32_t group) {
    for (std::uint32_t a = 0; a < d_.routers; ++a) {
      for (std::uint32_t b = a + 1; b < d_.routers; ++b)
        join(router(group, a), router(group, b), d_.local, 1, "");
    }
  }

  void join_groups(std::uint32_t low, std::uint32_t high) {
    const std::uint32_t away = high - low, others = d_.groups - 1;
    for (std::uint32_t copy = 0; copy < d_.links_between_groups(); ++copy) {
      const std::uint32_t there = away - 1 + copy * others, back = d_.groups - away - 1 + copy * others;
      const std::string suffix = d_.links_between_groups() > 1 ? fmt::format("#{}", copy + 1) : "";
      join(router(low, there / d_.global_links), router(high, back / d_.global_links), d_.global,
           global_steps, suffix);
    }
  }

 private:
  std::uint32_t router(std::uint32_t group, std::uint32_t r) const { return first_ + group * d_.routers + r; }

  void join(std::uint32_t a, std::uint32_t b, const Dragonfly::Wire& wire, std::uint32_t steps,
            const std::string& suffix) {
    const auto next = static_cast<std::uint32_t>(graph_.links.size());
    for (const bool forth : {true, false}) {
      GraphLink link;
      link.from = forth ? a : b;
      link.to = forth ? b : a;
      link.name = graph_.vertices[link.from].name + "->" + graph_.vertices[link.to].name + suffix;
      link.bandwidth = wire.bandwidth;
      link.efficiency = d_.efficiency;
      link.latency = wire.latency;
      link.reverse = forth ? next + 1 : next;
      link.steps = steps;
      graph_.links.push_back(std::move(link));
    }
  }

  GraphShape& graph_;
  const Dragonfly& d_;
  std::uint32_t first_;
};

}  // namespace

GraphShape dragonfly_of_chips(const Dragonfly& dragonfly, std::uint32_t chips) {
  GraphShape graph;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    const std::uint32_t router = chip / dragonfly.ends_per_router;
    graph.vertices.push_back({fmt::format("g{}.r{}.c{}", router / dragonfly.routers,
                                          router % dragonfly.routers, chip % dragonfly.ends_per_router),
                              VertexKind::chip});
    ends.push_back(chip);
  }
  join_by_dragonfly(graph, ends, dragonfly);
  return graph;
}

void join_by_dragonfly(GraphShape& graph, std::span<const std::uint32_t> ends, const Dragonfly& dragonfly) {
  TAHOMA_ASSERT(ends.size() <= dragonfly.ends(), "more ends than the dragonfly has room for");
  TAHOMA_ASSERT(dragonfly.groups < 2 || dragonfly.links_between_groups() > 0, "groups that nothing joins");
  const auto first = static_cast<std::uint32_t>(graph.vertices.size());
  RouterJoiner joiner(graph, dragonfly);
  for (std::uint32_t i = 0; i < ends.size(); ++i) joiner.join_end(ends[i], i / dragonfly.ends_per_router);
  for (std::uint32_t low = 0; low < dragonfly.groups; ++low) {
    joiner.join_group(low);
    for (std::uint32_t high = low + 1; high < dragonfly.groups; ++high) joiner.join_groups(low, high);
  }
  if (!dragonfly.valiant) return;
  for (std::uint32_t group = 0; group < dragonfly.groups; ++group) {
    graph.detours.groups.emplace_back(dragonfly.routers);
    std::iota(graph.detours.groups.back().begin(), graph.detours.groups.back().end(),
              first + group * dragonfly.routers);
  }
}

}  // namespace tahoma
