// Seeded mistakes: each must be found, with the rank and the piece in question.
#include <catch2/catch.hpp>

#include <functional>

#include "collectives/verify.h"
#include "core/errors.h"
#include "tests/collectives/requests.h"

namespace tahoma {

namespace {

Schedule schedule_of(Collective collective, const std::string& algorithm, std::uint32_t n = 8) {
  ScheduleRequest request = request_of(collective, {axis_of(n)}, algorithm, Bytes{256});
  request.root = 1;
  return make_schedule(request);
}

Schedule torus_of(Collective collective) {
  return make_schedule(request_of(collective, {axis_of(4), axis_of(2), axis_of(3)}, "torus", Bytes{1024}));
}

/// All sends of all lanes and roles of a phase.
std::vector<Send*> sends_of(Phase& phase) {
  std::vector<Send*> sends;
  for (Role& role : phase.roles)
    for (Lane& lane : role.lanes)
      for (Send& send : lane.sends) sends.push_back(&send);
  return sends;
}

bool names_rank_and_piece(const std::string& fault) {
  return fault.find("rank ") != std::string::npos && fault.find("piece ") != std::string::npos;
}

/// Applies `spoil` to every send of every schedule in turn, where it changes something: all must be refused.
void each_send_spoiled(const std::vector<Schedule>& schedules, const std::function<bool(Send&)>& spoil) {
  std::uint32_t spoiled = 0;
  for (const Schedule& good : schedules) {
    REQUIRE(verify(good).fault == "");
    for (std::size_t p = 0; p < good.phases.size(); ++p) {
      Phase phase = good.phases[p];
      for (std::size_t s = 0; s < sends_of(phase).size(); ++s) {
        Schedule bad = good;
        if (!spoil(*sends_of(bad.phases[p])[s])) continue;
        const std::string fault = verify(bad).fault;
        INFO(good.algorithm << ", " << name_of(good.collective) << ", phase " << p << ", send " << s << ": "
                            << fault);
        REQUIRE(names_rank_and_piece(fault));
        ++spoiled;
      }
    }
  }
  CHECK(spoiled > 0);
}

std::vector<Schedule> many_schedules() {
  std::vector<Schedule> all;
  for (const char* name :
       {"ring", "bidirectional_ring", "torus_sequential", "torus", "halving_doubling", "direct", "pairwise"})
    for (const Collective collective :
         {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather})
      all.push_back(schedule_of(collective, name));
  all.push_back(schedule_of(Collective::all_reduce, "halving_doubling", 7));
  all.push_back(schedule_of(Collective::broadcast, "ring", 5));
  all.push_back(schedule_of(Collective::broadcast, "halving_doubling", 6));
  all.push_back(torus_of(Collective::all_reduce));
  all.push_back(torus_of(Collective::all_gather));
  return all;
}

}  // namespace

TEST_CASE("a schedule that waits for nothing is found, however lucky the order could be") {
  std::uint32_t spoiled = 0;
  for (const Schedule& good : many_schedules()) {
    Schedule bad = good;
    bool waited = false;
    for (Phase& phase : bad.phases)
      for (Send* send : sends_of(phase)) {
        for (const Wait& wait : send->waits)
          waited = waited || wait.count + wait.per_rep * (send->reps - 1) > 0;
        send->waits.clear();
      }
    // A reduce_scatter of `direct` or `pairwise` sends what the rank had from the start: it waits for
    // nothing.
    const std::string fault = verify(bad).fault;
    INFO(good.algorithm << ", " << name_of(good.collective) << ": " << fault);
    CHECK(names_rank_and_piece(fault) == waited);
    spoiled += waited ? 1u : 0u;
  }
  CHECK(spoiled > many_schedules().size() / 2);
}

TEST_CASE("a single dropped wait is found where nothing else implies it") {
  each_send_spoiled({schedule_of(Collective::all_reduce, "halving_doubling"),
                     schedule_of(Collective::all_reduce, "halving_doubling", 7)},
                    [](Send& send) {
                      const bool had = !send.waits.empty();
                      send.waits.clear();
                      return had;
                    });
  // A torus shard's third stage waits for the first two. The last message of the second does not imply the
  // first: its sender's dependences are not ours.
  each_send_spoiled({torus_of(Collective::reduce_scatter)}, [](Send& send) {
    if (send.waits.size() < 2 || send.waits[1].per_rep != 0) return false;
    send.waits.erase(send.waits.begin());
    return true;
  });
}

TEST_CASE("a wait for one message less is found") {
  const std::vector<Schedule> schedules{schedule_of(Collective::all_reduce, "ring"),
                                        schedule_of(Collective::all_reduce, "bidirectional_ring"),
                                        schedule_of(Collective::all_reduce, "direct")};
  each_send_spoiled(schedules, [](Send& send) {
    if (send.waits.empty() || send.waits[0].count == 0) return false;
    --send.waits[0].count;
    return true;
  });
}

TEST_CASE("a wait for more than ever comes is a named deadlock") {
  Schedule bad = schedule_of(Collective::all_reduce, "direct");
  sends_of(bad.phases[0])[1]->waits[0].count = 8;  // of 7 peers
  const std::string fault = verify(bad).fault;
  INFO(fault);
  CHECK(fault ==
        "rank 0, channel 1, send 1, repetition 0 (part 0, piece 0) waits for 8 messages under tag 0 and gets "
        "7; nobody "
        "sends more (phase 'all_reduce, direct')");
}

TEST_CASE("a ring that waits before it sends is a deadlock that names whom it waits for") {
  Schedule bad = schedule_of(Collective::reduce_scatter, "ring", 4);
  sends_of(bad.phases[0])[0]->waits[0].count = 1;
  CHECK(verify(bad).fault ==
        "rank 0, channel 0, send 0, repetition 0 (part 0, piece 3) waits for 1 messages under tag 0 and gets "
        "0; the "
        "next one would come from position 3, which is stuck too (phase 'reduce_scatter, ring')");
}

TEST_CASE("a wrong piece is found") {
  each_send_spoiled(many_schedules(), [](Send& send) {
    for (PieceRange& range : send.piece)
      if (range.anchor != PieceRange::Anchor::all) return ++range.offset, true;
    if (send.flat.anchor == PieceRange::Anchor::all) return false;
    send.flat.offset += static_cast<std::int32_t>(send.flat.length);
    return true;
  });
}

TEST_CASE("a wrong step from one piece to the next is found") {
  each_send_spoiled(
      {schedule_of(Collective::all_reduce, "ring"), schedule_of(Collective::all_gather, "ring")},
      [](Send& send) { return send.flat.per_rep = 1, true; });
}

TEST_CASE("a reduce where a copy belongs and the reverse are found") {
  each_send_spoiled(many_schedules(), [](Send& send) {
    send.op = send.op == Op::copy ? Op::reduce : Op::copy;
    return true;
  });
}

TEST_CASE("a message too many is found") {
  each_send_spoiled(many_schedules(), [](Send& send) { return ++send.reps, true; });
}

TEST_CASE("a message too few is found") {
  each_send_spoiled(many_schedules(), [](Send& send) { return send.reps > 1 ? --send.reps, true : false; });
}

TEST_CASE("a wrong receiver is found") {
  each_send_spoiled(many_schedules(), [](Send& send) {
    if (send.peer.axis != flat_axis) return false;
    // The farther bit flipped as well may be as good an exchange; the next nearer one instead is not.
    if (send.peer.kind == Peer::Kind::exclusive_or) {
      send.peer.value = send.peer.value == 1 ? 2 : send.peer.value / 2;
    } else {
      // Not to oneself, which is a fault of form.
      send.peer.value += send.peer.value == -1 || send.peer.value == 7 ? -1 : 1;
    }
    return true;
  });
}

TEST_CASE("a send that is missing is found") {
  for (const Schedule& good : many_schedules()) {
    for (std::size_t p = 0; p < good.phases.size(); ++p) {
      Schedule bad = good;
      auto& sends = bad.phases[p].roles.back().lanes.back().sends;
      sends.pop_back();
      const std::string fault = verify(bad).fault;
      INFO(good.algorithm << ", " << name_of(good.collective) << ": " << fault);
      CHECK(names_rank_and_piece(fault));
    }
  }
}

TEST_CASE("swapped sends of a lane are found") {
  for (const char* name : {"ring", "halving_doubling", "direct"}) {
    Schedule bad = schedule_of(Collective::all_reduce, name);
    auto& sends = bad.phases[0].roles[0].lanes[0].sends;
    std::swap(sends.front(), sends.back());
    const std::string fault = verify(bad).fault;
    INFO(name << ": " << fault);
    CHECK(names_rank_and_piece(fault));
  }
}

TEST_CASE("phases out of order, left out, or cut otherwise are found") {
  const Schedule good = make_schedule(
      request_by_level(Collective::all_reduce, {axis_of(4), axis_of(3)}, {"ring", "ring"}, Bytes{2400}));
  Schedule bad = good;
  std::swap(bad.phases[0], bad.phases[1]);
  CHECK(verify(bad).fault ==
        "phase 'all_reduce, ring' moves pieces of 600 bytes in all, the buffer has 2400");
  bad = good;
  bad.phases.pop_back();
  CHECK(names_rank_and_piece(verify(bad).fault));
  bad = good;
  bad.phases[2].piece_bytes[0] += 2;
  CHECK(verify(bad).fault ==
        "phase 'all_gather, ring' does not cut the buffer as phase 'reduce_scatter, ring', which it undoes");
}

TEST_CASE("faults of form are found") {
  const Schedule good = schedule_of(Collective::all_reduce, "ring", 4);
  Schedule bad = good;
  sends_of(bad.phases[0])[0]->tag = 1;
  CHECK(verify(bad).fault == "phase 'all_reduce, ring': messages under tag 1, which nobody counts");
  bad = good;
  bad.phases[0].roles.push_back(bad.phases[0].roles[0]);
  CHECK(verify(bad).fault == "phase 'all_reduce, ring': two roles for position 0");
  bad = good;
  sends_of(bad.phases[0])[0]->bytes += 2;
  CHECK(verify(bad).fault ==
        "rank 0, channel 0, send 0, repetition 0: part 0, piece 3: says 66 bytes, its 1 pieces are 64 "
        "(phase "
        "'all_reduce, ring')");
  bad = good;
  sends_of(bad.phases[0])[0]->peer.value = 4;
  CHECK(verify(bad).fault ==
        "rank 0, channel 0, send 0, repetition 0: sends to itself (phase 'all_reduce, ring')");
}

TEST_CASE("all_to_all: a block for somebody else, twice, or never is found") {
  for (const char* name : {"direct", "pairwise"}) {
    const Schedule good = schedule_of(Collective::all_to_all, name, 6);
    each_send_spoiled({good}, [](Send& send) { return ++send.flat.offset, true; });
    each_send_spoiled({good}, [](Send& send) { return ++send.reps, true; });
    each_send_spoiled({good}, [](Send& send) { return send.op = Op::reduce, true; });
    Schedule bad = good;
    bad.phases[0].roles[0].lanes.back().sends.pop_back();
    CHECK(names_rank_and_piece(verify(bad).fault));
  }
}

}  // namespace tahoma
