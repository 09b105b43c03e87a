#include "tests/support/judge.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "tests/support/judge_hops.h"
#include "tests/support/judge_program.h"

namespace tahoma::judge {

namespace {

class Trial {
 public:
  Trial(const Question& question, Arithmetic arithmetic)
      : question_(question),
        arithmetic_(arithmetic),
        fluid_(arithmetic),
        program_(list_messages(question.jobs)),
        finish_(program_.members.size()),
        progress_(program_.messages.size()),
        lanes_(program_.lanes.size()),
        begun_(program_.stages.size(), false) {}

  Answer run() {
    answer_.delivered.resize(question_.flows.size());
    for (std::size_t member = 0; member < program_.members.size(); ++member) {
      finish_[member] = job_of(member).start.ps;
      at(may_send_from(member), [] {});  // wakes the lanes of a straggler
    }
    for (const std::size_t stage : program_.first_stages) {
      at(job_of(program_.stages[stage].member).start.ps, [this, stage] { begin(stage); });
    }
    for (std::size_t flow = 0; flow < question_.flows.size(); ++flow) {
      at(question_.flows[flow].start.ps, [this, flow] { enter_plain(flow); });
    }
    while (const std::optional<Number> next = next_instant()) pass_instant(*next);
    refuse_if_stuck();
    collect();
    return std::move(answer_);
  }

 private:
  struct Progress {
    std::size_t to_drain = 0, to_deliver = 0;  // ways
  };
  struct LaneState {
    std::size_t sent = 0;  // messages begun
    bool busy = false;
  };
  struct Reducer {
    // Arrived and not begun: (arrival, precedence) -> message.
    std::map<std::pair<Number, Precedence>, std::size_t> queue;
    bool busy = false;
  };
  struct Way {
    std::function<void()> drained;
  };

  const Job& job_of(std::size_t member) const { return question_.jobs[program_.members[member].job]; }

  Number may_send_from(std::size_t member) const {
    const Job& job = job_of(member);
    const auto delay = job.delays.find(program_.members[member].chip);
    return Number{job.start.ps} + (delay == job.delays.end() ? 0 : delay->second.ps);
  }

  // ---- time
  // ------------------------------------------------------------------------------------------------
  void at(const Number& time, std::function<void()> action) { timers_.emplace(time, std::move(action)); }

  std::optional<Number> next_instant() const {
    std::optional<Number> next = fluid_.next_drain();
    if (!timers_.empty() && (!next || timers_.begin()->first < *next)) next = timers_.begin()->first;
    return next;
  }

  // All that happens at `now`, then one new sharing. Reducers choose last, when all arrivals are there.
  void pass_instant(const Number& now) {
    for (const std::size_t flow : fluid_.advance(now)) {
      const auto way = ways_.find(flow);
      way->second.drained();
      ways_.erase(way);
    }
    do {
      do {
        run_timers(now);
      } while (begin_sends());
      begin_reductions();
    } while (!timers_.empty() && timers_.begin()->first == now);
    open_doors();
    fluid_.share_out();
  }

  void run_timers(const Number& now) {
    while (!timers_.empty() && timers_.begin()->first == now) {
      const std::function<void()> action = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      action();
    }
  }

  // ---- phases and lanes
  // ------------------------------------------------------------------------------------
  void begin(std::size_t stage) {
    begun_[stage] = true;
    pass_on(stage);
  }

  void pass_on(std::size_t stage) {
    const Stage& done = program_.stages[stage];
    if (begun_[stage] && done.outstanding == 0 && done.next != Stage::none) begin(done.next);
  }

  void settle_one(std::size_t stage) {
    Number& finish = finish_[program_.stages[stage].member];
    finish = std::max(finish, fluid_.now());
    --program_.stages[stage].outstanding;
    pass_on(stage);
  }

  bool may_begin(const Message& message) const {
    const Stage& stage = program_.stages[message.from_stage];
    if (!begun_[message.from_stage] || fluid_.now() < may_send_from(message.from)) return false;
    return std::all_of(message.needs.begin(), message.needs.end(),
                       [&](const Need& need) { return received(stage, need.tag) >= need.count; });
  }

  static std::uint64_t received(const Stage& stage, std::uint16_t tag) {
    const auto entry = stage.received.find(tag);
    return entry == stage.received.end() ? 0 : entry->second;
  }

  bool begin_sends() {
    bool any = false;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      LaneState& state = lanes_[lane];
      const std::vector<std::size_t>& queue = program_.lanes[lane].messages;
      if (state.busy || state.sent == queue.size()) continue;
      const std::size_t message = queue[state.sent];
      if (!may_begin(program_.messages[message])) continue;
      any = true;
      ++state.sent;
      state.busy = true;
      const Duration overhead = job_of(program_.messages[message].from).overhead;
      at(fluid_.now() + overhead.ps, [this, lane, message] { enter(lane, message); });
    }
    return any;
  }

  // ---- messages
  // --------------------------------------------------------------------------------------------
  void enter(std::size_t lane, std::size_t number) {
    const Message& message = program_.messages[number];
    const bool eager = job_of(message.from).rule == LaneRule::eager;
    if (eager) lanes_[lane].busy = false;
    const auto drained = [this, lane, number, eager] {
      if (!eager) lanes_[lane].busy = false;
      settle_one(program_.messages[number].from_stage);
    };

    Route route;
    question_.topology->route(message.route_from, message.route_to, message.route_lane, route);
    for (Path& path : route.path) add_own_costs(message, path);
    const std::uint64_t half = message.bytes / 2;
    std::vector<std::pair<Path, std::uint64_t>> ways = {{route.path[0], message.bytes}};
    if (route.ways == 2 && half > 0) ways = {{route.path[0], message.bytes - half}, {route.path[1], half}};

    progress_[number] = {ways.size(), ways.size()};
    if (question_.topology->stores_somewhere() && message.bytes > 0) {
      for (std::size_t way = 0; way < ways.size(); ++way) {
        const auto left = [this, number, drained] {
          if (--progress_[number].to_drain == 0) drained();
        };
        const auto arrived = [this, number] {
          if (--progress_[number].to_deliver == 0) arrive(number);
        };
        go_on(std::make_shared<Journey>(Journey{stretches(ways[way].first),
                                                ways[way].second,
                                                message.route_from,
                                                message.precedence,
                                                {way, number},
                                                left,
                                                arrived}));
      }
      return;
    }
    for (const auto& [path, bytes] : ways) {
      send_way(path, bytes, [this, number, drained, latency = path.latency] {
        if (--progress_[number].to_drain == 0) drained();
        at(fluid_.now() + latency.ps, [this, number] {
          if (--progress_[number].to_deliver == 0) arrive(number);
        });
      });
    }
  }

  void add_own_costs(const Message& message, Path& path) {
    if (path.links.empty()) return;
    if (message.leg != Leg::whole) {
      const std::size_t half = path.links.size() / 2;
      std::vector<LinkId> leg;
      for (std::size_t i = 0; i < half; ++i)
        leg.push_back(path.links[message.leg == Leg::up ? i : path.links.size() - half + i]);
      path.links = leg;
      path.latency = {};
      for (const LinkId link : leg) path.latency += question_.topology->latency(link);
    }
    const Job& job = job_of(message.to);
    if (message.paired_ranks)
      path.latency += (job.overhead + question_.topology->latency(path.links[0])) *
                      (std::max(2u, job.chip_ranks) / 2 - 1);
    if (job.memory_rate.q20 == 0 || message.leg == Leg::up) return;
    const bool pairs = message.paired_ranks && job.chip_ranks % 2 == 0;
    const std::uint32_t of_two = message.op == Op::copy ? (pairs ? 3 : 4) : (pairs ? 4 : 6);
    const ChipId on_chip = message.route_to % question_.topology->ranks_per_chip();
    const LinkId memory{memory_number - (message.route_to - on_chip)};
    memories_[memory] = job.memory_rate;
    path.links.insert(path.links.end(), of_two * job.chip_ranks / 2, memory);
  }

  void send_way(const Path& path, std::uint64_t bytes, std::function<void()> drained) {
    for (const LinkId link : path.links)
      if (memories_.count(link) == 0) answer_.link_bytes[link] += bytes;
    if (bytes == 0) return drained();
    std::vector<std::size_t> links;
    for (const LinkId link : path.links) links.push_back(fluid_link(link));
    if (path.cap.q20 > 0) links.push_back(fluid_.add_link(Number{path.cap.q20}));
    ways_[fluid_.start_flow(std::move(links), bytes)] = {std::move(drained)};
  }

  // ---- links that store and forward
  // ------------------------------------------------------------------------
  bool stores(LinkId link) const { return memories_.count(link) == 0 && question_.topology->stores(link); }

  std::deque<Path> stretches(const Path& path) const {
    std::size_t memories = 0;
    for (const LinkId link : path.links) memories += memories_.count(link);
    return stretches_of(path, memories, *question_.topology);
  }

  void go_on(const std::shared_ptr<Journey>& journey) {
    const LinkId link = journey->stretches.front().links[0];
    if (!stores(link)) return cross(journey);
    const Precedence precedence = seen_from(link, *journey, *question_.topology);
    doors_[link].queue[{fluid_.now(), precedence, journey->last_word}] = journey;
  }

  void open_doors() {
    for (auto& [link, door] : doors_) {
      if (door.busy || door.queue.empty()) continue;
      door.busy = true;
      const std::shared_ptr<Journey> first = door.queue.begin()->second;
      door.queue.erase(door.queue.begin());
      cross(first);
    }
  }

  void cross(const std::shared_ptr<Journey>& journey) {
    const Path stretch = journey->stretches.front();
    journey->stretches.pop_front();
    send_way(stretch, journey->bytes, [this, journey, stretch] {
      if (stores(stretch.links[0])) doors_[stretch.links[0]].busy = false;
      if (journey->left) journey->left();
      journey->left = nullptr;
      at(fluid_.now() + stretch.latency.ps, [this, journey] {
        if (journey->stretches.empty()) return journey->arrived();
        go_on(journey);
      });
    });
  }

  std::size_t fluid_link(LinkId link) {
    const auto known = links_.find(link);
    if (known != links_.end()) return known->second;
    if (const auto memory = memories_.find(link); memory != memories_.end())
      return links_[link] = fluid_.add_link(Number{integer_of(memory->second.q20)});
    const auto given = question_.capacities.find(link);
    const Capacity capacity =
        given != question_.capacities.end() ? given->second : question_.topology->capacity(link);
    return links_[link] = fluid_.add_link(Number{integer_of(capacity.q20)});
  }

  void arrive(std::size_t number) {
    const Message& message = program_.messages[number];
    if (message.op == Op::copy || job_of(message.to).reduction_rate.q20 == 0) return receive(number);
    const ChipId chip = program_.members[message.to].chip;
    reducers_[chip].queue[{fluid_.now(), message.precedence}] = number;
  }

  void begin_reductions() {
    for (auto& [chip, reducer] : reducers_) {
      if (reducer.busy || reducer.queue.empty()) continue;
      const std::size_t number = reducer.queue.begin()->second;
      reducer.queue.erase(reducer.queue.begin());
      reducer.busy = true;
      at(fluid_.now() + reduction_time(number), [this, number, &reducer = reducer] {
        reducer.busy = false;
        receive(number);
      });
    }
  }

  Number reduction_time(std::size_t number) const {
    const Message& message = program_.messages[number];
    const Integer work = Integer{message.bytes} * 1'000'000'000'000ULL * 1'048'576;
    const Number time = Number{work} / Number{integer_of(job_of(message.to).reduction_rate.q20)};
    return arithmetic_ == Arithmetic::rounded ? Number{ceil_of(time)} : time;
  }

  void receive(std::size_t number) {
    const Message& message = program_.messages[number];
    ++program_.stages[message.to_stage].received[message.tag];
    settle_one(message.to_stage);
  }

  void enter_plain(std::size_t number) {
    const PlainFlow& flow = question_.flows[number];
    send_way(flow.path, flow.bytes.count, [this, number, latency = flow.path.latency] {
      answer_.delivered[number] = fluid_.now() + latency.ps;
    });
  }

  // ---- the end
  // ---------------------------------------------------------------------------------------------
  void refuse_if_stuck() const {
    std::string who;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const std::vector<std::size_t>& queue = program_.lanes[lane].messages;
      if (lanes_[lane].sent == queue.size()) continue;
      const Message& message = program_.messages[queue[lanes_[lane].sent]];
      const Stage& stage = program_.stages[message.from_stage];
      who += name_of(program_.members[message.from]) + ", channel " + std::to_string(message.route_lane);
      if (!begun_[message.from_stage]) who += " waits for its phase to begin";
      for (const Need& need : message.needs) {
        if (received(stage, need.tag) >= need.count) continue;
        who += " waits for " + std::to_string(need.count) + " of tag " + std::to_string(need.tag) + ", has " +
               std::to_string(received(stage, need.tag));
      }
      who += "\n";
    }
    if (!who.empty()) throw Deadlock(who);
    if (!ways_.empty()) throw Deadlock(std::to_string(ways_.size()) + " flows have no rate\n");
  }

  void collect() {
    for (const auto& job : program_.member_of) {
      auto& groups = answer_.rank_finish.emplace_back();
      for (const auto& group : job) {
        auto& finishes = groups.emplace_back();
        for (const std::size_t member : group) finishes.push_back(finish_[member]);
      }
    }
  }

  const Question& question_;
  Arithmetic arithmetic_;
  Fluid fluid_;
  Program program_;
  Answer answer_;
  std::vector<Number> finish_;  // of members
  std::vector<Progress> progress_;
  std::vector<LaneState> lanes_;
  std::vector<bool> begun_;  // stages
  std::map<ChipId, Reducer> reducers_;
  std::map<LinkId, std::size_t> links_;
  static constexpr std::uint64_t memory_number = ~std::uint64_t{0};
  std::map<LinkId, Capacity> memories_;
  std::map<LinkId, Door> doors_;
  std::map<std::size_t, Way> ways_;  // flows in flight
  std::multimap<Number, std::function<void()>> timers_;
};

}  // namespace

Answer judge(const Question& question, Arithmetic arithmetic) {
  return Trial(question, arithmetic).run();
}

std::int64_t picoseconds(const Number& time) {
  if (boost::multiprecision::denominator(time) != 1) throw std::domain_error("a time between picoseconds");
  return static_cast<std::int64_t>(boost::multiprecision::numerator(time));
}

}  // namespace tahoma::judge
