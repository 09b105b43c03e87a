#include "collectives/solve/exchange.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint32_t nobody = ExchangeProgram::nobody;
constexpr std::uint64_t most_entries = std::uint64_t{1} << 26;  // ranks x levels: 8 bytes each while it runs

class ScheduleReader {
 public:
  explicit ScheduleReader(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<ExchangeProgram> read() {
    if (!is_one_phase_in_plain_order()) return std::nullopt;
    const Phase& phase = schedule_.phases[0];
    out_.ranks = phase.positions;
    std::vector<const Send*> first_of_tag(phase.tags, nullptr);
    for (const Role& role : phase.roles) {
      if (!read_role(role, first_of_tag)) return std::nullopt;
    }
    if (std::find(first_of_tag.begin(), first_of_tag.end(), nullptr) != first_of_tag.end())
      return std::nullopt;
    if (std::uint64_t{out_.ranks} * phase.tags > most_entries) return std::nullopt;
    out_.levels.resize(phase.tags);
    for (std::uint32_t tag = 0; tag < phase.tags; ++tag) {
      out_.levels[tag].bytes = first_of_tag[tag]->bytes;
      if (!add_pattern(phase, tag)) return std::nullopt;
    }
    if (!waits_are_alike(phase)) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool is_one_phase_in_plain_order() const {
    if (schedule_.phases.size() != 1 || schedule_.pipeline != 1 || schedule_.channels != 1) return false;
    const Phase& phase = schedule_.phases[0];
    if (phase.axes.size() != schedule_.axes.size() || phase.positions < 2) return false;
    for (std::size_t a = 0; a < phase.axes.size(); ++a) {
      if (phase.axes[a] != a) return false;
    }
    return true;
  }

  bool read_role(const Role& role, std::vector<const Send*>& first_of_tag) {
    if (role.lanes.empty() || (role.lanes.size() == 1 && role.lanes[0].sends.empty())) return true;
    if (role.lanes.size() > 1) return false;
    const Lane& lane = role.lanes[0];
    if (&role == &schedule_.phases[0].roles[0]) out_.channel = lane.channel;
    if (lane.channel != out_.channel) return false;
    std::int64_t last_tag = -1;
    for (const Send& send : lane.sends) {
      if (send.reps != 1 || send.bytes == 0 || send.tag <= last_tag || send.waits.size() > 1) return false;
      last_tag = send.tag;
      const Send*& first = first_of_tag[send.tag];
      if (first == nullptr) first = &send;
      if (first->bytes != send.bytes) return false;
    }
    return true;
  }

  // Levels of one role with the same peer share their pattern; with many roles each level has its own.
  bool add_pattern(const Phase& phase, std::uint32_t tag) {
    const auto send_of = [](const Role& role, std::uint32_t t) -> const Send* {
      if (role.lanes.empty()) return nullptr;
      for (const Send& send : role.lanes[0].sends) {
        if (send.tag == t) return &send;
      }
      return nullptr;
    };
    for (std::uint32_t earlier = 0; phase.roles.size() == 1 && earlier < tag; ++earlier) {
      const Peer &a = send_of(phase.roles[0], earlier)->peer, &b = send_of(phase.roles[0], tag)->peer;
      if (a.kind != b.kind || a.axis != b.axis || a.value != b.value || a.order != b.order) continue;
      out_.levels[tag].pattern = out_.levels[earlier].pattern;
      return true;
    }
    ExchangeProgram::Pattern pattern;
    pattern.to.assign(out_.ranks, nobody);
    pattern.from.assign(out_.ranks, nobody);
    for (const Role& role : phase.roles) {
      const Send* send = send_of(role, tag);
      for (std::uint32_t i = 0; send != nullptr && i < role.count; ++i) {
        const std::uint32_t rank = role.first + i * role.stride;
        const std::uint32_t peer = peer_position(phase, schedule_.axes, send->peer, rank);
        if (rank >= out_.ranks || peer >= out_.ranks || peer == rank) return false;
        if (pattern.to[rank] != nobody || pattern.from[peer] != nobody) return false;
        pattern.to[rank] = peer;
        pattern.from[peer] = rank;
      }
    }
    pattern.complete = std::count(pattern.to.begin(), pattern.to.end(), nobody) == 0;
    out_.levels[tag].pattern = static_cast<std::uint32_t>(out_.patterns.size());
    out_.patterns.push_back(std::move(pattern));
    return true;
  }

  // All of a level wait for the same earlier one, but for ranks that receive nothing there.
  bool waits_are_alike(const Phase& phase) {
    for (const Role& role : phase.roles) {
      if (role.lanes.empty()) continue;
      for (const Send& send : role.lanes[0].sends) {
        if (send.waits.empty()) continue;
        const Wait& wait = send.waits[0];
        std::uint32_t& level = out_.levels[send.tag].wait;
        if (wait.count != 1 || wait.per_rep != 0 || wait.tag >= send.tag) return false;
        if (level != nobody && level != wait.tag) return false;
        level = wait.tag;
      }
    }
    for (const Role& role : phase.roles) {
      if (role.lanes.empty()) continue;
      for (const Send& send : role.lanes[0].sends) {
        const std::uint32_t wait = out_.levels[send.tag].wait;
        for (std::uint32_t i = 0; wait != nobody && i < role.count; ++i) {
          const bool comes = out_.from(wait, role.first + i * role.stride) != nobody;
          if (comes != !send.waits.empty()) return false;
        }
      }
    }
    return true;
  }

  const Schedule& schedule_;
  ExchangeProgram out_;
};

class RouteReader {
 public:
  RouteReader(const ExchangeProgram& program, const Topology& topology, const RankGroups& groups)
      : program_(program), topology_(topology) {
    chips_.resize(program.ranks);
    for (std::uint32_t r = 0; r < program.ranks; ++r) chips_[r] = groups.chip(0, r);
  }

  std::optional<ExchangeNetwork> read() {
    const std::size_t patterns = program_.patterns.size();
    std::vector<std::uint64_t> bytes(patterns, 0);
    for (const auto& level : program_.levels) bytes[level.pattern] += level.bytes;
    out_.way.assign(patterns, std::vector<std::uint16_t>(program_.ranks, 0));
    first_.resize(program_.ranks);
    last_.resize(program_.ranks);
    latest_way_.assign(patterns, 0);
    for (std::uint32_t r = 0; r < program_.ranks; ++r) {
      for (std::uint32_t p = 0; p < patterns; ++p) {
        if (program_.patterns[p].to[r] != nobody && !read_pair(p, r, bytes[p])) return std::nullopt;
      }
    }
    for (Inner& inner : inner_) inner.most_rate += inner.most_of_sender;
    if (!ends_are_private()) return std::nullopt;
    leave_out_what_never_binds();
    collect_links();
    return std::move(out_);
  }

 private:
  // The link that all messages from (to) a rank begin (end) with.
  struct End {
    LinkId link;
    Capacity capacity;
    std::uint64_t bytes = 0;
    u128 rate = 0;
  };
  struct Inner {
    LinkId link;
    Capacity capacity;
    bool binding = false;
    std::uint64_t bytes = 0;
    u128 most_rate = 0;
    std::uint32_t sender = nobody;  // a sender has one message at a time: its fastest counts
    std::uint64_t most_of_sender = 0;
  };

  bool same_end(End& end, LinkId link) const {
    if (end.bytes == 0) {
      if (topology_.never_binds(link)) return false;
      end.link = link;
      end.capacity = topology_.capacity(link);
      if (end.capacity.q20 == 0 || end.capacity.q20 > std::numeric_limits<std::uint64_t>::max()) return false;
    }
    return end.link == link;
  }

  std::uint32_t inner_number(LinkId link) {
    const auto [at, fresh] =
        inner_numbers_.try_emplace(link.value, static_cast<std::uint32_t>(inner_.size()));
    if (fresh) {
      Inner inner;
      inner.link = link;
      inner.capacity = topology_.capacity(link);
      inner.binding = !topology_.never_binds(link);
      inner_.push_back(inner);
    }
    return at->second;
  }

  bool read_pair(std::uint32_t pattern, std::uint32_t sender, std::uint64_t bytes) {
    const std::uint32_t receiver = program_.patterns[pattern].to[sender];
    topology_.route(chips_[sender], chips_[receiver], program_.channel, route_);
    const Path& path = route_.path[0];
    if (route_.ways != 1 || path.links.size() < 2) return false;
    End &first = first_[sender], &last = last_[receiver];
    if (!same_end(first, path.links.front()) || !same_end(last, path.links.back())) return false;
    way_.latency = path.latency;
    way_.trunks.clear();
    u128 cap = path.cap.q20 != 0 ? u128{path.cap.q20} : ~u128{0};
    cap = std::min(cap, first.capacity.q20);
    u128 solo = std::min(cap, last.capacity.q20);
    numbers_.clear();
    for (std::size_t i = 1; i + 1 < path.links.size(); ++i) {
      const std::uint32_t number = inner_number(path.links[i]);
      numbers_.push_back(number);
      if (!inner_[number].binding) continue;
      way_.trunks.push_back(number);
      solo = std::min(solo, inner_[number].capacity.q20);
    }
    if (solo == 0) return false;
    way_.cap = static_cast<std::uint64_t>(cap);
    way_.solo = static_cast<std::uint64_t>(solo);
    first.bytes += bytes;
    last.bytes += bytes;
    first.rate = std::max(first.rate, solo);
    last.rate += solo;
    for (const std::uint32_t number : numbers_) {
      Inner& inner = inner_[number];
      inner.bytes += bytes;
      if (inner.sender != sender) {
        inner.most_rate += inner.most_of_sender;
        inner.sender = sender;
        inner.most_of_sender = 0;
      }
      inner.most_of_sender = std::max(inner.most_of_sender, way_.solo);
    }
    return number_way(pattern, sender);
  }

  bool number_way(std::uint32_t pattern, std::uint32_t sender) {
    std::uint16_t& latest = latest_way_[pattern];
    if (out_.ways.empty() || !(out_.ways[latest] == way_)) {
      // Few ways are without trunks; those with trunks come leaf by leaf, so the latest are the likeliest.
      std::size_t w = out_.ways.size();
      while (w > 0 && !(out_.ways[w - 1] == way_)) --w;
      if (w == 0) {
        if (out_.ways.size() > std::numeric_limits<std::uint16_t>::max()) return false;
        out_.ways.push_back(way_);
        w = out_.ways.size();
      }
      latest = static_cast<std::uint16_t>(w - 1);
    }
    out_.way[pattern][sender] = latest;
    return true;
  }

  bool ends_are_private() const {
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> seen;
    seen.reserve(2 * program_.ranks);
    for (const auto* ends : {&first_, &last_}) {
      for (const End& end : *ends) {
        if (end.bytes == 0) continue;
        if (!seen.try_emplace(end.link.value, 0).second || inner_numbers_.count(end.link.value) != 0)
          return false;
      }
    }
    return true;
  }

  // A trunk that all its senders together cannot fill is to each of them no more than a cap of its own.
  void leave_out_what_never_binds() {
    std::vector<std::uint32_t> trunk_of(inner_.size(), nobody);
    for (std::size_t i = 0; i < inner_.size(); ++i) {
      if (!inner_[i].binding || inner_[i].most_rate <= inner_[i].capacity.q20) continue;
      trunk_of[i] = static_cast<std::uint32_t>(out_.trunks.size());
      out_.trunks.push_back(inner_[i].capacity);
    }
    for (ExchangeNetwork::Way& way : out_.ways) {
      std::vector<std::uint32_t> kept;
      for (const std::uint32_t number : way.trunks) {
        if (trunk_of[number] != nobody) {
          kept.push_back(trunk_of[number]);
        } else {
          way.cap = static_cast<std::uint64_t>(std::min(u128{way.cap}, inner_[number].capacity.q20));
        }
      }
      way.trunks = std::move(kept);
    }
  }

  void collect_links() {
    out_.arrivals.resize(program_.ranks);
    out_.links.reserve(2 * program_.ranks + inner_.size());
    for (std::uint32_t r = 0; r < program_.ranks; ++r) {
      out_.arrivals[r] = last_[r].capacity;
      for (const End& end : {first_[r], last_[r]}) {
        if (end.bytes != 0) out_.links.push_back({end.link, end.capacity, end.bytes, end.rate, true});
      }
    }
    for (const Inner& inner : inner_)
      out_.links.push_back({inner.link, inner.capacity, inner.bytes, inner.most_rate, inner.binding});
    std::sort(out_.links.begin(), out_.links.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  }

  const ExchangeProgram& program_;
  const Topology& topology_;
  std::vector<ChipId> chips_;
  ExchangeNetwork out_;
  std::vector<End> first_, last_;
  std::vector<Inner> inner_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> inner_numbers_;
  std::vector<std::uint16_t> latest_way_;  // by pattern
  Route route_;
  ExchangeNetwork::Way way_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

std::optional<ExchangeProgram> exchange_program(const Schedule& schedule) {
  return ScheduleReader(schedule).read();
}

std::optional<ExchangeNetwork> exchange_network(const ExchangeProgram& program, const Topology& topology,
                                                const RankGroups& groups) {
  TAHOMA_ASSERT(groups.size() == program.ranks, "a program for another number of ranks");
  return RouteReader(program, topology, groups).read();
}

}  // namespace tahoma
