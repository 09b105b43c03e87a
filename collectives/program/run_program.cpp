#include "collectives/program/run_program.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "core/errors.h"
#include "core/event_queue.h"
#include "core/flow_network.h"

namespace tahoma {

namespace {

using Kind = RankProgram::Kind;
constexpr std::uint32_t no_op = RankProgram::none;

class ProgramEngine {
 public:
  ProgramEngine(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                std::span<const Axis> axes, const ProgramNetwork& paths)
      : program_(program),
        problem_(problem),
        axes_(axes),
        paths_(paths),
        network_(paths_.instance.binding_capacity, paths_.instance.crossing, paths_.instance.paths.size()) {
    for (const Instance::Path& path : paths_.instance.paths) {
      const bool slower = program.send_rate.q20 != 0 && (path.cap.q20 == 0 || program.send_rate < path.cap);
      network_.add_path(path.first_crossing, path.crossings, slower ? program.send_rate : path.cap);
    }
    const std::size_t n = program.ops.size();
    states_.resize(n);
    run_.begun.assign(n, Time::never());
    run_.done.assign(n, Time::never());
    servers_.resize(program.servers);
    reducer_free_.assign(program.ranks, Time{});
    held_until_.assign(program.ranks, Time{} + program.launch);
    for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
      for (const ChipDelay& delay : problem.delays) {
        if (delay.chip == chips[rank]) held_until_[rank] = Time{} + program.launch + delay.delay;
      }
    }
    link_successors();
  }

  ProgramRun run() {
    for (std::uint32_t op = 0; op < program_.ops.size(); ++op) {
      if (states_[op].needs_left == 0) ready_.push_back(op);
    }
    Time now{};
    do {
      for (bool again = true; again;) {
        again = happen_at(now);
        again = serve(now) || again;
      }
      network_.settle(now);
      const Time next = std::min(network_.next_finish(), queue_.next());
      TAHOMA_ASSERT(next >= now, "time went back");
      now = next;
    } while (now != Time::never());
    finish();
    return std::move(run_);
  }

 private:
  enum class Happening : std::uint32_t { computed, released, enters, delivered, reduced };
  struct Occurrence {
    Happening what;
    std::uint32_t op;
  };
  struct State {
    std::uint32_t needs_left = 0;
    std::uint8_t ways = 0;
    bool arrived = false, waiting = false;  // of a receive: the message is there; its needs are done
    Time delivery;                          // of a send
  };
  struct Waiting {
    Time since;
    std::uint32_t op;
    auto operator<=>(const Waiting&) const = default;
  };
  struct Server {
    bool busy = false, marked = false;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  };

  void link_successors() {
    const std::size_t n = program_.ops.size();
    first_successor_.assign(n + 2, 0);
    for (const std::uint32_t need : program_.needs) ++first_successor_[need + 2];
    for (std::size_t i = 2; i < n + 2; ++i) first_successor_[i] += first_successor_[i - 1];
    successors_.resize(program_.needs.size());
    for (std::uint32_t op = 0; op < n; ++op) {
      const bool some = program_.ops[op].kind == Kind::some;
      states_[op].needs_left =
          static_cast<std::uint32_t>(some ? program_.ops[op].amount : program_.needs_of(op).size());
      for (const std::uint32_t need : program_.needs_of(op)) successors_[first_successor_[need + 1]++] = op;
    }
  }

  // Everything of this instant that needs no choice; false if there was nothing.
  bool happen_at(Time now) {
    bool any = false;
    for (bool again = true; again;) {
      again = !ready_.empty();
      while (!ready_.empty()) {
        const std::uint32_t op = ready_.back();
        ready_.pop_back();
        begin(op, now);
      }
      std::uint32_t owner;
      while (network_.pop_finished(now, owner)) {
        again = true;
        ++run_.events;
        way_drained(owner >> 1, owner & 1, now);
      }
      while (queue_.next() == now) {
        again = true;
        ++run_.events;
        happen(queue_.pop().payload, now);
      }
      any = any || again;
    }
    return any;
  }

  void happen(const Occurrence& occurrence, Time now) {
    switch (occurrence.what) {
      case Happening::computed: {
        const std::uint32_t server = program_.ops[occurrence.op].server;
        if (server != no_op) {
          servers_[server].busy = false;
          mark(server);
        }
        done(occurrence.op, now);
        break;
      }
      case Happening::released:
        start_send(occurrence.op, now);
        break;
      case Happening::enters:
        enter(occurrence.op, now);
        break;
      case Happening::delivered:
        deliver(occurrence.op, now);
        break;
      case Happening::reduced:
        done(occurrence.op, now);
        break;
    }
  }

  void begin(std::uint32_t number, Time now) {
    const RankProgram::Op& op = program_.ops[number];
    run_.begun[number] = now;
    switch (op.kind) {
      case Kind::compute:
        if (op.server != no_op) {
          servers_[op.server].waiting.push({now, number});
          mark(op.server);
        } else {
          compute(number, now);
        }
        break;
      case Kind::send:
        if (now < held_until_[op.rank]) {
          queue_.push(held_until_[op.rank], {Happening::released, number});
        } else {
          start_send(number, now);
        }
        break;
      case Kind::receive:
        states_[number].waiting = true;
        if (states_[number].arrived) take(number, now);
        break;
      case Kind::reduce:
        take(number, now);
        break;
      case Kind::some:
        done(number, now);
        break;
    }
  }

  void compute(std::uint32_t number, Time now) {
    run_.begun[number] = now;
    const auto lasts = static_cast<std::int64_t>(program_.ops[number].amount);
    if (lasts == 0 && program_.ops[number].server == no_op) {
      done(number, now);
    } else {
      queue_.push(now + Duration{lasts}, {Happening::computed, number});
    }
  }

  void start_send(std::uint32_t number, Time now) {
    run_.begun[number] = now;
    ++run_.messages;
    if (problem_.overhead.ps > 0) {
      queue_.push(now + problem_.overhead, {Happening::enters, number});
    } else {
      enter(number, now);
    }
  }

  // Two ways share the bytes, ceil and floor; a way without bytes does not exist.
  void enter(std::uint32_t number, Time now) {
    State& state = states_[number];
    const auto [path, ways] = paths_.of_op[number];
    const std::uint64_t bytes = program_.ops[number].amount;
    const std::uint64_t second = ways == 2 ? bytes / 2 : 0;
    const std::uint64_t share[2] = {bytes - second, second};
    state.delivery = now;
    for (std::uint32_t way = 0; way < 2; ++way) {
      if (share[way] == 0) continue;
      ++state.ways;
      network_.start(path + way, Bytes{share[way]}, number * 2 + way, now);
    }
    if (bytes == 0) {
      state.delivery = now + paths_.instance.latency[path];
      drained(number, now);
    }
  }

  void way_drained(std::uint32_t number, std::uint32_t way, Time now) {
    State& state = states_[number];
    state.delivery = std::max(state.delivery, now + paths_.instance.latency[paths_.of_op[number].path + way]);
    if (--state.ways == 0) drained(number, now);
  }

  void drained(std::uint32_t number, Time now) {
    const std::uint32_t receive = program_.ops[number].partner;
    if (states_[number].delivery > now) {
      queue_.push(states_[number].delivery, {Happening::delivered, receive});
    } else {
      deliver(receive, now);
    }
    done(number, now);
  }

  void deliver(std::uint32_t receive, Time now) {
    states_[receive].arrived = true;
    if (states_[receive].waiting) take(receive, now);
  }

  void take(std::uint32_t number, Time now) {
    const RankProgram::Op& op = program_.ops[number];
    const bool costs = problem_.reduction_rate.q20 != 0 && (op.adds || op.kind == Kind::reduce);
    if (costs) {
      arrivals_.push_back(number);
    } else {
      done(number, now);
    }
  }

  void done(std::uint32_t number, Time now) {
    run_.done[number] = now;
    ++done_;
    for (std::uint64_t s = first_successor_[number]; s < first_successor_[number + 1]; ++s) {
      std::uint32_t& left = states_[successors_[s]].needs_left;
      if (left > 0 && --left == 0) ready_.push_back(successors_[s]);
    }
  }

  void mark(std::uint32_t server) {
    if (!servers_[server].marked) marked_.push_back(server);
    servers_[server].marked = true;
  }

  // Choices between those that became ready by now; false if there was none to make.
  bool serve(Time now) {
    bool any = !arrivals_.empty();
    serve_arrivals(now);
    const std::vector<std::uint32_t> marked = std::move(marked_);
    marked_.clear();
    for (const std::uint32_t number : marked) {
      Server& server = servers_[number];
      server.marked = false;
      if (server.busy || server.waiting.empty()) continue;
      const std::uint32_t op = server.waiting.top().op;
      server.waiting.pop();
      server.busy = true;
      compute(op, now);
      any = true;
    }
    return any;
  }

  // How far the source is from the receiver, axis by axis, the innermost counting least.
  std::uint32_t relative_source(const RankProgram::Op& op) const {
    if (op.peer == no_op) return 0;
    std::uint32_t relative = 0, stride = 1;
    for (const Axis& axis : axes_) {
      relative +=
          (op.peer / stride % axis.size + axis.size - op.rank / stride % axis.size) % axis.size * stride;
      stride *= axis.size;
    }
    return axes_.empty() ? (op.peer + program_.ranks - op.rank) % program_.ranks : relative;
  }

  void serve_arrivals(Time now) {
    const auto key = [&](std::uint32_t number) {
      const RankProgram::Op& op = program_.ops[number];
      return std::tuple(relative_source(op), op.channel, number);
    };
    std::sort(arrivals_.begin(), arrivals_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (const std::uint32_t number : arrivals_) {
      const RankProgram::Op& op = program_.ops[number];
      Time& free = reducer_free_[op.rank];
      free =
          std::max(free, now) + time_to_move(work_of(Bytes{op.amount}),
                                             Rate{static_cast<std::uint64_t>(problem_.reduction_rate.q20)});
      queue_.push(free, {Happening::reduced, number});
    }
    arrivals_.clear();
  }

  void finish() {
    TAHOMA_ASSERT(done_ == program_.ops.size(), "a program with an order did not finish");
    run_.rank_finish.assign(program_.ranks, Time{});
    Time last{};
    const Instance& in = paths_.instance;
    std::vector<std::uint64_t> carried(in.links.size(), 0);
    const auto carry = [&](std::uint32_t path, std::uint64_t bytes) {
      for (std::uint32_t i = in.paths[path].first; i < in.paths[path].first + in.paths[path].count; ++i)
        carried[in.path_links[i]] += bytes * in.path_multiplicity[i];
    };
    for (std::uint32_t number = 0; number < program_.ops.size(); ++number) {
      const RankProgram::Op& op = program_.ops[number];
      run_.rank_finish[op.rank] = std::max(run_.rank_finish[op.rank], run_.done[number]);
      last = std::max(last, run_.done[number]);
      if (op.kind != Kind::send) continue;
      const auto [path, ways] = paths_.of_op[number];
      const std::uint64_t second = ways == 2 ? op.amount / 2 : 0;
      carry(path, op.amount - second);
      if (second > 0) carry(path + 1, second);
    }
    for (std::size_t l = 0; l < in.links.size(); ++l) {
      if (is_memory(in.links[l].id)) continue;
      TAHOMA_ASSERT(work_of(Bytes{carried[l]}).units <= in.links[l].capacity.q20 * static_cast<u128>(last.ps),
                    "a link carried more than it can");
      run_.links.push_back({in.links[l].id, in.links[l].orbit, carried[l], in.links[l].capacity});
    }
    run_.solves = network_.solves();
  }

  const RankProgram& program_;
  const Problem& problem_;
  std::span<const Axis> axes_;
  const ProgramNetwork& paths_;
  FlowNetwork network_;
  EventQueue<Occurrence> queue_;
  std::vector<State> states_;
  std::vector<std::uint64_t>
      first_successor_;  // of op i: successors_[first_successor_[i]] up to that of i + 1
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> ready_, arrivals_, marked_;
  std::vector<Server> servers_;
  std::vector<Time> reducer_free_, held_until_;
  std::uint64_t done_ = 0;
  ProgramRun run_;
};

}  // namespace

ProgramRun run_program(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                       std::span<const Axis> axes) {
  TAHOMA_ASSERT(chips.size() == program.ranks, "a program with other ranks than chips");
  return run_program(program, problem, chips, axes, network_of(program, problem, chips));
}

ProgramRun run_program(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                       std::span<const Axis> axes, const ProgramNetwork& network) {
  TAHOMA_ASSERT(network.of_op.size() == program.ops.size(), "paths of another program");
  return ProgramEngine(program, problem, chips, axes, network).run();
}

}  // namespace tahoma
