#include "topology/rank_topology.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/errors.h"
#include "core/natural_order.h"
#include "topology/link_key.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_rank_numbers = std::uint64_t{1} << 31;
constexpr std::size_t most_cuts_round_ports = 64;

// Chips of which every rank is named have failed as a whole: their links with them.
Faults faults_of_chips(const Faults& faults, std::uint32_t ranks) {
  Faults result;
  for (const LinkId link : faults.failed_links) {
    if (!RankTopology::is_port(link)) result.failed_links.push_back(link);
  }
  for (const Faults::Degraded& degraded : faults.degraded_links) {
    if (!RankTopology::is_port(degraded.link)) result.degraded_links.push_back(degraded);
  }
  std::map<ChipId, std::uint32_t> dead_ranks;
  std::vector<ChipId> failed = faults.failed_chips;
  std::sort(failed.begin(), failed.end());
  failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
  for (const ChipId rank : failed) ++dead_ranks[rank / ranks];
  for (const auto& [chip, count] : dead_ranks) {
    if (count == ranks) result.failed_chips.push_back(chip);
  }
  result.failed_switches = faults.failed_switches;
  return result;
}

Capacity port_capacity(const ClusterShape& shape, Decimal efficiency, Decimal factor) {
  return capacity_of({shape.inner.bandwidth, efficiency, factor}, shape.inner.cores,
                     {std::int64_t{shape.ranks_per_chip}, 0});
}

Digit rank_digit(std::uint32_t ranks, bool symmetric) {
  Digit digit;
  digit.kind = Digit::Kind::switched;
  digit.name = "r";
  digit.size = ranks;
  digit.stride = 1;
  digit.level = Level::chip;
  digit.shift = symmetric;
  digit.exclusive_or = symmetric && std::has_single_bit(ranks);
  return digit;
}

}  // namespace

RankTopology::RankTopology(const ClusterShape& shape, const Faults& faults)
    : ranks_(shape.ranks_per_chip),
      chips_(shape, faults_of_chips(faults, shape.ranks_per_chip)),
      port_(port_capacity(shape, shape.inner.efficiency, {1, 0})),
      raw_port_(port_capacity(shape, {1, 0}, {1, 0})),
      port_latency_(shape.inner.latency) {
  TAHOMA_ASSERT(ranks_ > 1, "one rank on a chip needs no inner fabric");
  if (std::uint64_t{chips_.chips()} * ranks_ > most_rank_numbers)
    throw ScenarioError(
        fmt::format("more than 2^31 ranks ({} x {}) cannot be simulated", chips_.chips(), ranks_));
  if (port_.q20 == 0) throw ScenarioError("the inner fabric of the chips has no bandwidth");
  break_ports(shape, faults);
  const Geometry& g = chips_.geometry();
  hashes_ranks_ = g.single_links && g.clos.routing == Routing::ecmp;
  digits_.push_back(rank_digit(ranks_, !hashes_ranks_ && broken_.empty()));
  for (Digit digit : chips_.digits()) {
    digit.stride *= ranks_;
    if (!broken_.empty()) digit.shift = digit.exclusive_or = digit.interchangeable = false;
    digits_.push_back(std::move(digit));
  }
  tiers_.push_back({"r switch"});
  tiers_.insert(tiers_.end(), chips_.tiers().begin(), chips_.tiers().end());
}

void RankTopology::break_ports(const ClusterShape& shape, const Faults& faults) {
  std::map<LinkId, Decimal> left;
  const auto fail = [&](LinkId link) {
    if (is_port(link)) left[link] = {0, 0};
  };
  for (const LinkId link : faults.failed_links) fail(link);
  for (const ChipId rank : faults.failed_chips) fail(port(rank, up_port)), fail(port(rank, down_port));
  for (const Faults::Degraded& degraded : faults.degraded_links) {
    if (!is_port(degraded.link)) continue;
    if (degraded.factor.mantissa < 0 || to_double(degraded.factor) > 1)
      throw ScenarioError("a degradation factor must be from 0 to 1");
    Decimal& factor = left.try_emplace(degraded.link, Decimal{1, 0}).first->second;
    factor = multiply(factor, degraded.factor);
  }
  for (const auto& [link, factor] : left)
    broken_[link] = port_capacity(shape, shape.inner.efficiency, factor);
}

bool RankTopology::dead(LinkId port) const {
  if (broken_.empty()) return false;
  const auto at = broken_.find(port);
  return at != broken_.end() && at->second.q20 == 0;
}

void RankTopology::route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const {
  TAHOMA_ASSERT(src < chips() && dst < chips(), "a route between ranks that do not exist");
  const ChipId from = src / ranks_, to = dst / ranks_;
  // `ecmp` tells lanes apart: so it does ranks.
  const std::uint32_t flow = hashes_ranks_ ? (lane * ranks_ + src % ranks_) * ranks_ + dst % ranks_ : lane;
  chips_.route(from, to, flow, route);
  if (src == dst) return;
  const LinkId up = port(src, up_port), down = port(dst, down_port);
  if (dead(up) || dead(down)) {
    throw InfeasibleError(fmt::format("{} cannot reach {}: {} is cut off inside its chip", chip_name(src),
                                      chip_name(dst), chip_name(dead(up) ? src : dst)));
  }
  for (std::uint32_t way = 0; way < route.ways; ++way) {
    Path& path = route.path[way];
    path.links.insert(path.links.begin(), up);
    path.links.push_back(down);
    path.latency += port_latency_ * 2;
    if (!chips_.geometry().wans.empty()) WanRoutes::cap(chips_.geometry(), path);
  }
}

Capacity RankTopology::capacity(LinkId link) const {
  if (!is_port(link)) return chips_.capacity(link);
  if (broken_.empty()) return port_;
  const auto at = broken_.find(link);
  return at == broken_.end() ? port_ : at->second;
}

Duration RankTopology::latency(LinkId link) const {
  return is_port(link) ? port_latency_ : chips_.latency(link);
}

Duration RankTopology::least_latency(ChipId a, ChipId b) const {
  if (a == b) return {};
  return chips_.least_latency(a / ranks_, b / ranks_) + port_latency_ * 2;
}

LinkId RankTopology::canonical(LinkId link, DigitMask folded) const {
  if (!is_port(link)) return chips_.canonical(link, folded >> 1);
  ChipId rank = rank_of(link);
  for (std::size_t d = 0; d < digits_.size(); ++d) {
    if ((folded >> d & 1) != 0) rank -= rank / digits_[d].stride % digits_[d].size * digits_[d].stride;
  }
  return port(rank, direction_of(link));
}

std::uint64_t RankTopology::orbit_size(LinkId link, DigitMask folded) const {
  if (!is_port(link)) return chips_.orbit_size(link, folded >> 1);
  std::uint64_t orbit = 1;
  for (std::size_t d = 0; d < digits_.size(); ++d) {
    if ((folded >> d & 1) != 0) orbit *= digits_[d].size;
  }
  return orbit;
}

std::optional<ChipId> RankTopology::owner_chip(LinkId link) const {
  if (is_port(link)) return rank_of(link);
  const auto chip = chips_.owner_chip(link);
  return chip ? std::optional(*chip * ranks_) : std::nullopt;
}

std::vector<ChipId> RankTopology::marked_chips(NetworkPart part) const {
  std::vector<ChipId> ranks;
  for (const ChipId chip : chips_.marked_chips(part)) {
    for (std::uint32_t r = 0; r < ranks_; ++r) ranks.push_back(chip * ranks_ + r);
  }
  // A slow port slows what leaves the chip too, so it is told of both parts.
  for (const auto& [link, capacity] : broken_) ranks.push_back(rank_of(link));
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

void RankTopology::append_rank_cut(ChipId rank, const std::string& where, std::vector<Cut>& cuts) const {
  Cut cut;
  cut.name = "one rank" + where;
  cut.level = Level::chip;
  for (std::uint32_t d = 0; d < digits_.size(); ++d) {
    const std::uint32_t value = rank / digits_[d].stride % digits_[d].size;
    if (digits_[d].size > 1) cut.box.push_back({d, value, value + 1});
  }
  cut.out = capacity(port(rank, up_port));
  cut.in = capacity(port(rank, down_port));
  cut.raw_out = cut.raw_in = raw_port_;
  cuts.push_back(std::move(cut));
}

// The chips' cuts, each with the switches inside the chips on whichever side is narrower; one rank, and half
// of the ranks of every chip. Slow ports count as healthy in all but their own cut: a true bound still.
std::vector<Cut> RankTopology::cuts() const {
  std::vector<Cut> cuts;
  ChipId whole = 0;
  while (whole + 1 < chips() &&
         (broken_.count(port(whole, up_port)) != 0 || broken_.count(port(whole, down_port)) != 0)) {
    ++whole;
  }
  append_rank_cut(whole, "", cuts);
  for (Cut cut : chips_.cuts()) {
    std::uint64_t inside = chips();
    for (Cut::Range& range : cut.box) {
      ++range.digit;
      inside = inside / digits_[range.digit].size * (range.high - range.low);
    }
    const std::uint64_t fewer = std::min(inside, chips() - inside);
    const auto at_ports = [&](Capacity links, Capacity each) {
      return Capacity{std::min(links.q20, each.q20 * fewer)};
    };
    cut.out = at_ports(cut.out, port_), cut.in = at_ports(cut.in, port_);
    cut.raw_out = at_ports(cut.raw_out, raw_port_), cut.raw_in = at_ports(cut.raw_in, raw_port_);
    cuts.push_back(std::move(cut));
  }
  const std::uint64_t half = std::uint64_t{ranks_ / 2} * chips_.chips();
  cuts.push_back({"half of r",
                  Level::chip,
                  {{0, 0, ranks_ / 2}},
                  {port_.q20 * half},
                  {port_.q20 * half},
                  {raw_port_.q20 * half},
                  {raw_port_.q20 * half}});
  std::size_t room = most_cuts_round_ports;
  ChipId last = ~ChipId{0};
  for (const auto& [link, capacity] : broken_) {
    const ChipId rank = rank_of(link);
    if (rank == last || room == 0) continue;
    append_rank_cut(rank, " around " + chip_name(rank), cuts);
    last = rank;
    --room;
  }
  return cuts;
}

Capacity RankTopology::total_injection() const {
  u128 total = port_.q20 * chips();
  for (const auto& [link, capacity] : broken_) {
    if (direction_of(link) == up_port) total -= port_.q20 - capacity.q20;
  }
  return {total};
}

std::uint64_t RankTopology::link_count() const {
  const auto dead_ports =
      std::count_if(broken_.begin(), broken_.end(), [](const auto& entry) { return entry.second.q20 == 0; });
  return chips_.link_count() + 2 * std::uint64_t{chips()} - static_cast<std::uint64_t>(dead_ports);
}

std::string RankTopology::chip_name(ChipId rank) const {
  return fmt::format("{}.r{}", chips_.chip_name(rank / ranks_), rank % ranks_);
}

std::string RankTopology::link_name(LinkId link) const {
  if (!is_port(link)) return chips_.link_name(link);
  const std::string rank = chip_name(rank_of(link)), chip = chips_.chip_name(rank_of(link) / ranks_);
  return direction_of(link) == up_port ? rank + "->" + chip : chip + "->" + rank;
}

std::vector<LinkId> RankTopology::all_links() const {
  std::vector<LinkId> links = chips_.all_links();
  for (ChipId rank = 0; rank < chips(); ++rank) {
    for (const std::uint32_t direction : {up_port, down_port}) {
      if (!dead(port(rank, direction))) links.push_back(port(rank, direction));
    }
  }
  std::vector<std::pair<std::string, LinkId>> named;
  named.reserve(links.size());
  for (const LinkId link : links) named.emplace_back(link_name(link), link);
  std::sort(named.begin(), named.end(),
            [](const auto& a, const auto& b) { return natural_less(a.first, b.first); });
  for (std::size_t i = 0; i < links.size(); ++i) links[i] = named[i].second;
  return links;
}

void RankTopology::out_edges(VertexId vertex, std::vector<Edge>& edges) const {
  const auto rank_port = [&](ChipId rank, std::uint32_t direction, const Edge& edge) {
    if (!dead(port(rank, direction))) edges.push_back(edge);
  };
  if (vertex < chips()) {
    const auto rank = static_cast<ChipId>(vertex);
    return rank_port(rank, up_port, {vertex, chips() + rank / ranks_, port(rank, up_port)});
  }
  const VertexId inner = vertex - chips();
  std::vector<Edge> between;
  chips_.out_edges(inner, between);
  for (const Edge& edge : between) edges.push_back({vertex, chips() + edge.to, edge.link});
  if (inner >= chips_.chips()) return;
  for (std::uint32_t r = 0; r < ranks_; ++r) {
    const auto rank = static_cast<ChipId>(inner * ranks_ + r);
    rank_port(rank, down_port, {vertex, rank, port(rank, down_port)});
  }
}

std::string RankTopology::vertex_name(VertexId vertex) const {
  return vertex < chips() ? chip_name(static_cast<ChipId>(vertex)) : chips_.vertex_name(vertex - chips());
}

}  // namespace tahoma
