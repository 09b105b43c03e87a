// The paths of an expansion: routes as rows of binding links, each asked for once.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/solve/instance.h"

namespace tahoma {

/// What of a route a message uses: all of it, or the way up to the switch, or the way down from it.
enum class Leg : std::uint8_t { whole, up, down };

class PathExpansion {
 public:
  PathExpansion(const Problem& problem, DigitMask folded, Instance& out)
      : problem_(problem), folded_(folded), out_(out) {}

  /// Members are counted from 0; their phases meet the same peers again, and the last few paths of each are
  /// kept.
  void begin_program(std::size_t members);

  struct Wanted {
    ChipId source, target;
    std::uint32_t lane;
    Op op;
    Leg leg;
    bool paired_ranks;
  };
  struct Found {
    std::uint32_t path, ways;  // the first of `ways`
  };
  Found path_of(std::uint32_t member, const Wanted& wanted);

  /// A path of its own, hop by hop where its links store. `flows` of the unfolded network take it, or its
  /// like, from `source`.
  std::uint32_t add(const Path& path, std::uint64_t flows, ChipId source);

  /// All paths of another expansion of the same network, folded alike, in their order; the number of the
  /// first.
  std::uint32_t adopt(const Instance& other);

  /// One path for `flows` alike messages that leave their senders' class together.
  std::uint32_t bundle(const Wanted& wanted, std::uint64_t flows);

 private:
  struct Known {
    ChipId source, target;
    std::uint32_t lane, touches, path, ways;
    Leg leg;
    bool paired;
  };
  void cut_to(const Wanted& wanted);
  /// Links of one orbit become one crossing whose multiplicity is a(L, F).
  std::uint32_t add_crossings(std::span<const LinkId> links, Duration latency, Rate cap, std::uint64_t flows);
  void add_hops(std::uint32_t number, const Path& path, std::uint64_t flows, ChipId source);
  std::uint32_t queue_of(LinkId id);
  std::uint32_t relative_to_owner(LinkId link, ChipId source) const;
  LinkId memory_of(ChipId rank) const;
  std::uint64_t memory_orbit(std::uint32_t chip_class) const;
  std::uint32_t link_number(LinkId id);

  const Problem& problem_;
  const DigitMask folded_;
  Instance& out_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> link_numbers_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> queue_numbers_;
  static constexpr std::uint32_t most_known = 64;
  std::vector<std::vector<Known>> known_;   // [number of the path modulo most_known][member]
  std::vector<std::uint32_t> count_known_;  // by member
  std::uint32_t likely_ = 0;                // where the member before found its path
  Route route_;
};

}  // namespace tahoma
