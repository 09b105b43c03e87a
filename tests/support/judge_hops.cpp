#include "tests/support/judge_hops.h"

namespace tahoma::judge {

std::deque<Path> stretches_of(const Path& path, std::size_t memories, const Topology& topology) {
  std::deque<Path> stretches;
  Duration rest = path.latency;
  bool alone = true;  // the last stretch takes no more links
  for (std::size_t i = 0; i + memories < path.links.size(); ++i) {
    const LinkId link = path.links[i];
    const bool stores = topology.stores(link);
    if (alone || stores) stretches.push_back({{}, {}, path.cap});
    alone = stores;
    stretches.back().links.push_back(link);
    stretches.back().latency += topology.latency(link);
    rest = rest - topology.latency(link);
  }
  stretches.back().latency += rest;
  stretches.back().links.insert(stretches.back().links.end(), path.links.end() - static_cast<long>(memories),
                                path.links.end());
  return stretches;
}

Precedence seen_from(LinkId link, const Journey& journey, const Topology& topology) {
  Precedence precedence = journey.precedence;
  precedence[1] = 0;
  const ChipId chip = topology.owner_chip(link).value();
  for (const Digit& digit : topology.digits()) {
    const std::uint64_t from = journey.source / digit.stride, to = chip / digit.stride;
    precedence[1] += (from % digit.size + digit.size - to % digit.size) % digit.size * digit.stride;
  }
  return precedence;
}

}  // namespace tahoma::judge
