// Names of ranks: us0.s0.c5.r2. What comes before the rank is a selector of chips; without a rank all ranks
// of the chips are meant. Everything that is no rank is a name of the chips' network.
//
//   us0.s0.c5.r2->us0.s0.c5    from the rank to the switch in its chip
#include <fmt/format.h>

#include "topology/link_key.h"
#include "topology/number_set.h"
#include "topology/rank_topology.h"

namespace tahoma {

namespace {

struct RankText {
  std::string_view chips;
  std::optional<Component> ranks;
};

// Is the last component rN, r[..] or r*?
RankText split_rank(std::string_view selector) {
  const auto parts = split_components(selector);
  if (parts.size() < 2) return {selector, std::nullopt};
  const std::string_view last = parts.back();
  const bool is_rank = last.size() >= 2 && last[0] == 'r' &&
                       (last[1] == '*' || last[1] == '[' || (last[1] >= '0' && last[1] <= '9'));
  if (!is_rank) return {selector, std::nullopt};
  return {selector.substr(0, selector.size() - last.size() - 1), parse_component(last, selector)};
}

std::vector<ChipId> ranks_on(const RankTopology& topology, const std::vector<ChipId>& chips,
                             const std::optional<Component>& wanted, std::string_view selector) {
  const std::uint32_t ranks = topology.ranks_per_chip();
  if (wanted && !wanted->numbers.all && wanted->numbers.largest() >= ranks) {
    throw SelectorError{fmt::format("'{}': there is no r{}; the last is r{}", selector,
                                    wanted->numbers.largest(), ranks - 1)};
  }
  std::vector<ChipId> found;
  for (const ChipId chip : chips) {
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (!wanted || wanted->numbers.all || wanted->numbers.contains(r)) found.push_back(chip * ranks + r);
    }
  }
  return found;
}

// The link between a rank and its chip, if one end is a rank.
std::optional<Elements> match_port(const RankTopology& topology, std::string_view text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  const bool both = arrow > 0 && text[arrow - 1] == '<';
  const std::string_view from = text.substr(0, arrow - (both ? 1 : 0)), to = text.substr(arrow + 2);
  const bool from_rank = split_rank(from).ranks.has_value(), to_rank = split_rank(to).ranks.has_value();
  if (!from_rank && !to_rank) return std::nullopt;
  const std::string_view rank = from_rank ? from : to, chip = from_rank ? to : from;
  const std::string expected(split_rank(rank).chips);
  if (from_rank == to_rank || chip != expected) {
    throw SelectorError{fmt::format(
        "'{}': no such link; a rank has one to its own chip, {}<->{}, and the chip has the others", text,
        rank, expected)};
  }
  Elements elements;
  for (const ChipId r : match_ranks(topology, rank)) {
    if (from_rank || both) elements.links.push_back(RankTopology::port(r, up_port));
    if (to_rank || both) elements.links.push_back(RankTopology::port(r, down_port));
  }
  return elements;
}

}  // namespace

std::vector<ChipId> match_ranks(const RankTopology& topology, std::string_view selector) {
  const RankText text = split_rank(selector);
  return ranks_on(topology, match_chips(topology.chip_network(), text.chips), text.ranks, selector);
}

Elements match_rank_elements(const RankTopology& topology, std::string_view text) {
  if (auto port = match_port(topology, text)) return std::move(*port);
  Elements elements;
  if (split_rank(text).ranks) {
    elements.chips = match_ranks(topology, text);
    return elements;
  }
  elements = match_elements(topology.chip_network(), text);
  elements.chips = ranks_on(topology, elements.chips, std::nullopt, text);
  return elements;
}

}  // namespace tahoma
