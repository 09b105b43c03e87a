// Whether the groups of a split lie well on the network: which of them close on the torus.
//
// Problem: tp 8 on a torus of 4 x 4 chips is a legal product and a poor placement: its ring is no ring of the
// network, so its steps take detours and meet those of other groups. Idea: look at the digits that a group
// runs through. A whole ring closes; so do two neighbours, whose link has two directions; ports of a switch
// always do. Then count: links of the longest step between neighbours, and how many groups put a step on the
// same link.
//
// What a vendor's library offers is another matter than what the network allows: rows of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/training/step_groups.h"

namespace tahoma {

struct GroupFit {
  StepGroup group = StepGroup::tp;
  std::uint32_t members = 1;
  std::string example;  // the ranks of the first group, "0-15, 48-63"
  bool closes = true;
  std::string why;           // of `closes`: "the whole x ring", "2 of 4 along y"
  std::uint32_t hops = 0;    // links of its longest step
  std::uint32_t shared = 0;  // most groups on one link, all at their steps at once
  std::string alternative;   // "" where it closes
  std::string vendor;        // what the vendor's library says; "" if nothing is known
};

/// Of tp, cp and ep where they have members. `chip`: "trainium2", as presets name it.
std::vector<GroupFit> fits_of(const Topology& topology, const Parallel& parallel, std::string_view chip);

/// "0-15, 48-63"
std::string rank_list(const std::vector<ChipId>& ranks);

}  // namespace tahoma
