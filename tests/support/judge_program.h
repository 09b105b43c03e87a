// Every message of every rank, listed. The judge's reading of collectives/schedule.h; collectives/solve has
// another one, and the two must agree.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/judge.h"

namespace tahoma::judge {

/// A rank of a job.
struct Member {
  std::size_t job, group, position;
  ChipId chip;
};

/// One phase of one chunk on one set of channels, at one rank.
struct Stage {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t member;
  std::size_t next = none;                          // the stage that waits for this one
  std::size_t outstanding = 0;                      // receives to come (and be reduced) + own sends to drain
  std::map<std::uint16_t, std::uint64_t> received;  // by tag
};

struct Need {
  std::uint16_t tag;
  std::uint64_t count;
};

/// Who is reduced first of those that arrive together: (job, source relative to the receiver, channel, and
/// the program position: chunk, phase, place in the lane).
using Precedence = std::array<std::uint64_t, 6>;

/// What of a route a message uses: a phase with a switch has messages to it and from it.
enum class Leg { whole, up, down };

struct Message {
  std::size_t from, to;  // members; the one at place 0 keeps the counters of the switch
  ChipId route_from = 0, route_to = 0;
  Leg leg = Leg::whole;
  bool paired_ranks = false;
  std::size_t from_stage, to_stage;
  std::uint32_t route_lane;  // what the topology is asked with
  std::uint64_t bytes;
  Op op;
  std::uint16_t tag;
  std::vector<Need> needs;
  Precedence precedence;
};

struct LaneQueue {
  std::vector<std::size_t> messages;  // in program order
};

struct Program {
  std::vector<Member> members;
  std::vector<std::vector<std::vector<std::size_t>>> member_of;  // [job][group][position]
  std::vector<Stage> stages;
  std::vector<std::size_t> first_stages;  // begin with the job
  std::vector<Message> messages;
  std::vector<LaneQueue> lanes;
};

Program list_messages(const std::vector<Job>& jobs);

/// "job 0, group 1, rank 3"
std::string name_of(const Member& member);

}  // namespace tahoma::judge
