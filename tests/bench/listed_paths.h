// Flows on listed links, from a file: what another simulator ran, so that ours can run the very same.
//
// Problem: two simulators that each compute their own routes do not do the same work. Idea: one of them
// writes what it did, links and each flow's path, and the other reads it.
//
//   program shot | ring          all flows at once; or flow i = rank i's messages to rank i + 1
//   steps N                      messages of a rank (ring), 1 otherwise
//   bytes N                      of each message
//   links N, then N lines        capacity in whole bytes per second
//   flows N, then N lines        number of links, and these, by number from 0
//
// Ring: a rank starts its message k + 1 when it has received message k and its own message k has drained.
// Latencies are zero.
//
// ListedPaths is such a file as a topology: it has one route for each flow and no symmetry at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tahoma::bench {

struct FlowFile {
  bool ring = false;
  std::uint32_t steps = 1;
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> capacity;  // B/s
  std::vector<std::uint32_t> first;     // flows + 1
  std::vector<std::uint32_t> links;     // of flow f: links[first[f]] .. links[first[f + 1] - 1]
  std::uint32_t flows() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

/// Throws std::runtime_error with the file's name if it cannot be read or is not of this form.
FlowFile read_flow_file(const std::string& name);

class ListedPaths final : public Topology {
 public:
  explicit ListedPaths(const FlowFile& file);

  std::uint32_t chips() const override { return file_.flows(); }
  std::uint64_t link_count() const override { return file_.capacity.size(); }
  /// Of flow `src`, whose destination is the next chip.
  void route(ChipId src, ChipId dst, std::uint32_t lane, Route& route) const override;
  Capacity capacity(LinkId link) const override;
  Duration latency(LinkId) const override { return {}; }
  bool never_binds(LinkId) const override { return false; }
  std::uint32_t tier(LinkId) const override { return 0; }
  std::span<const Tier> tiers() const override { return tiers_; }
  std::span<const Digit> digits() const override { return digits_; }
  LinkId canonical(LinkId link, DigitMask) const override { return link; }
  std::uint64_t orbit_size(LinkId, DigitMask) const override { return 1; }
  std::vector<Cut> cuts() const override { return {}; }
  Capacity total_injection() const override { return {}; }
  std::string chip_name(ChipId chip) const override;
  std::string link_name(LinkId link) const override;
  std::vector<LinkId> all_links() const override;

 private:
  const FlowFile& file_;
  std::vector<Tier> tiers_;
  std::vector<Digit> digits_;
};

}  // namespace tahoma::bench
