#include "collectives/solve/star.h"

#include <algorithm>

#include "collectives/solve/earliest.h"
#include "core/errors.h"
#include "core/fair_share.h"

namespace tahoma {

namespace {

constexpr std::uint32_t none_arriving = ~0u;

class Star {
 public:
  Star(const ExchangeProgram& program, const ExchangeNetwork& network, Duration overhead,
       std::span<Time> finish, std::vector<std::int64_t>& arrival, StarCost& cost)
      : program_(program),
        network_(network),
        overhead_(overhead.ps),
        finish_(finish),
        arrival_(arrival),
        cost_(cost),
        earliest_(program.ranks) {
    const std::uint32_t n = program.ranks;
    ranks_.resize(n);
    receivers_.resize(n);
    arrival_.assign(program.levels.size() * n, Earliest::never);
    for (const auto& level : program.levels) work_.push_back(work_of(Bytes{level.bytes}).units);
    alone_.assign(work_.size() * network.ways.size(), 0);
    on_trunk_.resize(network.trunks.size());
    trunk_disturbed_.assign(network.trunks.size(), 0);
    trunk_epoch_.assign(network.trunks.size(), 0);
    trunk_local_.assign(network.trunks.size(), 0);
    if (!network.trunks.empty()) receiver_epoch_.assign(n, 0), receiver_local_.assign(n, 0);
  }

  void run(std::span<const Time> ready) {
    for (std::uint32_t r = 0; r < ready.size(); ++r) {
      receivers_[r].finish = ready[r].ps;
      next_message(r, 0, ready[r].ps, Earliest::never);
    }
    std::vector<std::uint32_t> due;
    for (std::int64_t now; (now = earliest_.refresh()) != Earliest::never;) {
      earliest_.collect(due);
      for (const std::uint32_t r : due) {
        ++cost_.events;
        if (ranks_[r].state == State::entering) {
          enter(r, now);
        } else {
          drain(r, now);
        }
      }
      settle(now);
    }
    for (std::uint32_t r = 0; r < ready.size(); ++r) {
      TAHOMA_ASSERT(ranks_[r].state == State::done, "a rank did not finish");
      finish_[r] = Time{receivers_[r].finish};
    }
  }

 private:
  enum class State : std::uint32_t { done, waiting, entering, sending };

  // A rank as a sender: its one message, in the network or about to be.
  struct alignas(64) Rank {
    u128 remaining = 0;      // holds at `since`
    std::int64_t since = 0;  // waiting: when the lane became free
    std::uint64_t rate = 0;
    std::uint64_t cap = 0;
    std::uint32_t level = 0;
    std::uint32_t to = 0;
    std::uint32_t next_arriving = none_arriving;  // at the same receiver
    std::uint32_t way = 0;
    State state = State::done;
    bool fresh = false;  // no part of it has been sent
  };
  static_assert(sizeof(Rank) == 64);

  // A rank as a receiver.
  struct Receiver {
    std::int64_t finish = 0;  // of what has drained or arrived so far
    std::uint32_t first_arriving = none_arriving;
    bool disturbed = false;
  };

  // The rank's lane is free at `free`; its next message is of `level` or later. `now`: may enter at once.
  void next_message(std::uint32_t r, std::uint32_t level, std::int64_t free, std::int64_t now) {
    Rank& rank = ranks_[r];
    while (level < program_.levels.size() && !sends(level, r)) ++level;
    rank.level = level;
    if (level == program_.levels.size()) {
      rank.state = State::done;
      earliest_.set(r, Earliest::never);
      return;
    }
    std::int64_t begin = free;
    const std::uint32_t wait = program_.levels[level].wait;
    if (wait != ExchangeProgram::nobody && receives(wait, r)) {
      const std::int64_t input = arrival_[std::size_t{wait} * program_.ranks + r];
      if (input == Earliest::never) {
        rank.state = State::waiting;
        rank.since = free;
        earliest_.set(r, Earliest::never);
        return;
      }
      begin = std::max(begin, input);
    }
    will_enter(r, begin + overhead_, now);
  }

  bool sends(std::uint32_t level, std::uint32_t r) const {
    return program_.patterns[program_.levels[level].pattern].complete ||
           program_.to(level, r) != ExchangeProgram::nobody;
  }
  bool receives(std::uint32_t level, std::uint32_t r) const {
    return program_.patterns[program_.levels[level].pattern].complete ||
           program_.from(level, r) != ExchangeProgram::nobody;
  }

  void will_enter(std::uint32_t r, std::int64_t at, std::int64_t now) {
    if (at == now) {
      enter(r, now);
    } else {
      ranks_[r].state = State::entering;
      earliest_.set(r, at);
    }
  }

  void enter(std::uint32_t r, std::int64_t now) {
    Rank& rank = ranks_[r];
    const std::uint32_t pattern = program_.levels[rank.level].pattern;
    rank.to = program_.patterns[pattern].to[r];
    rank.way = network_.way[pattern][r];
    rank.cap = network_.ways[rank.way].cap;
    rank.remaining = work_[rank.level];
    rank.since = now;
    rank.rate = 0;
    rank.fresh = true;
    rank.state = State::sending;
    Receiver& receiver = receivers_[rank.to];
    rank.next_arriving = receiver.first_arriving;
    receiver.first_arriving = r;
    disturb(rank.to, receiver);
    for (const std::uint32_t trunk : network_.ways[rank.way].trunks) on_trunk_[trunk].push_back(r);
    earliest_.set(r, Earliest::never);
  }

  void drain(std::uint32_t r, std::int64_t now) {
    Rank& rank = ranks_[r];
    leave(r);
    receivers_[r].finish = std::max(receivers_[r].finish, now);
    const std::uint32_t level = rank.level, to = rank.to;
    const std::int64_t arrives = now + network_.ways[rank.way].latency.ps;
    arrival_[std::size_t{level} * program_.ranks + to] = arrives;
    receivers_[to].finish = std::max(receivers_[to].finish, arrives);
    next_message(r, level + 1, now, now);
    const Rank& receiver = ranks_[to];
    if (receiver.state == State::waiting && program_.levels[receiver.level].wait == level) {
      will_enter(to, std::max(receiver.since, arrives) + overhead_, now);
    }
  }

  void leave(std::uint32_t r) {
    const Rank& rank = ranks_[r];
    Receiver& receiver = receivers_[rank.to];
    std::uint32_t* place = &receiver.first_arriving;
    while (*place != r) place = &ranks_[*place].next_arriving;
    *place = rank.next_arriving;
    if (receiver.first_arriving != none_arriving) disturb(rank.to, receiver);
    for (const std::uint32_t trunk : network_.ways[rank.way].trunks) {
      auto& on = on_trunk_[trunk];
      *std::find(on.begin(), on.end(), r) = on.back();
      on.pop_back();
      if (trunk_disturbed_[trunk] != 0) continue;
      trunk_disturbed_[trunk] = 1;
      disturbed_trunks_.push_back(trunk);
    }
  }

  void disturb(std::uint32_t number, Receiver& receiver) {
    if (receiver.disturbed) return;
    receiver.disturbed = true;
    disturbed_.push_back(number);
  }

  void settle(std::int64_t now) {
    ++epoch_;
    for (const std::uint32_t receiver : disturbed_) {
      receivers_[receiver].disturbed = false;
      if (receivers_[receiver].first_arriving == none_arriving) continue;
      if (network_.trunks.empty()) {
        share_link(receiver, now);
      } else if (receiver_epoch_[receiver] != epoch_) {
        share_joined(receiver, none_arriving, now);
      }
    }
    for (const std::uint32_t trunk : disturbed_trunks_) {
      trunk_disturbed_[trunk] = 0;
      if (trunk_epoch_[trunk] != epoch_ && !on_trunk_[trunk].empty()) share_joined(none_arriving, trunk, now);
    }
    disturbed_.clear();
    disturbed_trunks_.clear();
  }

  // Max-min on one link: the least cap first, as long as it is below an equal share of what is left.
  void share_link(std::uint32_t receiver, std::int64_t now) {
    const std::uint32_t first = receivers_[receiver].first_arriving;
    u128 residual = network_.arrivals[receiver].q20;
    if (ranks_[first].next_arriving == none_arriving) {
      set_rate(first, std::min(ranks_[first].cap, static_cast<std::uint64_t>(residual)), now);
      return;
    }
    ++cost_.solves;
    together_.clear();
    for (std::uint32_t r = first; r != none_arriving; r = ranks_[r].next_arriving) together_.push_back(r);
    std::sort(together_.begin(), together_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return ranks_[a].cap < ranks_[b].cap; });
    std::uint64_t count = together_.size();
    for (const std::uint32_t r : together_) {
      // residual / count <= cap: all that are left freeze at the link's share, rounded down.
      const bool by_link = residual <= u128{ranks_[r].cap} * count;
      const std::uint64_t rate = by_link ? static_cast<std::uint64_t>(residual / count) : ranks_[r].cap;
      set_rate(r, rate, now);
      if (by_link) continue;
      residual -= rate;
      --count;
    }
  }

  // The receivers and trunks that messages join to these, all at once.
  void share_joined(std::uint32_t receiver, std::uint32_t trunk, std::int64_t now) {
    ++cost_.solves;
    joined_receivers_.clear();
    joined_trunks_.clear();
    local_capacity_.clear();
    together_.clear();
    if (receiver != none_arriving) join_receiver(receiver);
    if (trunk != none_arriving) join_trunk(trunk);
    for (std::size_t i = 0, j = 0; i < joined_receivers_.size() || j < joined_trunks_.size();) {
      if (i < joined_receivers_.size()) {
        for (std::uint32_t r = receivers_[joined_receivers_[i++]].first_arriving; r != none_arriving;
             r = ranks_[r].next_arriving) {
          together_.push_back(r);  // each message has one receiver
          for (const std::uint32_t t : network_.ways[ranks_[r].way].trunks) join_trunk(t);
        }
      } else {
        for (const std::uint32_t r : on_trunk_[joined_trunks_[j++]]) join_receiver(ranks_[r].to);
      }
    }
    local_first_.assign(1, 0);
    local_crossings_.clear();
    local_caps_.clear();
    for (const std::uint32_t r : together_) {
      local_crossings_.push_back({receiver_local_[ranks_[r].to], 1});
      for (const std::uint32_t t : network_.ways[ranks_[r].way].trunks)
        local_crossings_.push_back({trunk_local_[t], 1});
      local_first_.push_back(static_cast<std::uint32_t>(local_crossings_.size()));
      local_caps_.push_back(Rate{ranks_[r].cap});
    }
    local_rates_.resize(together_.size());
    fair_share_.solve({local_capacity_, local_first_, local_crossings_, local_caps_}, local_rates_);
    for (std::size_t i = 0; i < together_.size(); ++i) set_rate(together_[i], local_rates_[i].q20, now);
  }

  void join_receiver(std::uint32_t receiver) {
    if (receiver_epoch_[receiver] == epoch_) return;
    receiver_epoch_[receiver] = epoch_;
    receiver_local_[receiver] = static_cast<std::uint32_t>(local_capacity_.size());
    local_capacity_.push_back(network_.arrivals[receiver]);
    joined_receivers_.push_back(receiver);
  }

  void join_trunk(std::uint32_t trunk) {
    if (trunk_epoch_[trunk] == epoch_) return;
    trunk_epoch_[trunk] = epoch_;
    trunk_local_[trunk] = static_cast<std::uint32_t>(local_capacity_.size());
    local_capacity_.push_back(network_.trunks[trunk]);
    joined_trunks_.push_back(trunk);
  }

  void set_rate(std::uint32_t r, std::uint64_t rate, std::int64_t now) {
    Rank& rank = ranks_[r];
    if (rank.rate == rate) return;
    TAHOMA_ASSERT(rate > 0, "a flow without a rate");
    std::int64_t left;
    if (rank.fresh && rate == network_.ways[rank.way].solo) {
      std::int64_t& alone = alone_[rank.level * network_.ways.size() + rank.way];
      if (alone == 0) alone = time_left(rank.remaining, rate);
      left = alone;
    } else {
      rank.remaining -= u128{rank.rate} * static_cast<std::uint64_t>(now - rank.since);
      left = time_left(rank.remaining, rate);
    }
    rank.fresh = false;
    rank.since = now;
    rank.rate = rate;
    TAHOMA_ASSERT(left <= Earliest::never - now - 1, "a finish past the end of the clock (106 days)");
    earliest_.set(r, now + left);
  }

  // time_to_move with one division instead of two.
  static std::int64_t time_left(u128 work, std::uint64_t rate) {
    const u128 whole = work / rate;
    const u128 left = whole + (whole * rate != work ? 1 : 0);
    constexpr u128 most = static_cast<u128>(Earliest::never);
    return static_cast<std::int64_t>(std::min(left, most));
  }

  const ExchangeProgram& program_;
  const ExchangeNetwork& network_;
  const std::int64_t overhead_;
  std::span<Time> finish_;
  std::vector<std::int64_t>& arrival_;  // [level x ranks + receiver]
  StarCost& cost_;
  Earliest earliest_;
  std::vector<Rank> ranks_;
  std::vector<Receiver> receivers_;
  std::vector<std::uint32_t> disturbed_;
  std::vector<u128> work_;           // by level
  std::vector<std::int64_t> alone_;  // [level x ways + way]; 0: not yet known
  std::vector<std::uint32_t> together_;

  // Only where there are trunks:
  std::vector<std::vector<std::uint32_t>> on_trunk_;
  std::vector<std::uint8_t> trunk_disturbed_;
  std::vector<std::uint32_t> disturbed_trunks_, joined_receivers_, joined_trunks_;
  std::vector<std::uint32_t> receiver_epoch_, trunk_epoch_, receiver_local_, trunk_local_;
  std::uint32_t epoch_ = 0;
  FairShare fair_share_;
  std::vector<Capacity> local_capacity_;
  std::vector<std::uint32_t> local_first_;
  std::vector<Crossing> local_crossings_;
  std::vector<Rate> local_caps_, local_rates_;
};

}  // namespace

void simulate_star(const ExchangeProgram& program, const ExchangeNetwork& network, Duration overhead,
                   std::span<const Time> ready, std::span<Time> finish, std::vector<std::int64_t>& arrival,
                   StarCost& cost) {
  Star(program, network, overhead, finish, arrival, cost).run(ready);
}

}  // namespace tahoma
