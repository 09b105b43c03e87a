// Every name and number that speaks of chips or links, checked against the healthy network: it costs nothing
// to build one, and only here the messages still know their places.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "scenarios/placement.h"
#include "scenarios/resolve.h"
#include "topology/fault_candidates.h"

namespace tahoma {

namespace {

/// The chips of a cluster by level, or its ranks where a chip has several; of a graph only the whole.
struct Sizes {
  std::uint64_t chips = 0, chip = 1, server = 0, domain = 0, site = 0;
  bool has_levels = false, equal_servers = true, equal_domains = true, equal_sites = true;
};

/// Of sites of different hardware: a level has one size only if it has the same in all of them.
Sizes sizes_of(const MixedShape& mixed) {
  Sizes sizes;
  sizes.has_levels = true;
  for (const ClusterShape& site : mixed.sites) {
    const std::uint64_t server = chips_per_server(site), domain = chips_per_domain(site);
    const std::uint64_t chips = domain * site.sites[0].domains;
    const bool is_first = sizes.chips == 0;
    sizes.equal_servers &= is_first || server == sizes.server;
    sizes.equal_domains &= is_first || domain == sizes.domain;
    sizes.equal_sites &= is_first || chips == sizes.site;
    sizes.server = server;
    sizes.domain = domain;
    sizes.site = chips;
    sizes.chips += chips;
  }
  return sizes;
}

Sizes sizes_of(const Scenario& scenario) {
  Sizes sizes;
  if (const auto* graph = std::get_if<GraphShape>(&scenario.network)) {
    for (const GraphVertex& vertex : graph->vertices) sizes.chips += vertex.kind == VertexKind::chip ? 1 : 0;
    return sizes;
  }
  if (const auto* mixed = std::get_if<MixedShape>(&scenario.network)) return sizes_of(*mixed);
  const auto& shape = std::get<ClusterShape>(scenario.network);
  sizes.has_levels = true;
  sizes.chip = shape.ranks_per_chip;
  sizes.server = scenario.chips_per_server * sizes.chip;
  sizes.domain = chips_per_domain(shape) * sizes.chip;
  for (const Site& site : shape.sites) {
    sizes.chips += site.domains * sizes.domain;
    if (site.domains != shape.sites[0].domains) sizes.equal_sites = false;
  }
  sizes.site = shape.sites[0].domains * sizes.domain;
  return sizes;
}

std::unique_ptr<Topology> topology_of(const Scenario& scenario) {
  return std::visit([](const auto& shape) { return make_topology(shape); }, scenario.network);
}

class NetworkCheck {
 public:
  explicit NetworkCheck(const Scenario& scenario)
      : topology_(topology_of(scenario)), sizes_(sizes_of(scenario)) {}

  void collective(const CollectiveWork& work, const Field& map) {
    const std::uint64_t in_order = placed(work, map);  // first: what it says of `ranks` explains more
    const std::uint64_t smallest = std::min(in_order, ranks(work.ranks.value, map["ranks"]));
    for (const Field& one : each(map["algorithm"])) {
      if (one.node->is_map()) algorithm_levels(one, work.ranks.value);
    }
    if (const Field root = map["root"]; root && work.root >= smallest) {
      refuse(root, {fmt::format("is past the last of {} ranks", smallest),
                    fmt::format("0 to {}", smallest - 1), ""});
    }
    if (work.pattern && work.pattern->kind == PermutePattern::Kind::file &&
        work.pattern->destinations.size() != smallest) {
      const Field pattern = map["pattern"];
      refuse({pattern.place(),
              pattern.path,
              "",
              {fmt::format("has {} destinations for groups of {} ranks", work.pattern->destinations.size(),
                           smallest),
               "one per rank of a group", ""}});
    }
  }

  void flows(const FlowWork& work, const Field& list) {
    for (std::size_t i = 0; i < work.flows.size(); ++i) flow(work.flows[i], list[i]);
  }

  void faults(const FaultSpec& spec, const Field& faults) {
    for (std::size_t i = 0; i < spec.events.size(); ++i) {
      const Field event = faults["events"][i];
      const Field element = event[spec.events[i].fail ? "fail" : "degrade"];
      const Elements found = elements(element);
      if (!spec.events[i].fail && (!found.chips.empty() || !found.switches.empty())) {
        refuse(element, {"is a chip or a switch, and only links and NICs can be slow",
                         "A<->B, A->B, or CHIP.nic", element.text() + ".nic"});
      }
    }
    for (std::size_t i = 0; i < spec.stragglers.size(); ++i) chips(faults["stragglers"][i]["chips"]);
    if (spec.random) random(*spec.random, faults["random"]);
  }

 private:
  /// Adds the place to what the topology says of a selector.
  template <class Match>
  std::invoke_result_t<Match, std::string_view> matched(const Field& field, Match match) {
    try {
      return match(std::string_view(field.text()));
    } catch (const SelectorError& error) {
      throw at_place(field.place(), field.path, error.message);
    }
  }

  Elements elements(const Field& field) {
    return matched(field, [&](std::string_view text) { return match_elements(*topology_, text); });
  }

  std::vector<ChipId> chips(const Field& field) {
    listable(field, "chips", sizeof(ChipId));
    return matched(field, [&](std::string_view text) { return match_chips(*topology_, text); });
  }

  /// Some questions list chips or links one by one; past this size the list alone is past any memory.
  void listable(const Field& field, std::string_view what, std::uint64_t bytes_each) const {
    constexpr std::uint64_t most_listed = 1ULL << 26;
    if (sizes_.chips <= most_listed) return;
    const std::uint64_t gib = (sizes_.chips * bytes_each >> 30) + 1;
    throw InfeasibleError(sentence(
        {field.place(),
         field.path,
         "",
         {fmt::format("needs a list of {} on {} chips, about {} GiB: past memory", what, sizes_.chips, gib),
          fmt::format("such a list on up to {} chips", most_listed), ""}}));
  }

  /// The chips that a placement orders.
  std::uint64_t placed(const CollectiveWork& work, const Field& map) {
    const Placement& placement = work.placement.value;
    if (placement.kind == Placement::Kind::packed) return sizes_.chips;
    const Field field = map["placement"];
    const Ranks& ranks = work.ranks.value;
    if (std::holds_alternative<RanksSelected>(ranks) || std::holds_alternative<RanksGroups>(ranks) ||
        std::holds_alternative<RanksBy>(ranks)) {
      refuse({field.place(),
              field.path,
              "",
              {"says in which order chips are taken, and `ranks` names the chips itself",
               "ranks all, the first N, {stride: N} or {size: N} beside it", ""}});
    }
    if (placement.kind != Placement::Kind::listed) return sizes_.chips;
    std::uint64_t chips = 0;
    try {
      chips = order_of(*topology_, placement, 0).size();
    } catch (const SelectorError& error) {
      throw at_place(field.place(), field.path, error.message);
    }
    if (const auto* first = std::get_if<RanksFirst>(&ranks); first != nullptr && first->count > chips) {
      refuse(map["ranks"], {fmt::format("is more than the {} chips that are placed", chips),
                            fmt::format("up to {}", chips), ""});
    }
    return chips;
  }

  /// The chips of one group of the smallest size, after checking the form.
  std::uint64_t ranks(const Ranks& value, const Field& field) {
    if (std::holds_alternative<RanksAll>(value)) return sizes_.chips;
    if (const auto* first = std::get_if<RanksFirst>(&value)) {
      at_most_all(first->count, field);
      return first->count;
    }
    if (std::holds_alternative<RanksSelected>(value)) return chips(field).size();
    if (const auto* by = std::get_if<RanksBy>(&value)) return by_level(by->level, field["by"]);
    if (const auto* stride = std::get_if<RanksStride>(&value)) {
      divides_all(stride->stride, field["stride"]);
      return sizes_.chips / stride->stride;
    }
    if (const auto* size = std::get_if<RanksSize>(&value)) {
      divides_all(size->size, field["size"]);
      return size->size;
    }
    return groups(field);
  }

  void at_most_all(std::uint64_t count, const Field& field) const {
    if (count > sizes_.chips)
      refuse(field, {fmt::format("is more than the {} chips there are", sizes_.chips),
                     fmt::format("up to {}", sizes_.chips), ""});
  }

  void divides_all(std::uint64_t count, const Field& field) const {
    at_most_all(count, field);
    if (sizes_.chips % count == 0) return;
    refuse(field, {fmt::format("does not divide the {} chips into equal groups", sizes_.chips),
                   "a divisor of them", ""});
  }

  std::uint64_t by_level(Level level, const Field& field) const {
    if (!sizes_.has_levels) refuse(field, {"is no level of a graph", "a list of groups", ""});
    if (level == Level::chip) {
      if (sizes_.chip == 1)
        refuse(field, {"is a level of one rank each: cluster.ranks_per_chip is 1",
                       "server, or several ranks on a chip", ""});
      return sizes_.chip;
    }
    if (level == Level::server && sizes_.equal_servers) return sizes_.server;
    if (level == Level::ultraserver && sizes_.equal_domains) return sizes_.domain;
    if (level != Level::site)
      refuse(field,
             {"is a level of unequal groups: the sites are of different hardware", "a list of groups", ""});
    if (!sizes_.equal_sites)
      refuse(field, {"is a level of unequal groups: the sites differ in size", "a list of groups", ""});
    return sizes_.site;
  }

  std::uint64_t groups(const Field& field) {
    std::unordered_map<ChipId, std::string> owner;
    std::uint64_t first_size = 0;
    for (const Field& group : each(field)) {
      std::uint64_t size = 0;
      for (const Field& selector : each(group)) {
        for (const ChipId chip : chips(selector)) {
          const auto [other, is_new] = owner.emplace(chip, selector.path);
          if (!is_new) {
            refuse(selector,
                   {fmt::format("overlaps: {} is in '{}' already", topology_->chip_name(chip), other->second),
                    "groups without a chip in common", ""});
          }
          ++size;
        }
      }
      if (first_size == 0) first_size = size;
      if (size != first_size) {
        refuse(group, {fmt::format("has {} ranks, and the first group has {}", size, first_size),
                       "groups of equal size", ""});
      }
    }
    return first_size;
  }

  /// Chips within one group of a level, as far out as an algorithm named for it reaches.
  std::uint64_t span(const Field& level) const {
    const std::string_view last = std::string_view(level.path).substr(level.path.rfind('.') + 1);
    if (last == "chip") return sizes_.chip;
    if (last == "server") return sizes_.server;
    if (last == "ultraserver" || last == "intra") return sizes_.domain;
    return last == "site" ? sizes_.site : sizes_.chips;
  }

  void algorithm_levels(const Field& choice, const Ranks& ranks) const {
    if (!sizes_.has_levels)
      refuse(choice, {"names levels, and a graph has none", "one algorithm for all ranks", ""});
    std::uint64_t reach = 0;
    for (const Entry& entry : choice.node->entries) {
      const Field level = choice[entry.key];
      const bool unequal = (entry.key == "server" && !sizes_.equal_servers) ||
                           (entry.key == "ultraserver" && !sizes_.equal_domains);
      if (unequal) {
        refuse(level, {"is a level of unequal groups: the sites are of different hardware",
                       "intra, which is each site's own scale-up domain", ""});
      }
      if (entry.key == "site" && !sizes_.equal_sites) {
        refuse(level, {"is a level of unequal groups: the sites differ in size",
                       "cluster, which spans the sites", ""});
      }
      if (entry.key == "chip" && sizes_.chip == 1) {
        refuse(level, {"is for the ranks of one chip, and cluster.ranks_per_chip is 1",
                       "levels from server on, or several ranks on a chip", ""});
      }
      reach = std::max(reach, span(level));
    }
    const bool all = std::holds_alternative<RanksAll>(ranks);
    const auto* by = std::get_if<RanksBy>(&ranks);
    const std::uint64_t needed = all                          ? sizes_.chips
                                 : !by                        ? 0
                                 : by->level == Level::chip   ? sizes_.chip
                                 : by->level == Level::server ? sizes_.server
                                 : by->level == Level::site   ? sizes_.site
                                                              : sizes_.domain;
    if (reach < needed) {
      refuse(choice, {fmt::format("reaches {} of the {} ranks of a group", reach, needed),
                      "an algorithm for the outer level too, such as cluster: ring", ""});
    }
  }

  void flow(const FlowSpec& spec, const Field& field) {
    if (spec.ends) {
      const ChipId from = one_chip(field["from"]), to = one_chip(field["to"]);
      if (from == to) refuse(field["to"], {"is the chip it comes from", "another chip", ""});
      return;
    }
    std::unordered_set<std::uint64_t> seen;
    for (const Field& name : each(field["path"])) {
      if (!seen.insert(one_link(name)).second) refuse(name, {"is in the path twice", "distinct links", ""});
    }
  }

  ChipId one_chip(const Field& field) {
    const auto known = chip_of_.find(field.text());
    if (known != chip_of_.end()) return known->second;
    const std::vector<ChipId> found = chips(field);
    if (found.size() != 1)
      refuse(field, {fmt::format("names {} chips", found.size()), "exactly one chip", ""});
    return chip_of_[field.text()] = found[0];
  }

  std::uint64_t one_link(const Field& field) {
    const auto known = link_of_.find(field.text());
    if (known != link_of_.end()) return known->second;
    const Elements found =
        matched(field, [&](std::string_view text) { return match_elements(*topology_, text); });
    if (found.links.size() != 1 || !found.chips.empty() || !found.switches.empty()) {
      refuse(field, {"names no single directed link", "A->B, or a link's name", ""});
    }
    return link_of_[field.text()] = found.links[0].value;
  }

  void random(const RandomFaults& faults, const Field& field) {
    candidates("links", faults.fail_links, faults.degrade_links, field);
    candidates("nics", faults.fail_nics, faults.degrade_nics, field);
    candidates("uplinks", faults.fail_uplinks, faults.degrade_uplinks, field);
  }

  void candidates(std::string_view kind, std::uint64_t fail, std::uint64_t degrade, const Field& random) {
    if (fail + degrade == 0) return;
    listable(random, kind, 256);
    const std::uint64_t there = FaultCandidates(*topology_, kind).size();
    if (fail + degrade <= there) return;
    const Field blame = random[fail > 0 ? "fail" : "degrade"][kind];
    refuse(blame, {fmt::format("asks for {} {} in all, and there are {}", fail + degrade, kind, there),
                   "that many or fewer", ""});
  }

  std::unique_ptr<Topology> topology_;
  Sizes sizes_;
  std::unordered_map<std::string, ChipId> chip_of_;
  std::unordered_map<std::string, std::uint64_t> link_of_;
};

}  // namespace

void check_against_network(const Node& root, const Scenario& scenario) {
  NetworkCheck check(scenario);
  const Field top{&root, ""};
  const Field workload = top["workload"];
  const Field jobs = workload["jobs"];
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const Field map = jobs ? jobs[i] : workload;
    if (const auto* work = std::get_if<CollectiveWork>(&scenario.jobs[i].work)) {
      check.collective(*work, map);
    } else if (const auto* trace = std::get_if<TraceWork>(&scenario.jobs[i].work)) {
      check.collective(trace->of_ranks, map);
    } else if (const auto* flows = std::get_if<FlowWork>(&scenario.jobs[i].work)) {
      check.flows(*flows, map["flows"]);
    }
  }
  check.faults(scenario.faults, top["faults"]);
}

}  // namespace tahoma
