// The short list of links that differ from their kind: dead ones, and slower ones. Empty on a healthy
// network, where it costs one comparison; else a hash lookup per link.
#pragma once

#include <cstdint>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core/units.h"
#include "topology/geometry.h"
#include "topology/topology.h"

namespace tahoma {

class Exceptions {
 public:
  struct State {
    bool dead = false;
    Capacity capacity;  // effective, rounded once
  };

  bool empty() const { return states_.empty(); }
  const State* find(LinkId link) const {
    const auto found = states_.find(link.value);
    return found == states_.end() ? nullptr : &found->second;
  }
  bool alive(LinkId link) const {
    if (states_.empty()) return true;
    const State* state = find(link);
    return state == nullptr || !state->dead;
  }
  bool alive(const Path& path) const {
    for (const LinkId link : path.links) {
      if (!alive(link)) return false;
    }
    return true;
  }

  void set(LinkId link, State state) { states_[link.value] = state; }
  /// In no particular order: for sums and counts only.
  auto begin() const { return states_.begin(); }
  auto end() const { return states_.end(); }

 private:
  boost::unordered_flat_map<std::uint64_t, State> states_;
};

}  // namespace tahoma
