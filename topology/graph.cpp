#include "topology/graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "core/errors.h"
#include "core/natural_order.h"
#include "core/random.h"
#include "topology/geometry.h"

namespace tahoma {

namespace {

constexpr std::uint32_t nowhere = ~0u;

// New number of each vertex of the shape: chips in their order, then the others in theirs.
std::vector<std::uint32_t> chips_first(const GraphShape& shape) {
  std::vector<std::uint32_t> number(shape.vertices.size());
  std::uint32_t next = 0;
  for (const bool chips : {true, false}) {
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
      if ((shape.vertices[v].kind == VertexKind::chip) == chips) number[v] = next++;
    }
  }
  return number;
}

}  // namespace

GraphTopology::GraphTopology(const GraphShape& shape, const Faults& faults) {
  const std::vector<std::uint32_t> number = chips_first(shape);
  names_.resize(shape.vertices.size());
  std::set<std::string_view> seen;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    const GraphVertex& vertex = shape.vertices[v];
    if (!seen.insert(vertex.name).second) {
      throw ScenarioError(fmt::format("two vertices of the graph are named '{}'", vertex.name));
    }
    names_[number[v]] = vertex.name;
    if (vertex.kind == VertexKind::chip) ++chips_;
  }
  if (chips_ == 0) throw ScenarioError("the graph has no chip");
  for (const GraphLink& from : shape.links) {
    if (from.from >= number.size() || from.to >= number.size() || from.from == from.to) {
      throw ScenarioError(
          fmt::format("link '{}' of the graph does not join two different vertices", from.name));
    }
    TAHOMA_ASSERT(from.steps > 0, "a link that counts as no step");
    Link link;
    link.from = number[from.from];
    link.to = number[from.to];
    link.name = from.name.empty() ? names_[link.from] + "->" + names_[link.to] : from.name;
    link.reverse = from.reverse;
    link.steps = from.steps;
    link.capacity = capacity_of({from.bandwidth, from.efficiency});
    link.raw = capacity_of({from.bandwidth});
    link.latency = from.latency;
    if (link.capacity.q20 == 0) throw ScenarioError(fmt::format("link '{}' has no bandwidth", link.name));
    links_.push_back(std::move(link));
  }
  if (!faults.empty()) apply(faults, shape);
  out_.resize(names_.size());
  in_.resize(names_.size());
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    if (links_[i].dead) continue;
    out_[links_[i].from].push_back(i);
    in_[links_[i].to].push_back(i);
    ++live_links_;
  }
  Digit digit;
  digit.name = "vertex";
  digit.size = chips_;
  digit.level = Level::server;
  digits_.push_back(digit);
  set_detours(shape.detours, number);
  once_ = std::make_unique<std::once_flag[]>(chips_ + groups_.size());
  next_.resize(chips_ + groups_.size());
}

void GraphTopology::set_detours(const Detours& detours, const std::vector<std::uint32_t>& number) {
  seed_ = detours.seed;
  if (detours.groups.empty()) return;
  group_of_.assign(names_.size(), nowhere);
  for (const std::vector<std::uint32_t>& group : detours.groups) {
    for (const std::uint32_t vertex : group) {
      group_of_[number[vertex]] = static_cast<std::uint32_t>(groups_.size());
    }
    groups_.emplace_back();
    for (const std::uint32_t vertex : group) groups_.back().push_back(number[vertex]);
  }
}

void GraphTopology::apply(const Faults& faults, const GraphShape& shape) {
  for (const LinkId link : faults.failed_links) links_[link.value].dead = true;
  std::vector<bool> dead(names_.size(), false);
  for (const ChipId chip : faults.failed_chips) dead[chip] = true;
  for (const std::string& name : faults.failed_switches) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    TAHOMA_ASSERT(found != names_.end(), "a failed switch that does not exist");
    dead[static_cast<std::size_t>(found - names_.begin())] = true;
  }
  std::unordered_map<std::uint64_t, Decimal> factors;
  for (const Faults::Degraded& degraded : faults.degraded_links) {
    const auto entry = factors.try_emplace(degraded.link.value, Decimal{1, 0}).first;
    entry->second = multiply(entry->second, degraded.factor);
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    if (dead[link.from] || dead[link.to]) link.dead = true;
    const auto factor = factors.find(i);
    if (factor == factors.end()) continue;
    const GraphLink& from = shape.links[i];
    link.capacity = capacity_of({from.bandwidth, from.efficiency, factor->second});
    if (link.capacity.q20 == 0) link.dead = true;
  }
}

// Layer by layer of steps from the destination, the nearest first; within a layer the least latency; then
// each vertex takes the lowest of its links that keep both.
GraphTopology::NextLinks GraphTopology::find_next_links(std::uint32_t destination) const {
  std::vector<std::uint32_t> steps(names_.size(), nowhere);
  std::vector<Duration> least(names_.size());
  NextLinks next(names_.size(), nowhere);
  std::map<std::uint32_t, std::vector<std::uint32_t>> layers;
  layers[0] = destination < chips_ ? std::vector{destination} : groups_[destination - chips_];
  for (const std::uint32_t vertex : layers[0]) steps[vertex] = 0;
  while (!layers.empty()) {
    const auto [distance, layer] = std::move(*layers.begin());
    layers.erase(layers.begin());
    for (const std::uint32_t vertex : layer) {
      if (steps[vertex] != distance) continue;  // reached in fewer steps since
      for (const std::uint32_t link : out_[vertex]) {
        const Link& out = links_[link];
        if (steps[out.to] == nowhere || steps[out.to] + out.steps != distance) continue;
        const Duration latency = out.latency + least[out.to];
        if (next[vertex] == nowhere || latency < least[vertex]) next[vertex] = link, least[vertex] = latency;
      }
      for (const std::uint32_t link : in_[vertex]) {
        const std::uint32_t from = links_[link].from, there = distance + links_[link].steps;
        if (steps[from] <= there) continue;
        steps[from] = there;
        layers[there].push_back(from);
      }
    }
  }
  return next;
}

const GraphTopology::NextLinks& GraphTopology::next_links(std::uint32_t destination) const {
  std::call_once(once_[destination], [&] { next_[destination] = find_next_links(destination); });
  return next_[destination];
}

// Appends the way from a vertex to a destination; the vertex where it ends, none if there is no way.
std::uint32_t GraphTopology::walk(std::uint32_t from, std::uint32_t destination, Path& path) const {
  const NextLinks& next = next_links(destination);
  const auto is_there = [&](std::uint32_t vertex) {
    return destination < chips_ ? vertex == destination : group_of_[vertex] == destination - chips_;
  };
  std::uint32_t at = from;
  while (!is_there(at)) {
    if (next[at] == nowhere) return nowhere;
    const Link& link = links_[next[at]];
    path.links.push_back({next[at]});
    path.latency += link.latency;
    at = link.to;
  }
  return at;
}

// From the first switch of the minimal way to a third group, and minimally on. Groups are tried from the one
// that the hash draws on; one that is cut off, or whose way meets itself, is passed over.
bool GraphTopology::append_detour(ChipId src, ChipId dst, std::uint32_t lane, Path& path) const {
  if (walk(src, dst, path) == nowhere) return false;
  std::size_t up = 0;
  while (up < path.links.size() && group_of_[links_[path.links[up].value].to] == nowhere) ++up;
  std::size_t down = path.links.size();
  while (down > 0 && group_of_[links_[path.links[down - 1].value].from] == nowhere) --down;
  if (up >= path.links.size() || down == 0) return true;  // no switch of any group
  const std::uint32_t first = links_[path.links[up].value].to;
  const std::uint32_t from = group_of_[first], to = group_of_[links_[path.links[down - 1].value].from];
  const auto groups = static_cast<std::uint32_t>(groups_.size());
  if (from == to || groups < 3) return true;
  Path terminal;
  terminal.links.assign(path.links.begin(), path.links.begin() + static_cast<std::ptrdiff_t>(up) + 1);
  for (const LinkId link : terminal.links) terminal.latency += links_[link.value].latency;
  const std::uint64_t hash = mix64(mix64(mix64(mix64(seed_) ^ src) ^ dst) ^ lane);
  // Of the groups in their order without `from` and `to`.
  const auto third = [&](std::uint32_t place) {
    if (place >= std::min(from, to)) ++place;
    if (place >= std::max(from, to)) ++place;
    return place;
  };
  for (std::uint32_t tried = 0; tried < groups - 2; ++tried) {
    const std::uint32_t over = third(static_cast<std::uint32_t>((hash + tried) % (groups - 2)));
    Path way = terminal;
    const std::uint32_t entry = walk(first, chips_ + over, way);
    if (entry == nowhere || walk(entry, dst, way) == nowhere) continue;
    std::set<std::uint32_t> met;
    if (!std::all_of(way.links.begin(), way.links.end(),
                     [&](LinkId link) { return met.insert(links_[link.value].to).second; }))
      continue;
    path = std::move(way);
    return true;
  }
  return true;
}

void GraphTopology::route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const {
  TAHOMA_ASSERT(src < chips_ && dst < chips_, "a route between chips that do not exist");
  route.ways = 1;
  route.path[0].clear();
  route.path[1].clear();
  const bool found = groups_.empty() ? walk(src, dst, route.path[0]) != nowhere
                                     : append_detour(src, dst, lane, route.path[0]);
  if (!found) {
    throw InfeasibleError(fmt::format("{} cannot reach {}: no links lead there", names_[src], names_[dst]));
  }
}

Duration GraphTopology::least_latency(ChipId a, ChipId b) const {
  std::vector<Duration> least(names_.size(), Duration{-1});
  std::set<std::pair<Duration, std::uint32_t>> open{{Duration{}, a}};
  while (!open.empty()) {
    const auto [latency, vertex] = *open.begin();
    open.erase(open.begin());
    if (least[vertex].ps >= 0) continue;
    least[vertex] = latency;
    if (vertex == b) return latency;
    for (const std::uint32_t link : out_[vertex])
      open.emplace(latency + links_[link].latency, links_[link].to);
  }
  return {};
}

void GraphTopology::out_edges(VertexId vertex, std::vector<Edge>& edges) const {
  for (const std::uint32_t link : out_[vertex]) edges.push_back({vertex, links_[link].to, {link}});
}

// One chip each and the two halves of the ranking. Of very many chips the weakest, and the strongest: it
// bounds what any chip can send.
std::vector<Cut> GraphTopology::cuts() const {
  if (chips_ < 2) return {};
  std::vector<Cut> cuts(chips_ + 1);
  for (ChipId chip = 0; chip < chips_; ++chip) {
    cuts[chip] = {"one chip, " + names_[chip], Level::chip, {{0, chip, chip + 1}}, {}, {}, {}, {}};
  }
  const std::uint32_t half = chips_ / 2;
  cuts[chips_] = {"half of the chips", Level::server, {{0, 0, half}}, {}, {}, {}, {}};
  const auto leave = [](Cut& cut, const Link& link) {
    cut.raw_out.q20 += link.raw.q20;
    if (!link.dead) cut.out.q20 += link.capacity.q20;
  };
  const auto enter = [](Cut& cut, const Link& link) {
    cut.raw_in.q20 += link.raw.q20;
    if (!link.dead) cut.in.q20 += link.capacity.q20;
  };
  for (const Link& link : links_) {
    if (link.from < chips_) leave(cuts[link.from], link);
    if (link.to < chips_) enter(cuts[link.to], link);
    // Switches count as outside.
    if (link.from < half && link.to >= half) leave(cuts[chips_], link);
    if (link.to < half && link.from >= half) enter(cuts[chips_], link);
  }
  constexpr std::ptrdiff_t most = 512;
  if (chips_ > most) {
    std::stable_sort(cuts.begin(), cuts.end() - 1, [](const Cut& a, const Cut& b) { return a.out < b.out; });
    cuts.erase(cuts.begin() + most, cuts.end() - 2);
  }
  return cuts;
}

Capacity GraphTopology::total_injection() const {
  Capacity total;
  for (const Link& link : links_) {
    if (link.from < chips_ && !link.dead) total.q20 += link.capacity.q20;
  }
  return total;
}

std::vector<LinkId> GraphTopology::all_links() const {
  std::vector<LinkId> all;
  for (std::uint64_t i = 0; i < links_.size(); ++i) {
    if (!links_[i].dead) all.push_back({i});
  }
  std::stable_sort(all.begin(), all.end(), [&](LinkId a, LinkId b) {
    return natural_less(links_[a.value].name, links_[b.value].name);
  });
  return all;
}

}  // namespace tahoma
