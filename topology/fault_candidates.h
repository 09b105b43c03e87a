// What random faults are drawn from, by number, in natural order of names.
//
// Problem: three million pairs of links are a list of 400 MB, of which a hundred are drawn. Idea: on a
// healthy cluster all scale-up domains are alike and their names follow one another, so one domain's
// candidates and the order of the sites say what candidate i is.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "topology/topology.h"

namespace tahoma {

class MixedTopology;

class FaultCandidates {
 public:
  /// `kind`: links (a scale-up link is the pair of its directions), nics, uplinks. Throws SelectorError.
  FaultCandidates(const Topology& topology, std::string_view kind);

  std::uint64_t size() const;
  /// The directed links of candidate `i`.
  std::vector<LinkId> at(std::uint64_t i) const;

 private:
  std::vector<std::vector<LinkId>> listed_;  // all, or those of the first domain
  struct Domains {
    std::uint32_t first, count;
  };
  std::vector<Domains> sites_;  // in order of names; empty: all are listed
  std::uint32_t domain_chips_ = 1;
  struct OfSite {
    std::uint32_t site;
    std::shared_ptr<const FaultCandidates> inside;
  };
  std::vector<OfSite> of_sites_;  // of a mixed network, in order of names; `listed_` is empty then
  const MixedTopology* mixed_ = nullptr;
};

}  // namespace tahoma
