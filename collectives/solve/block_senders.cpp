// Who sends over each link of a block: where one rank alone does, and it is the same one in two runs of
// phases, the runs may overlap in time. A rank enters a run when all it sent in the one before has left, so
// its messages of the two never meet on that link.
#include <algorithm>

#include "collectives/solve/block.h"

namespace tahoma {

std::optional<std::vector<Block::LinkSender>> Block::senders() const {
  if (network_) return std::nullopt;  // an exchange's receivers are sent to by many
  std::vector<LinkSender> senders;
  const auto add = [&](LinkId link, std::uint32_t rank) {
    if (!topology_.never_binds(link)) senders.push_back({link, rank});
  };
  if (!ring_kinds_.empty()) {
    Route route;
    for (std::uint32_t p = 0; p < groups_.size(); ++p) {
      topology_.route(groups_.chip(0, p), groups_.chip(0, (p + 1) % groups_.size()), 0, route);
      for (std::uint32_t way = 0; way < route.ways; ++way) {
        for (const LinkId link : route.path[way].links) add(link, p);
      }
    }
  } else {
    for (const Instance::Lane& lane : instance_.lanes) {
      for (std::uint32_t k = 0; k < lane.sends; ++k) {
        const Instance::SendRow& row = instance_.sends[lane.send(k)];
        for (std::uint32_t p = row.path; p < row.path + instance_.shape(row).ways; ++p) {
          const Instance::Path& path = instance_.paths[p];
          for (std::uint32_t i = path.first; i < path.first + path.count; ++i)
            add(instance_.links[instance_.path_links[i]].id, lane.node);
        }
      }
    }
  }
  std::sort(senders.begin(), senders.end());
  senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
  return senders;
}

bool Block::may_overlap(const Block& earlier, const Block& later) {
  const auto first = earlier.senders(), second = later.senders();
  if (!first || !second) return false;
  std::vector<LinkSender> both;
  std::set_union(first->begin(), first->end(), second->begin(), second->end(), std::back_inserter(both));
  // A link that only one of the runs uses may have several senders: within a run the block knows them.
  const auto uses = [](const std::vector<LinkSender>& senders, LinkId link) {
    const auto at = std::lower_bound(senders.begin(), senders.end(), LinkSender{link, 0});
    return at != senders.end() && at->link == link;
  };
  for (std::size_t i = 1; i < both.size(); ++i) {
    if (both[i].link == both[i - 1].link && uses(*first, both[i].link) && uses(*second, both[i].link))
      return false;
  }
  return true;
}

}  // namespace tahoma
