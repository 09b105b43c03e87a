#include "collectives/solve/uncontended.h"

#include <algorithm>
#include <map>

#include "core/errors.h"

namespace tahoma {

namespace {
constexpr std::uint32_t nothing = ~0u;
}

// Runs the program without a clock, in any order that its waits allow, and writes that order down.
class Compiler {
 public:
  explicit Compiler(const Instance& in) : in_(in) {}

  std::optional<Uncontended> compile() {
    if (in_.programs.size() != 1 || !in_.flows.empty() || in_.reduction_rate.q20 != 0) return std::nullopt;
    if (in_.programs[0].rule != LaneRule::fifo) return std::nullopt;
    if (!classify_counters()) return std::nullopt;
    out_.overhead_ = in_.overhead.ps;
    out_.lanes_ = static_cast<std::uint32_t>(in_.lanes.size());
    out_.stages_ = static_cast<std::uint32_t>(in_.stages.size());
    out_.nodes_ = static_cast<std::uint32_t>(in_.nodes.size());
    run();
    if (finished_lanes_ != in_.lanes.size()) return std::nullopt;  // deadlock: the engine names it
    find_shared_links();
    return std::move(out_);
  }

 private:
  struct LaneAt {
    std::uint32_t send = 0, rep = 0, next_watcher = nothing;
    bool watching = false;
  };
  struct Counted {
    std::uint32_t only_lane = nothing;  // all its messages come from this lane, in order
    bool many = false;
    std::uint32_t total = 0, seen = 0;
    std::vector<std::uint32_t> messages;
    std::uint32_t threshold = nothing, watcher = nothing;
  };

  bool classify_counters() {
    counters_.resize(in_.counters);
    for (std::uint32_t l = 0; l < in_.lanes.size(); ++l) {
      const Instance::Lane& lane = in_.lanes[l];
      for (std::uint32_t k = 0; k < lane.sends; ++k) {
        const Instance::SendRow& row = in_.sends[lane.send(k)];
        Counted& c = counters_[in_.shape(row).counter + row.target];
        c.many |= c.only_lane != nothing && c.only_lane != l;
        c.only_lane = l;
        c.total += in_.shape(row).reps;
      }
    }
    // A wait for some, but not all, of several lanes' messages depends on who comes first.
    for (const Instance::Lane& lane : in_.lanes) {
      for (std::uint32_t k = 0; k < lane.sends; ++k) {
        const Instance::SendShape& shape = in_.shape(in_.sends[lane.send(k)]);
        if (shape.bytes == 0) return false;
        for (std::uint32_t w = 0; w < shape.waits; ++w) {
          const Instance::WaitRow& wait = in_.wait(shape, w);
          const Counted& c = counters_[wait.counter + lane.node];
          const bool all = wait.count >= c.total && wait.per_rep == 0;
          if (c.many && !all && wait.count + wait.per_rep * (shape.reps - 1) > 0) return false;
        }
      }
    }
    return true;
  }

  void run() {
    lanes_.resize(in_.lanes.size());
    left_.resize(in_.stages.size());
    open_.assign(in_.stages.size(), 0);
    for (std::size_t s = 0; s < in_.stages.size(); ++s) left_[s] = in_.stages[s].expected;
    for (std::uint32_t n = 0; n < in_.nodes.size(); ++n) {
      const Instance::Node& node = in_.nodes[n];
      for (std::uint32_t i = 0; i < node.opens; ++i) {
        out_.first_stages_.push_back(node.stage(i * node.phases));
        out_.node_of_first_.push_back(n);
        out_.last_stages_.push_back(node.stage(i * node.phases + node.phases - 1));
        out_.node_of_last_.push_back(n);
        open(node.stage(i * node.phases));
      }
    }
    // First in, first out: messages come out roughly in the order of their times, which keeps the pass local.
    for (std::size_t next = 0; next < work_.size(); ++next) {
      advance(work_[next]);
      if (next > 65536 && next * 2 > work_.size()) {
        work_.erase(work_.begin(), work_.begin() + static_cast<std::ptrdiff_t>(next));
        next = 0;
      }
    }
    for (std::uint32_t l = 0; l < in_.lanes.size(); ++l)
      finished_lanes_ += lanes_[l].send == in_.lanes[l].sends;
  }

  void open(std::uint32_t stage) {
    for (;;) {
      open_[stage] = 1;
      const Instance::Stage& s = in_.stages[stage];
      for (std::uint32_t lane = s.first_lane; lane < s.first_lane + s.lanes; ++lane) work_.push_back(lane);
      if (left_[stage] != 0 || s.next == Instance::no_stage) return;
      out_.operations_.push_back({Uncontended::opens, s.next, stage, 0, 0, 0, 0});
      stage = s.next;
    }
  }

  void count_down(std::uint32_t stage) {
    if (--left_[stage] != 0 || open_[stage] == 0) return;
    const std::uint32_t next = in_.stages[stage].next;
    if (next == Instance::no_stage) return;
    out_.operations_.push_back({Uncontended::opens, next, stage, 0, 0, 0, 0});
    open(next);
  }

  // One message of a lane, if it can go; the lane queues up again for its next one.
  void advance(std::uint32_t l) {
    LaneAt& at = lanes_[l];
    const Instance::Lane& lane = in_.lanes[l];
    if (at.watching || at.send == lane.sends) return;
    const std::uint32_t s = lane.send(at.send);
    const Instance::SendRow& row = in_.sends[s];
    const Instance::SendShape& shape = in_.shape(row);
    if (open_[shape.stage + lane.node] == 0) return;
    for (std::uint32_t w = 0; w < shape.waits; ++w) {
      const Instance::WaitRow& wait = in_.wait(shape, w);
      const std::uint32_t needed = wait.count + wait.per_rep * at.rep;
      Counted& c = counters_[wait.counter + lane.node];
      if (c.seen >= needed) continue;
      c.threshold = std::min(c.threshold, needed);
      at.next_watcher = c.watcher;
      at.watching = true;
      c.watcher = l;
      return;
    }
    emit(l, s, row);
    work_.push_back(l);
  }

  void emit(std::uint32_t l, std::uint32_t s, const Instance::SendRow& row) {
    LaneAt& at = lanes_[l];
    const Instance::SendShape& shape = in_.shape(row);
    const std::uint32_t node = in_.lanes[l].node;
    const auto message = static_cast<std::uint32_t>(out_.operations_.size());
    Uncontended::Operation op{l,
                              shape.stage + node,
                              shape.stage + row.target,
                              static_cast<std::uint32_t>(out_.inputs_.size()),
                              0,
                              0,
                              0};
    for (std::uint32_t w = 0; w < shape.waits; ++w) {
      const Instance::WaitRow& wait = in_.wait(shape, w);
      const std::uint32_t needed = wait.count + wait.per_rep * at.rep;
      const Counted& c = counters_[wait.counter + node];
      if (needed == 0) continue;
      if (c.many) {
        out_.inputs_.insert(out_.inputs_.end(), c.messages.begin(), c.messages.end());
      } else {
        out_.inputs_.push_back(c.messages[needed - 1]);
      }
    }
    op.inputs = static_cast<std::uint32_t>(out_.inputs_.size()) - op.first_input;
    const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
    const std::uint64_t share[2] = {shape.bytes - second, second};
    for (std::uint32_t way = 0; way < 2; ++way) {
      if (share[way] == 0) continue;
      const std::int64_t hold = time_to_move(work_of(Bytes{share[way]}), Rate{solo(row.path + way)}).ps;
      op.hold = std::max(op.hold, hold + out_.overhead_);
      op.reach = std::max(op.reach, hold + out_.overhead_ + in_.latency[row.path + way].ps);
    }
    out_.operations_.push_back(op);
    send_of_.resize(out_.operations_.size(), nothing);
    send_of_[message] = s;
    if (++at.rep == shape.reps) at.rep = 0, ++at.send;
    count_down(shape.stage + node);
    Counted& c = counters_[shape.counter + row.target];
    c.messages.push_back(message);
    ++c.seen;
    if (c.seen >= c.threshold) wake(c);
    count_down(shape.stage + row.target);
  }

  void wake(Counted& c) {
    std::uint32_t lane = c.watcher;
    c.watcher = nothing;
    c.threshold = nothing;
    while (lane != nothing) {
      lanes_[lane].watching = false;
      work_.push_back(lane);
      lane = lanes_[lane].next_watcher;
    }
  }

  std::uint64_t solo(std::uint32_t path) {
    const Instance::Path& p = in_.paths[path];
    u128 rate = p.cap.q20 != 0 ? u128{p.cap.q20} : ~u128{0};
    for (std::uint32_t i = p.first_crossing; i < p.first_crossing + p.crossings; ++i) {
      rate = std::min(rate, in_.binding_capacity[in_.crossing[i].link].q20 / in_.crossing[i].multiplicity);
    }
    TAHOMA_ASSERT(rate > 0 && rate <= ~std::uint64_t{0}, "a path without a usable rate");
    return static_cast<std::uint64_t>(rate);
  }

  // Per binding link: its users. Safe if they are one lane's messages, or one node's lanes in stages of which
  // one follows the other. A folded instance has crossings that stand for many flows: those count at once.
  void find_shared_links() {
    struct User {
      std::uint32_t link, lane, first_stage, last_stage;
    };
    std::vector<User> users;
    for (std::uint32_t l = 0; l < in_.lanes.size(); ++l) {
      const Instance::Lane& lane = in_.lanes[l];
      const std::size_t mark = users.size();
      for (std::uint32_t k = 0; k < lane.sends; ++k) {
        const Instance::SendRow& row = in_.sends[lane.send(k)];
        const std::uint32_t stage = in_.shape(row).stage + lane.node;
        for (std::uint32_t way = 0; way < in_.shape(row).ways; ++way) {
          const Instance::Path& p = in_.paths[row.path + way];
          for (std::uint32_t i = p.first_crossing; i < p.first_crossing + p.crossings; ++i) {
            const std::uint32_t link = in_.crossing[i].link;
            auto known = std::find_if(users.begin() + static_cast<std::ptrdiff_t>(mark), users.end(),
                                      [&](const User& u) { return u.link == link; });
            if (known == users.end()) {
              users.push_back({link, l, stage, stage});
            } else {
              known->first_stage = std::min(known->first_stage, stage);
              known->last_stage = std::max(known->last_stage, stage);
            }
          }
        }
      }
    }
    std::stable_sort(users.begin(), users.end(),
                     [](const User& a, const User& b) { return a.link < b.link; });
    std::vector<std::uint8_t> shared(in_.binding_capacity.size(), 0);
    for (std::size_t i = 0; i < users.size(); ++i) {
      for (std::size_t j = i + 1; j < users.size() && users[j].link == users[i].link; ++j) {
        const User &a = users[i], &b = users[j];
        const bool same_node = in_.lanes[a.lane].node == in_.lanes[b.lane].node;
        const bool one_chain = same_node && in_.nodes[in_.lanes[a.lane].node].opens == 1;
        const bool ordered = one_chain && (a.last_stage < b.first_stage || b.last_stage < a.first_stage);
        if (!ordered) {
          shared[a.link] = 1;
          break;
        }
      }
    }
    collect_uses(shared);
  }

  void collect_uses(std::vector<std::uint8_t>& shared) {
    struct LinkUse {
      std::uint32_t link;
      Uncontended::Use use;
    };
    std::vector<LinkUse> all;
    for (std::uint32_t m = 0; m < out_.operations_.size(); ++m) {
      if (out_.operations_[m].lane == Uncontended::opens) continue;
      const Instance::SendRow& row = in_.sends[send_of_[m]];
      const Instance::SendShape& shape = in_.shape(row);
      const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
      const std::uint64_t share[2] = {shape.bytes - second, second};
      for (std::uint32_t way = 0; way < shape.ways; ++way) {
        if (share[way] == 0) continue;
        const Instance::Path& p = in_.paths[row.path + way];
        const std::uint64_t rate = solo(row.path + way);
        const std::int64_t hold = time_to_move(work_of(Bytes{share[way]}), Rate{rate}).ps;
        for (std::uint32_t i = p.first_crossing; i < p.first_crossing + p.crossings; ++i) {
          const Crossing& c = in_.crossing[i];
          if (shared[c.link] != 0 || (shape.ways == 2 && on_other_way(row, way, c.link))) {
            all.push_back({c.link, {m, hold, rate * c.multiplicity}});
          }
        }
      }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const LinkUse& a, const LinkUse& b) { return a.link < b.link; });
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == 0 || all[i].link != all[i - 1].link) {
        out_.shared_.push_back(
            {static_cast<std::uint32_t>(out_.uses_.size()), 0, in_.binding_capacity[all[i].link].q20});
      }
      out_.uses_.push_back(all[i].use);
      ++out_.shared_.back().count;
    }
  }

  bool on_other_way(const Instance::SendRow& row, std::uint32_t way, std::uint32_t link) const {
    const Instance::Path& p = in_.paths[row.path + 1 - way];
    for (std::uint32_t i = p.first_crossing; i < p.first_crossing + p.crossings; ++i) {
      if (in_.crossing[i].link == link) return true;
    }
    return false;
  }

  const Instance& in_;
  Uncontended out_;
  std::vector<LaneAt> lanes_;
  std::vector<Counted> counters_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint8_t> open_;
  std::vector<std::uint32_t> work_;
  std::vector<std::uint32_t> send_of_;  // per operation
  std::size_t finished_lanes_ = 0;
};

std::optional<Uncontended> Uncontended::compile(const Instance& instance) {
  return Compiler(instance).compile();
}

bool Uncontended::evaluate(std::span<const Time> ready, std::span<Time> finish, Scratch& scratch) const {
  auto& [lane, open, done, start, delivered, order] = scratch;
  lane.assign(lanes_, 0);
  open.assign(stages_, 0);
  done.assign(stages_, 0);
  start.resize(operations_.size());
  delivered.resize(operations_.size());
  for (std::size_t i = 0; i < first_stages_.size(); ++i) {
    open[first_stages_[i]] = done[first_stages_[i]] = ready[node_of_first_[i]].ps;
  }
  for (std::size_t m = 0; m < operations_.size(); ++m) {
    const Operation& op = operations_[m];
    if (op.lane == opens) {
      open[op.stage] = done[op.target_stage];
      done[op.stage] = std::max(done[op.stage], open[op.stage]);
      continue;
    }
    std::int64_t at = std::max(open[op.stage], lane[op.lane]);
    for (std::uint32_t i = op.first_input; i < op.first_input + op.inputs; ++i) {
      at = std::max(at, delivered[inputs_[i]]);
    }
    start[m] = at;
    lane[op.lane] = at + op.hold;
    delivered[m] = at + op.reach;
    done[op.stage] = std::max(done[op.stage], lane[op.lane]);
    done[op.target_stage] = std::max(done[op.target_stage], delivered[m]);
  }
  for (const SharedLink& link : shared_) {
    if (!certified(link, scratch)) return false;
  }
  for (std::uint32_t n = 0; n < nodes_; ++n) finish[n] = ready[n];
  for (std::size_t i = 0; i < last_stages_.size(); ++i) {
    Time& t = finish[node_of_last_[i]];
    t = std::max(t, Time{done[last_stages_[i]]});
  }
  return true;
}

// A flow holds the link in [start + overhead, start + overhead + hold). Sorted by start, mostly already.
bool Uncontended::certified(const SharedLink& link, Scratch& scratch) const {
  auto& order = scratch.order;
  order.resize(link.count);
  for (std::uint32_t i = 0; i < link.count; ++i) order[i] = link.first + i;
  const auto begins = [&](std::uint32_t use) { return scratch.start[uses_[use].message]; };
  for (std::uint32_t i = 1; i < link.count; ++i) {
    const std::uint32_t moving = order[i];
    const std::int64_t key = begins(moving);
    std::uint32_t hole = i;
    while (hole > 0 && begins(order[hole - 1]) > key) order[hole] = order[hole - 1], --hole;
    order[hole] = moving;
  }
  std::int64_t busy_until = std::numeric_limits<std::int64_t>::min();
  for (std::uint32_t i = 0; i < link.count; ++i) {
    const std::int64_t at = begins(order[i]);
    if (at < busy_until) {
      // Several at once are allowed as long as their rates fit.
      u128 together = 0;
      for (std::uint32_t j = 0; j <= i; ++j) {
        if (begins(order[j]) + uses_[order[j]].hold > at) together += uses_[order[j]].rate;
      }
      if (together > link.capacity) return false;
    }
    busy_until = std::max(busy_until, at + uses_[order[i]].hold);
  }
  return true;
}

}  // namespace tahoma
