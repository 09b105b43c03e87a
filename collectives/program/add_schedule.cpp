#include "collectives/program/add_schedule.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {

namespace {

using Kind = RankProgram::Kind;
constexpr std::uint32_t none = RankProgram::none;

class ScheduleAdder {
 public:
  ScheduleAdder(RankProgram& program, const Instance& instance, std::span<const std::uint32_t> ranks,
                std::span<const std::uint32_t> entry, const RankProgram::Origin& origin,
                const AdoptedPaths* paths)
      : program_(program), in_(instance), ranks_(ranks), entry_(entry), origin_(origin), paths_(paths) {
    begin_.assign(in_.stages.size(), none);
    end_.assign(in_.stages.size(), none);
    arrivals_.resize(in_.counters);
  }

  // Numbers first, since operations need others that come later; then the operations in the same order.
  std::vector<std::uint32_t> add() {
    next_ = static_cast<std::uint32_t>(program_.ops.size());
    for (std::uint32_t s = 0; s < in_.stages.size(); ++s) {
      begin_[s] = next_++;
      end_[s] = next_++;
    }
    first_message_.reserve(in_.lanes.size());
    for (std::uint32_t l = 0; l < in_.lanes.size(); ++l) {
      first_message_.push_back(next_);
      for (std::uint32_t k = 0; k < in_.lanes[l].sends; ++k) number_row(l, in_.sends[in_.lanes[l].send(k)]);
    }
    sort_done_parts();
    add_stages();
    for (std::uint32_t l = 0; l < in_.lanes.size(); ++l) add_lane(l);
    for (const Waiting& waiting : waiting_) {
      RankProgram::Op op = empty(waiting.rank);
      op.kind = Kind::some;
      op.amount = waiting.count;
      std::vector<std::uint32_t> needs;
      for (const Arrival& arrival : arrivals_[waiting.counter]) needs.push_back(arrival.receive);
      program_.add(op, origin_, needs);
    }
    std::vector<std::uint32_t> exits;
    for (std::size_t n = 0; n < in_.nodes.size(); ++n) exits.push_back(exit_of(in_.nodes[n], entry_[n]));
    return exits;
  }

 private:
  struct Arrival {
    std::uint32_t receive, lane;
  };
  struct Waiting {
    std::uint32_t rank, counter, count;
  };

  RankProgram::Op empty(std::uint32_t rank) const {
    RankProgram::Op op;
    op.rank = rank;
    return op;
  }
  std::uint32_t rank_of(std::uint32_t node) const { return ranks_[node]; }

  // A message is two operations, the send and then its receive.
  void number_row(std::uint32_t lane, const Instance::SendRow& row) {
    const Instance::SendShape& shape = in_.shape(row);
    const std::uint32_t node = in_.lanes[lane].node;
    for (std::uint32_t rep = 0; rep < shape.reps; ++rep) {
      const std::uint32_t send = next_++, receive = next_++;
      arrivals_[shape.counter + row.target].push_back({receive, lane});
      parts_.push_back({shape.stage + node, send});
      parts_.push_back({shape.stage + row.target, receive});
    }
  }

  // By stage, what must be done for it to be done.
  void sort_done_parts() {
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  void add_stages() {
    std::vector<std::uint32_t> before(in_.stages.size(), none);
    for (std::uint32_t s = 0; s < in_.stages.size(); ++s) {
      if (in_.stages[s].next != Instance::no_stage) before[in_.stages[s].next] = end_[s];
    }
    std::vector<std::uint32_t> needs;
    auto part = parts_.begin();
    for (std::uint32_t s = 0; s < in_.stages.size(); ++s) {
      const std::uint32_t node = in_.stages[s].node;
      const std::uint32_t first[] = {before[s] == none ? entry_[node] : before[s]};
      program_.add(empty(rank_of(node)), origin_, first);
      needs = {begin_[s]};
      for (; part != parts_.end() && part->first == s; ++part) needs.push_back(part->second);
      program_.add(empty(rank_of(node)), origin_, needs);
    }
  }

  void add_lane(std::uint32_t number) {
    const Instance::Lane& lane = in_.lanes[number];
    std::uint32_t previous = none, message = first_message_[number];
    std::vector<std::uint32_t> needs;
    for (std::uint32_t k = 0; k < lane.sends; ++k) {
      const Instance::SendRow& row = in_.sends[lane.send(k)];
      const Instance::SendShape& shape = in_.shape(row);
      for (std::uint32_t rep = 0; rep < shape.reps; ++rep) {
        needs = {begin_[shape.stage + lane.node]};
        if (previous != none) needs.push_back(previous);
        for (std::uint32_t w = 0; w < shape.waits; ++w) {
          const Instance::WaitRow& wait = in_.wait(shape, w);
          const std::uint32_t count = wait.count + wait.per_rep * rep;
          if (count > 0) needs.push_back(arrived(wait.counter + lane.node, count, rank_of(lane.node)));
        }
        RankProgram::Op op = empty(rank_of(lane.node));
        op.kind = Kind::send;
        op.peer = rank_of(row.target);
        op.channel = lane.channel;
        op.partner = message + 1;
        op.amount = shape.bytes;
        const std::uint32_t send = program_.add(op, origin_, needs);
        if (paths_ != nullptr) {
          paths_->of_op.resize(send + 1);
          paths_->of_op[send] = {paths_->first_path + row.path, shape.ways};
        }
        op.kind = Kind::receive;
        std::swap(op.rank, op.peer);
        op.partner = message;
        op.adds = shape.reduce;
        program_.add(op, origin_, {});
        previous = message;
        message += 2;
      }
    }
  }

  // What is done when `count` messages have been counted.
  std::uint32_t arrived(std::uint32_t counter, std::uint32_t count, std::uint32_t rank) {
    const std::vector<Arrival>& arrivals = arrivals_[counter];
    TAHOMA_ASSERT(count <= arrivals.size(), "a wait for messages that nobody sends");
    const bool one_lane = std::all_of(arrivals.begin(), arrivals.end(),
                                      [&](const Arrival& a) { return a.lane == arrivals.front().lane; });
    if (one_lane) return arrivals[count - 1].receive;
    waiting_.push_back({rank, counter, count});
    return next_++;
  }

  std::uint32_t exit_of(const Instance::Node& node, std::uint32_t entry) {
    std::vector<std::uint32_t> needs{entry};
    for (std::uint32_t k = 0; k < node.stages; ++k) {
      const std::uint32_t stage = node.stage(k);
      if (in_.stages[stage].next == Instance::no_stage) needs.push_back(end_[stage]);
    }
    const auto number = static_cast<std::size_t>(&node - in_.nodes.data());
    return program_.add(empty(rank_of(static_cast<std::uint32_t>(number))), origin_, needs);
  }

  RankProgram& program_;
  const Instance& in_;
  std::span<const std::uint32_t> ranks_, entry_;
  const RankProgram::Origin origin_;
  const AdoptedPaths* const paths_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> begin_, end_;                      // by stage
  std::vector<std::uint32_t> first_message_;                    // by lane
  std::vector<std::vector<Arrival>> arrivals_;                  // by counter, in the order of each lane
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_;  // (stage, operation)
  std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<std::uint32_t> add_schedule(RankProgram& program, const Instance& instance,
                                        std::span<const std::uint32_t> ranks,
                                        std::span<const std::uint32_t> entry,
                                        const RankProgram::Origin& origin, const AdoptedPaths* paths) {
  TAHOMA_ASSERT(ranks.size() == instance.nodes.size() && entry.size() == ranks.size() &&
                    (paths != nullptr || instance.classes.identity),
                "a schedule for other ranks");
  return ScheduleAdder(program, instance, ranks, entry, origin, paths).add();
}

}  // namespace tahoma
