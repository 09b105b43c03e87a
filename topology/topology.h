// The network as the rest of the program sees it: chips by number, directed links by opaque id, and a
// function from (source, destination, lane) to a path. Routes are computed, never stored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "topology/shape.h"

namespace tahoma {

using ChipId = std::uint32_t;

/// Opaque, comparable, dense enough to hash; meaning is private to the topology that made it.
struct LinkId {
  std::uint64_t value = 0;
  auto operator<=>(const LinkId&) const = default;
};

/// The ordered links a flow holds at once. `cap` limits the flow (WAN window, loss); 0 = none.
struct Path {
  std::vector<LinkId> links;
  Duration latency;
  Rate cap;
  void clear() { links.clear(), latency = {}, cap = {}; }
};

/// One path, or two that share the bytes (ceil on the first, floor on the second): a tie half-way round an
/// even ring, all tied dimensions positive or all negative.
struct Route {
  std::uint32_t ways = 1;
  Path path[2];
};

enum class Level : std::uint8_t { chip, server, ultraserver, site, cluster };
std::string_view name_of(Level level);

/// One place of the mixed-radix chip number. `shift` / `exclusive_or` say that adding 1 (mod size) to this
/// digit, or flipping its bits by any constant, maps the whole network (links, capacities, latencies,
/// routes) onto itself. The fold rests on it.
struct Digit {
  enum class Kind : std::uint8_t { ring, line, full, switched, fabric, list };
  Kind kind = Kind::list;     // how its members are joined; `fabric`: through the Clos or WAN
  bool two_way_pair = false;  // a ring of 2 with separate + and - links
  std::string name;           // "x", "y", "z", "pos", "leaf", "pod", "domain", "site"
  std::uint32_t size = 1;
  std::uint32_t stride = 1;     // chip digit = (chip / stride) % size
  Level level = Level::server;  // the level whose groups this digit enlarges
  bool shift = false;
  bool exclusive_or = false;
  /// So does every permutation of the digit's values, a separate one in each group of the outer digits.
  bool interchangeable = false;
};
using DigitMask = std::uint64_t;  // bit d = digit d
inline constexpr std::size_t digits_in_a_mask = 64;

/// What is broken. Produced from a scenario's faults by match_elements; all of them hold from time 0.
struct Faults {
  struct Degraded {
    LinkId link;
    Decimal factor;  // of the healthy capacity
  };
  std::vector<LinkId> failed_links;      // directed
  std::vector<Degraded> degraded_links;  // directed; several on one link multiply
  std::vector<ChipId> failed_chips;
  std::vector<std::string> failed_switches;
  bool empty() const {
    return failed_links.empty() && degraded_links.empty() && failed_chips.empty() && failed_switches.empty();
  }
};

/// A box of chips, for bounds: inside iff every listed digit is in [low, high). `out` and `in` are the
/// capacities of the links that leave and enter the box.
struct Cut {
  struct Range {
    std::uint32_t digit, low, high;
  };
  std::string name;  // "one chip", "one UltraServer", "half of x", ...
  Level level = Level::chip;
  std::vector<Range> box;
  Capacity out, in;          // effective, with all faults
  Capacity raw_out, raw_in;  // healthy, before protocol efficiency
};

/// A directed edge of the implicit graph. The first chips() vertices are the chips, switches follow. Where a
/// WAN link meets several top switches of a site, it is an edge between each two of them.
using VertexId = std::uint64_t;
struct Edge {
  VertexId from = 0, to = 0;
  LinkId link;
  auto operator<=>(const Edge&) const = default;
};

struct Tier {
  std::string name;  // "x ring", "z ring", "sled switch", "NIC", "leaf-spine", "spine-core", "WAN a-b", ...
};

/// Links between the chips of one scale-up domain, or all others (NICs, leaves, WAN, links between domains).
enum class NetworkPart : std::uint8_t { scale_up, fabric };

class Topology;

/// A site of a mixed network: chips that follow one another and are a network by themselves. Where a mask of
/// digits is asked for, those of `inside` count from bit `first_digit` on.
struct TopologyPart {
  std::string name;
  ChipId first = 0;
  const Topology* inside = nullptr;
  std::uint32_t domain_chips = 1;
  std::uint32_t first_digit = 0;
};
/// The digits of one part in a mask of all of them.
DigitMask mask_of_part(const TopologyPart& part, DigitMask folded);

/// The interface; `make_topology` picks the implementation (product of dimensions, or explicit graph).
class Topology {
 public:
  virtual ~Topology() = default;

  /// The ends of routes: chips; or ranks, where several share a chip (rank_topology.h).
  virtual std::uint32_t chips() const = 0;
  /// Of each chip; if more than one, the innermost digit counts them.
  virtual std::uint32_t ranks_per_chip() const { return 1; }
  /// Directed links that exist (failed ones not counted).
  virtual std::uint64_t link_count() const = 0;

  /// Path(s) of a flow from src to dst on lane `lane` (NIC choice, ecmp hash). Fills `route`, whose buffers
  /// are reused. Goes round failed elements. Throws InfeasibleError naming the pair if there is no way.
  virtual void route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const = 0;

  /// Effective capacity: raw x efficiency x degradations, rounded once.
  virtual Capacity capacity(LinkId link) const = 0;
  virtual Duration latency(LinkId link) const = 0;
  /// A floor of the time from a to b: no way is faster, relays by other chips included. For lower bounds.
  virtual Duration least_latency(ChipId, ChipId) const { return {}; }
  /// True if the link can never be the strict bottleneck: its capacity is at least the sum of its feeders'
  /// capacities. Such a link may be left out of fair sharing without changing any rate.
  virtual bool never_binds(LinkId link) const = 0;
  /// A message waits before the link for those that came earlier, has it for itself, and goes on when all of
  /// it is across (store and forward).
  virtual bool stores(LinkId) const { return false; }
  virtual bool stores_somewhere() const { return false; }
  /// Index into tiers(); links of one tier are reported together.
  virtual std::uint32_t tier(LinkId link) const = 0;
  virtual std::span<const Tier> tiers() const = 0;

  /// The digits of the chip number, innermost first. A graph has one digit without symmetry. Those up to
  /// Level::ultraserver number the chips of a scale-up domain; but for marked chips, all domains are alike
  /// inside: routes within one, and their links' capacities and latencies, are those of any other.
  virtual std::span<const Digit> digits() const = 0;
  /// The sites of a mixed network, which has no digits in common; empty for any other.
  virtual std::span<const TopologyPart> parts() const { return {}; }
  /// The link that stands for `link` when the digits in `folded` are collapsed to 0, and how many links it
  /// stands for. Only digits that are symmetric may be folded.
  virtual LinkId canonical(LinkId link, DigitMask folded) const = 0;
  virtual std::uint64_t orbit_size(LinkId link, DigitMask folded) const = 0;

  /// The chip a link belongs to: the sender on a scale-up link, the NIC's chip; none for links of the fabric.
  virtual std::optional<ChipId> owner_chip(LinkId) const { return std::nullopt; }
  /// Where a chip is several ranks: how many of them, from the owner on, have the link in common.
  virtual std::uint32_t sharing_ranks(LinkId) const { return 1; }
  virtual NetworkPart part(LinkId) const { return NetworkPart::fabric; }
  /// Chips at which this part of the network differs from the healthy one: a failed or slow link or NIC of
  /// theirs, a leaf, pod or site of theirs that lost capacity. Ascending. In a scale-up domain without a
  /// marked chip all routes are healthy; so are routes over the fabric between chips that are not marked.
  virtual std::vector<ChipId> marked_chips(NetworkPart) const { return {}; }

  /// Cuts of the topology's own levels: one chip, one server, one UltraServer, one site, halves of each
  /// digit, and the same around faults.
  virtual std::vector<Cut> cuts() const = 0;
  /// Sum over all chips of the capacities of the links that leave them.
  virtual Capacity total_injection() const = 0;

  virtual std::string chip_name(ChipId chip) const = 0;  // "us1.s0.c3", "site.a.us1.s0.c3", or a vertex name
  virtual std::string link_name(LinkId link) const = 0;  // "us0.s0.c5->us0.s0.c6", "us1.s0.c3.nic->leaf3"
  /// Every directed link, in natural order of names, for links.csv and random faults. Sized O(links).
  virtual std::vector<LinkId> all_links() const = 0;

  /// The implicit graph, for graph algorithms and drawings: vertices by number, live edges out of one. Where
  /// routes take trunks, all spines of a pod are one vertex, and all cores of a site.
  virtual std::uint64_t vertex_count() const { return chips(); }
  /// Appends the live edges out of `vertex` in a fixed order.
  virtual void out_edges(VertexId, std::vector<Edge>&) const {}
  virtual std::string vertex_name(VertexId vertex) const { return chip_name(static_cast<ChipId>(vertex)); }
};

/// A selector or link name that matches nothing, with the nearest name; the reader adds the place.
struct SelectorError {
  std::string message;
};

std::unique_ptr<Topology> make_topology(const ClusterShape& shape, const Faults& faults = {});
std::unique_ptr<Topology> make_topology(const GraphShape& shape, const Faults& faults = {});
std::unique_ptr<Topology> make_topology(const MixedShape& shape, const Faults& faults = {});
/// The same without the faults that tell chips apart. A plane of the fabric that is dead is so for all of
/// them.
std::unique_ptr<Topology> make_healthy(const ClusterShape& shape, const Faults& faults);
std::unique_ptr<Topology> make_healthy(const GraphShape& shape, const Faults& faults);
std::unique_ptr<Topology> make_healthy(const MixedShape& shape, const Faults& faults);

/// Chips named by a selector such as "us[0-15].s[0-3].c*", in ascending order. Throws SelectorError.
std::vector<ChipId> match_chips(const Topology& topology, std::string_view selector);

/// What a fault's `fail:` or `degrade:` names: "A<->B", "A->B", "A.nic", a chip, a switch, a link's name.
struct Elements {
  std::vector<LinkId> links;  // both directions where the text says so
  std::vector<ChipId> chips;
  std::vector<std::string> switches;
};
Elements match_elements(const Topology& topology, std::string_view text);

/// Candidates of random faults in natural order of names. A scale-up link is the pair of its directions.
std::vector<std::vector<LinkId>> random_fault_candidates(const Topology& topology, std::string_view kind);

/// Distance figures for `tahoma topology`; by Boost.Graph on the implicit graph up to 5,000 vertices, by
/// dimension above. Hops count switches passed plus chips that forward.
struct Distances {
  std::uint32_t diameter_links = 0;
  std::uint32_t diameter_hops = 0;
  Duration diameter_latency;
};
Distances distances(const Topology& topology);

}  // namespace tahoma
