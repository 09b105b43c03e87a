// What digits() claims about symmetry is tried out on every chip, pair and link of many small networks.
#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "core/errors.h"
#include "tests/topology/shapes.h"

namespace tahoma {
namespace {

ChipId moved(ChipId chip, const Digit& digit, std::uint32_t by, bool exclusive_or) {
  const std::uint32_t value = chip / digit.stride % digit.size;
  const std::uint32_t to = exclusive_or ? value ^ by : (value + by) % digit.size;
  return chip - value * digit.stride + to * digit.stride;
}

// A map of links that all routes agree on.
using LinkMap = std::map<LinkId, LinkId>;

void add_to_map(LinkMap& map, const Path& from, const Path& to) {
  REQUIRE(from.links.size() == to.links.size());
  CHECK(from.latency == to.latency);
  CHECK(from.cap == to.cap);
  for (std::size_t i = 0; i < from.links.size(); ++i) {
    const auto [entry, is_new] = map.try_emplace(from.links[i], to.links[i]);
    if (!is_new) REQUIRE(entry->second == to.links[i]);
  }
}

LinkMap map_of(const Topology& topology, const Digit& digit, std::uint32_t by, bool exclusive_or) {
  LinkMap map;
  Route route, image;
  for (ChipId src = 0; src < topology.chips(); ++src) {
    for (ChipId dst = 0; dst < topology.chips(); ++dst) {
      topology.route(src, dst, 1, route);
      topology.route(moved(src, digit, by, exclusive_or), moved(dst, digit, by, exclusive_or), 1, image);
      REQUIRE(route.ways == image.ways);
      for (std::uint32_t way = 0; way < route.ways; ++way) add_to_map(map, route.path[way], image.path[way]);
    }
  }
  return map;
}

bool reaches_all(const Topology& topology) {
  Route route;
  try {
    for (ChipId src = 0; src < topology.chips(); ++src) {
      for (ChipId dst = 0; dst < topology.chips(); ++dst) topology.route(src, dst, 1, route);
    }
  } catch (const InfeasibleError&) {
    return false;
  }
  return true;
}

enum class Canonical { same, not_compared };

void check_automorphism(const Topology& topology, const LinkMap& map, DigitMask folded,
                        Canonical canonical = Canonical::same) {
  std::set<LinkId> images;
  for (const auto& [link, image] : map) {
    CHECK(images.insert(image).second);
    CHECK(topology.capacity(link) == topology.capacity(image));
    CHECK(topology.latency(link) == topology.latency(image));
    CHECK(topology.tier(link) == topology.tier(image));
    CHECK(topology.never_binds(link) == topology.never_binds(image));
    if (canonical == Canonical::not_compared) continue;
    CHECK(topology.canonical(link, folded) == topology.canonical(image, folded));
  }
}

}  // namespace

TEST_CASE("every shift a digit claims maps routes, capacities and latencies onto themselves") {
  for (const auto& [name, shape] : test::many_shapes()) {
    const auto topology = make_topology(shape);
    for (std::uint32_t d = 0; d < topology->digits().size(); ++d) {
      const Digit& digit = topology->digits()[d];
      if (!digit.shift) continue;
      INFO(name << ", digit " << digit.name);
      check_automorphism(*topology, map_of(*topology, digit, 1, false), DigitMask{1} << d);
    }
  }
}

TEST_CASE("every exclusive or a digit claims maps routes, capacities and latencies onto themselves") {
  for (const auto& [name, shape] : test::many_shapes()) {
    const auto topology = make_topology(shape);
    for (std::uint32_t d = 0; d < topology->digits().size(); ++d) {
      const Digit& digit = topology->digits()[d];
      if (!digit.exclusive_or) continue;
      for (std::uint32_t by = 1; by < digit.size; ++by) {
        INFO(name << ", digit " << digit.name << " ^ " << by);
        const LinkMap map = map_of(*topology, digit, by, true);
        // A full mesh's ports are displacements, which XOR permutes. It does no harm: a route takes one link
        // of it, from the digit of its source, so that the links of a representative (digit 0) are canonical.
        const bool displaced = digit.kind == Digit::Kind::full && digit.size > 2;
        check_automorphism(*topology, map, DigitMask{1} << d,
                           displaced ? Canonical::not_compared : Canonical::same);
      }
    }
  }
}

TEST_CASE("an orbit holds as many links as orbit_size says, and its canonical link is one of them") {
  for (const auto& [name, shape] : test::many_shapes()) {
    const auto topology = make_topology(shape);
    DigitMask symmetric = 0;
    for (std::uint32_t d = 0; d < topology->digits().size(); ++d) {
      if (topology->digits()[d].shift) symmetric |= DigitMask{1} << d;
    }
    for (DigitMask folded = 0; folded <= symmetric; ++folded) {
      if ((folded & ~symmetric) != 0) continue;
      std::map<LinkId, std::uint64_t> orbits;
      const std::vector<LinkId> links = topology->all_links();
      for (const LinkId link : links) ++orbits[topology->canonical(link, folded)];
      const std::set<LinkId> all(links.begin(), links.end());
      for (const auto& [canonical, count] : orbits) {
        INFO(name << ", folded " << folded << ", " << topology->link_name(canonical));
        CHECK(all.count(canonical) == 1);
        CHECK(topology->orbit_size(canonical, folded) == count);
        CHECK(topology->canonical(canonical, folded) == canonical);
      }
    }
  }
}

TEST_CASE("what symmetry is left beside a fault maps the broken network onto itself") {
  for (const auto& [name, shape] : test::many_shapes()) {
    const auto healthy = make_topology(shape);
    const std::vector<LinkId> links = healthy->all_links();
    for (std::size_t i = 0; i < links.size(); i += 7) {
      for (const std::int64_t tenths : {0, 5}) {
        const auto topology = make_topology(shape, {{}, {{links[i], {tenths, -1}}}, {}, {}});
        if (tenths == 0 && !reaches_all(*topology)) continue;  // ranks of a chip stay alike, cut off together
        for (std::uint32_t d = 0; d < topology->digits().size(); ++d) {
          const Digit& digit = topology->digits()[d];
          if (!digit.shift) continue;
          INFO(name << ", digit " << digit.name << ", " << healthy->link_name(links[i]) << " x 0." << tenths);
          check_automorphism(*topology, map_of(*topology, digit, 1, false), DigitMask{1} << d);
        }
      }
    }
  }
}

TEST_CASE("the chip number is the mixed radix of the digits") {
  for (const auto& [name, shape] : test::many_shapes()) {
    INFO(name);
    const auto topology = make_topology(shape);
    std::uint64_t stride = 1;
    Level level = Level::chip;
    for (const Digit& digit : topology->digits()) {
      CHECK(digit.stride == stride);
      CHECK(digit.level >= level);
      level = digit.level;
      stride *= digit.size;
    }
    CHECK(stride == topology->chips());
  }
}

TEST_CASE("what breaks symmetry is not claimed as symmetric") {
  const auto symmetric = [](const ClusterShape& shape) {
    std::string names;
    const auto topology = make_topology(shape);
    for (const Digit& digit : topology->digits()) {
      if (digit.shift) names += (names.empty() ? "" : " ") + digit.name;
      if (digit.exclusive_or) names += "^";
    }
    return names;
  };
  using namespace test;
  CHECK(symmetric(domain({ring(4), line(4), ring(2), switched(4), full(3)})) == "x z^ w^ v");
  CHECK(symmetric(cluster({ring(4)}, clos(2, 4, 2), 8)) == "x pos^ leaf^");
  CHECK(symmetric(cluster({ring(4)}, clos(3, 4, 2, 2), 8)) == "x pos^ leaf^ pod^");
  CHECK(symmetric(cluster({ring(4)}, clos(3, 4, 2, 2, Routing::by_source, 2), 8)) == "x leaf^ pod^");
  CHECK(symmetric(cluster({ring(4)}, clos(3, 4, 2, 2, Routing::ecmp, 2), 8)).empty());
  CHECK(symmetric(cluster({ring(4)}, clos(2, 1, 8), 3)) ==
        "x");  // last leaf half full: "domain", no symmetry
  CHECK(symmetric(cluster({ring(4)}, clos(2, 1, 2), 4)).empty());  // half of a domain on each leaf
  CHECK(symmetric(sites({ring(2)}, clos(2, 2, 2), {4, 4})) == "x^ pos^ leaf^");
}

}  // namespace tahoma
