// A cluster as a value: a product of dimensions, a switched fabric above it, sites, and a short list of
// exceptions. A million chips are a few numbers here; nothing of size N is ever stored.
//
//            site ── WAN ── site
//             │
//     clos (spray | ecmp | by_source), rails, oversubscription per tier
//             │  one NIC per chip
//     scale-up domain ("UltraServer"): product of rings, lines, full meshes, switch planes
//             │
//            chip
//             │  a switch inside, where a chip is several ranks
//            rank
//
// Chips are numbered by mixed radix, innermost dimension fastest: (site, domain, ..., z, y, x), ranks
// likewise with their place on the chip before all others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"

namespace tahoma {

/// What joins the members of one dimension.
///   ring      neighbours +-1, closed        (a torus is several rings)
///   line      neighbours +-1, open          (a mesh is several lines)
///   full      a link from each to each other member ("direct" is the same thing)
///   switched  every member has a port on a non-blocking switch; `planes` ports are used as one trunk
enum class DimensionKind { ring, line, full, switched };

struct Dimension {
  DimensionKind kind = DimensionKind::ring;
  std::uint32_t size = 1;
  Decimal bandwidth;         // raw, per link (per port and plane for `switched`), per direction, B/s
  Decimal efficiency{1, 0};  // protocol: effective = raw x efficiency
  Duration latency;          // per link traversed (a switched hop is two links)
  std::uint32_t links = 1;   // parallel links per neighbour, one trunk; a ring of 2 with links 2 is + and -
  std::uint32_t planes = 1;  // switched only
  bool stores = false;       // ring and line: a message is sent on when it has arrived whole, one at a time
};

enum class Routing { spray, ecmp, by_source };

/// How chips of different rails meet.
///   fabric  spines join the rails (two tiers or more)
///   relay   no link joins them: the sender's own domain carries the bytes to the chip that stands where the
///           receiver stands in its domain, and that chip's NIC sends ("rail-only", as NCCL's PXN)
///   none    no link, no relay: such a pair cannot talk
enum class BetweenRails { fabric, relay, none };

/// A folded Clos of 1-3 tiers that joins the NICs of all chips of a site. Rail of a chip = its index in the
/// scale-up domain modulo `rails`; a leaf serves one rail. A pod holds the leaves of all rails of
/// `leaves_per_pod` consecutive leaf groups.
struct Clos {
  std::uint32_t tiers = 1;
  std::uint32_t rails = 1;
  std::uint32_t leaf_width = 0;           // endpoints (NICs) per leaf; 0 = all of the rail on one leaf
  std::uint32_t leaves_per_pod = 0;       // leaf groups per pod; 0 = all in one pod (and needs tiers <= 2)
  std::vector<Decimal> oversubscription;  // [leaf up, spine up]; missing = 1
  Decimal bandwidth;                      // raw, of a NIC's port per plane, per direction, B/s
  Decimal efficiency{1, 0};
  std::uint32_t planes = 1;       // equal fabrics side by side, a port of the NIC on each; used as one trunk
  std::uint32_t dead_planes = 0;  // of them
  std::uint32_t leaves_per_nic = 1;  // ports of a NIC in each plane, each on a leaf switch of its own, bonded
  BetweenRails between_rails = BetweenRails::fabric;  // of one tier `fabric` means relay
  std::vector<Duration> latency;  // [NIC-leaf, leaf-spine, spine-core] per link; the last one repeats
  Routing routing = Routing::spray;
  std::uint32_t spines_per_pod = 1;  // over which a leaf's uplinks are spread (names, ecmp, faults)
  std::uint32_t cores = 1;           // core switches (tier 3), likewise
};

struct Wan {
  std::string name;
  std::uint32_t a = 0, b = 0;   // site indices
  Decimal bandwidth;            // per direction, B/s
  Duration latency;             // one way
  std::optional<Bytes> window;  // a flow is capped at window / RTT of its whole path
  std::optional<Decimal> loss;  // a flow is capped at MSS / (RTT sqrt(2 p / 3)), MSS = 8 KiB
};

struct Site {
  std::string name;
  std::uint32_t domains = 1;
};

/// What joins the cores of one chip, of which each rank has an equal share: a switch with a port per core.
struct InnerFabric {
  std::uint32_t cores = 1;
  Decimal bandwidth;  // raw, of a core's port, per direction, B/s
  Decimal efficiency{1, 0};
  Duration latency;  // per link: two of them between ranks of one chip
};

struct ClusterShape {
  std::uint32_t ranks_per_chip = 1;  // several share the chip's links, and `inner` joins them
  InnerFabric inner;
  std::vector<Dimension> scale_up;      // innermost first; their product is the scale-up domain
  std::uint32_t server_dimensions = 0;  // the first so many dimensions are one server; 0 = all of them
  std::vector<Dimension> scale_out;     // dimensions between domains, chip i to chip i (ring, line, full)
  std::optional<Clos> clos;             // instead of `scale_out` dimensions
  std::vector<Site> sites;              // at least one; a nameless single site is not part of names
  std::vector<Wan> wans;
  std::uint64_t seed = 0;  // of ecmp's hash
  bool leads_out = false;  // a site of a mixed cluster: its NICs have a use even where it has one domain
};

/// One switched fabric above those of the sites: a trunk from each site's top switches to it, which carries
/// all NICs of the site at once, divided by `oversubscription`.
struct BetweenSites {
  Decimal oversubscription{1, 0};
  Duration latency;  // of a trunk
};

/// Sites of different hardware in one cluster: each is a cluster of one named site, joined by WAN links or by
/// one fabric above them. Chips are numbered site by site.
struct MixedShape {
  std::vector<ClusterShape> sites;
  std::vector<Wan> wans;
  std::optional<BetweenSites> between;
};

/// An explicit graph: any names, unequal groups.
enum class VertexKind { chip, switch_, nic };
struct GraphVertex {
  std::string name;
  VertexKind kind = VertexKind::chip;
};
struct GraphLink {
  std::string name;
  std::uint32_t from = 0, to = 0;  // vertex indices; directed
  Decimal bandwidth;
  Decimal efficiency{1, 0};
  Duration latency;
  std::uint32_t reverse = ~0u;  // index of the other direction of a two-way link
  std::uint32_t steps = 1;      // what it counts in a route: the fewest win
};
/// Groups of switches, between two of which a route goes to a third one first, drawn by hash (Valiant).
struct Detours {
  std::vector<std::vector<std::uint32_t>> groups;  // vertex indices
  std::uint64_t seed = 0;
};
struct GraphShape {
  std::vector<GraphVertex> vertices;  // chips are ranked in this order
  std::vector<GraphLink> links;
  Detours detours;  // no groups: none
};

}  // namespace tahoma
