#include "collectives/solve/ring_network.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>

#include "core/errors.h"

namespace tahoma {

namespace {

class HopReader {
 public:
  HopReader(const Topology& topology, const RankGroups& groups, Bytes bytes, std::uint64_t messages,
            Duration overhead)
      : topology_(topology), groups_(groups), bytes_(bytes.count), messages_(messages), overhead_(overhead) {}

  // `domain`: chips of the domains that are alike; 0: every hop is routed.
  std::optional<RingNetwork> read(std::uint32_t domain) {
    prepare(domain);
    const std::uint32_t n = groups_.size();
    out_.kind_of.resize(n);
    const Place first = place_of(groups_.chip(0, 0));
    Place at = first;
    for (std::uint32_t p = 0; p < n; ++p) {
      const Place next = p + 1 == n ? first : place_of(groups_.chip(0, p + 1));
      if (domain_ != 0 && at.domain == next.domain && is_marked_[at.domain] == 0) {
        if (!repeat_hop(at, next, out_.kind_of[p])) return std::nullopt;
      } else {
        out_.kind_of[p] = number(route_hop(at.chip, next.chip, loads_));
      }
      at = next;
    }
    const std::uint64_t domains = whole_domains();
    if (domain_ != 0 && (domains == 0 || relays_in_repeated())) return std::nullopt;
    out_.links.reserve(loads_.size() + repeated_loads_.size());
    if (!collect(loads_, 1) || !collect(repeated_loads_, domains)) return std::nullopt;
    std::sort(out_.links.begin(), out_.links.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return std::move(out_);
  }

 private:
  struct Load {
    Capacity capacity;
    bool binding = false;
    u128 rates = 0;
    std::uint64_t bytes = 0;
  };
  using Loads = boost::unordered_flat_map<std::uint64_t, Load>;
  static constexpr std::uint32_t not_routed = ~0u;
  struct Place {
    ChipId chip;
    std::uint32_t domain, within;
  };
  struct Hop {
    std::uint32_t to = 0;  // within the domain
    std::uint32_t kind = not_routed;
  };

  Place place_of(ChipId chip) const {
    const std::uint32_t domain = domain_ == 0 ? 0 : chip / domain_;
    return {chip, domain, chip - domain * domain_};
  }

  void prepare(std::uint32_t domain) {
    domain_ = domain;
    out_ = {};
    numbers_.clear();
    loads_.clear();
    if (domain == 0) loads_.reserve(3 * std::size_t{groups_.size()});  // NICs, and trunks for some
    repeated_loads_.clear();
    hops_.clear();
    hops_of_domain_.clear();
    repeated_hops_ = 0;
    if (domain == 0) return;
    is_marked_.assign(topology_.chips() / domain, 0);
    hops_of_domain_.assign(topology_.chips() / domain, 0);
    for (const ChipId chip : topology_.marked_chips(NetworkPart::scale_up)) is_marked_[chip / domain] = 1;
    hops_.resize(domain);
  }

  // Routed in the first healthy domain of the ring, whichever one it is in.
  bool repeat_hop(const Place& from, const Place& to, std::uint32_t& kind) {
    if (repeated_hops_ == 0) model_ = from.chip - from.within;
    Hop& hop = hops_[from.within];
    if (hop.kind == not_routed) {
      hop.to = to.within;
      hop.kind = number(route_hop(model_ + from.within, model_ + to.within, repeated_loads_));
      ++repeated_hops_;
    }
    ++hops_of_domain_[from.domain];
    kind = hop.kind;
    return hop.to == to.within;
  }

  // Healthy domains that the ring visits, if each of them sees all the repeated hops; else 0.
  std::uint64_t whole_domains() const {
    std::uint64_t whole = 0;
    for (const std::uint32_t hops : hops_of_domain_) {
      if (hops != 0 && hops != repeated_hops_) return 0;
      whole += hops != 0;
    }
    return whole;
  }

  // A hop between domains that walks inside one whose links are counted elsewhere.
  bool relays_in_repeated() const {
    return std::any_of(loads_.begin(), loads_.end(), [&](const auto& entry) {
      const LinkId link{entry.first};
      if (topology_.part(link) != NetworkPart::scale_up) return false;
      const auto owner = topology_.owner_chip(link);
      return !owner || hops_of_domain_[*owner / domain_] != 0;
    });
  }

  RingRank route_hop(ChipId from, ChipId to, Loads& loads) {
    RingRank rank{};
    topology_.route(from, to, 0, route_);
    const std::uint64_t second = route_.ways == 2 ? bytes_ / 2 : 0;
    const std::uint64_t share[2] = {bytes_ - second, second};
    for (std::uint32_t way = 0; way < 2; ++way) {
      if (share[way] == 0) continue;
      const Path& path = route_.path[way];
      u128 rate = path.cap.q20 != 0 ? u128{path.cap.q20} : ~u128{0};
      for (const LinkId link : path.links) {
        const auto [at, fresh] = loads.try_emplace(link.value);
        if (fresh) at->second = {topology_.capacity(link), !topology_.never_binds(link), 0, 0};
        if (at->second.binding) rate = std::min(rate, at->second.capacity.q20);
      }
      TAHOMA_ASSERT(rate > 0 && rate <= std::numeric_limits<std::uint64_t>::max(),
                    "a path without a usable rate");
      for (const LinkId link : path.links) {
        Load& load = loads.find(link.value)->second;
        load.rates += rate;
        load.bytes += share[way] * messages_;
      }
      const Duration hold =
          overhead_ + time_to_move(work_of(Bytes{share[way]}), Rate{static_cast<std::uint64_t>(rate)});
      rank.hold = std::max(rank.hold, hold);
      rank.reach = std::max(rank.reach, hold + path.latency);
    }
    return rank;
  }

  std::uint32_t number(const RingRank& rank) {
    const auto [at, fresh] =
        numbers_.try_emplace({rank.hold.ps, rank.reach.ps}, static_cast<std::uint32_t>(out_.kinds.size()));
    if (fresh) out_.kinds.push_back(rank);
    return at->second;
  }

  // False if a link may be asked for more than it has.
  bool collect(const Loads& loads, std::uint64_t copies) {
    for (const auto& [value, load] : loads) {
      if (load.binding && load.rates > load.capacity.q20) return false;
      out_.links.push_back({LinkId{value}, load.capacity, load.bytes, load.rates, load.binding, copies});
    }
    return true;
  }

  const Topology& topology_;
  const RankGroups& groups_;
  const std::uint64_t bytes_, messages_;
  const Duration overhead_;
  RingNetwork out_;
  Loads loads_, repeated_loads_;
  Route route_;
  boost::unordered_flat_map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> numbers_;  // of kinds
  std::uint32_t domain_ = 0, repeated_hops_ = 0;
  ChipId model_ = 0;
  std::vector<std::uint8_t> is_marked_;        // by domain
  std::vector<std::uint32_t> hops_of_domain_;  // repeated ones
  std::vector<Hop> hops_;                      // by place in the domain
};

// The innermost digits make up a scale-up domain, and all domains are alike inside (topology.h).
std::uint32_t chips_of_domain(const Topology& topology) {
  std::uint32_t chips = 1;
  for (const Digit& digit : topology.digits()) {
    if (digit.level > Level::ultraserver) continue;
    if (digit.stride != chips) return 0;
    chips *= digit.size;
  }
  return chips;
}

}  // namespace

std::optional<std::uint64_t> ring_messages(const Schedule& schedule) {
  if (schedule.phases.size() != 1) return std::nullopt;
  const Phase& phase = schedule.phases[0];
  if (phase.roles.size() != 1 || phase.roles[0].count != phase.positions ||
      phase.roles[0].lanes.size() != 1) {
    return std::nullopt;
  }
  std::uint64_t sent = 0;
  const auto& sends = phase.roles[0].lanes[0].sends;
  for (const Send& send : sends) {
    const bool to_next = send.peer.kind == Peer::Kind::shift && send.peer.axis == flat_axis &&
                         send.peer.value == 1 && send.peer.order == no_order;
    if (!to_next || send.bytes != sends[0].bytes || send.bytes == 0 || send.tag != sends[0].tag)
      return std::nullopt;
    const Wait wait = send.waits.empty() ? Wait{send.tag, 0, 0} : send.waits[0];
    if (send.waits.size() > 1 || wait.tag != send.tag || wait.count != sent) return std::nullopt;
    if (send.reps > 1 && wait.per_rep != 1) return std::nullopt;
    sent += send.reps;
  }
  return sent;
}

std::optional<RingNetwork> ring_network(const Topology& topology, const RankGroups& groups, Bytes bytes,
                                        std::uint64_t messages, Duration overhead, LikeDomains domains) {
  HopReader reader(topology, groups, bytes, messages, overhead);
  const std::uint32_t alike = chips_of_domain(topology);
  if (domains == LikeDomains::together && alike > 1) {
    if (auto network = reader.read(alike)) return network;
  }
  return reader.read(0);
}

}  // namespace tahoma
