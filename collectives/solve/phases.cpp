#include "collectives/solve/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <memory>
#include <thread>

#include "collectives/solve/block.h"
#include "collectives/solve/phase_runs.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_marked_blocks = 4096;

struct Task {
  std::uint32_t kind;
  std::uint32_t block;         // the first one
  std::vector<Time> ready;     // relative
  std::vector<Time> finish;    // relative
  std::vector<LinkUse> links;  // of a block with faults
  std::uint32_t same_hash;     // the next task to compare with; ~0u: none
};

class PhaseSolver {
 public:
  explicit PhaseSolver(const Problem& problem) : problem_(problem), program_(problem.programs[0]) {}

  std::optional<Solution> solve(std::string& why_not);

 private:
  bool solve_run(const PhaseRun& run, std::string& why_not);
  bool reducers_are_idle(const PhaseRun& run) const;
  bool prepare_kinds(const PhaseRun& run, std::string& why_not);
  std::unique_ptr<Block> make_block(const PhaseRun& run, const Topology& topology, ChipId base) const;
  void collect_tasks(const PhaseRun& run);
  bool run_tasks(const PhaseRun& run, std::string& why_not);
  bool kept_apart(const PhaseRun& run, std::size_t index, const std::vector<PhaseRun>& runs,
                  std::string& why_not) const;
  bool blocks_kept_apart(const PhaseRun& first, std::size_t earlier, const PhaseRun& second,
                         std::size_t later) const;
  void account(const PhaseRun& run);
  Solution finish_up(const std::vector<PhaseRun>& runs);
  CriticalChain critical_chain(const std::vector<PhaseRun>& runs, ChipId last, Time finish) const;

  const Problem& problem_;
  const Program& program_;
  std::vector<Time> ready_;                       // by chip: may enter the next phase
  std::vector<std::vector<Time>> begun_, ended_;  // per run and block: first ready, last finish
  // Of the run being solved:
  static constexpr std::uint32_t healthy_kind = 0;
  std::vector<std::uint32_t> kind_of_block_;  // healthy_kind, or 1 + the block where it has faults of its own
  std::unique_ptr<Block> healthy_kind_;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> task_of_block_;
  // Of the runs that are solved, for the chain back: the distinct blocks and their ready times.
  struct Solved {
    std::vector<std::uint32_t> task_of_block;
    std::vector<Task> tasks;
    std::unique_ptr<Block> healthy_block;  // of the run's first healthy one, if it is small
  };
  std::vector<Solved> solved_;
  // Of the whole:
  std::map<std::pair<std::uint64_t, std::uint64_t>, LinkUse> links_;  // (partition and kind, link)
  std::map<std::string, std::uint64_t> solved_by_;
  std::uint64_t simulated_ranks_ = 0, events_ = 0, solves_ = 0;
};

bool PhaseSolver::prepare_kinds(const PhaseRun& run, std::string& why_not) {
  healthy_kind_.reset();
  kind_of_block_.assign(run.bases.size(), healthy_kind);
  boost::unordered_flat_map<ChipId, std::uint32_t> block_of_base;
  std::vector<std::uint32_t> marked_blocks;
  std::vector<ChipId> marked;
  for (const NetworkPart part : {NetworkPart::scale_up, NetworkPart::fabric}) {
    if (part_of(run) && part_of(run) != part) continue;
    const auto chips = problem_.topology->marked_chips(part);
    marked.insert(marked.end(), chips.begin(), chips.end());
  }
  if (!marked.empty()) {
    for (std::uint32_t b = 0; b < run.bases.size(); ++b) block_of_base[run.bases[b]] = b;
    for (const ChipId chip : marked) {
      const auto at = block_of_base.find(program_.groups->block(chip, run.axes).chip(0, 0));
      if (at != block_of_base.end()) marked_blocks.push_back(at->second);
    }
    std::sort(marked_blocks.begin(), marked_blocks.end());
    marked_blocks.erase(std::unique(marked_blocks.begin(), marked_blocks.end()), marked_blocks.end());
  }
  if (marked_blocks.size() > most_marked_blocks) {
    why_not = fmt::format("{} of {} blocks have faults", marked_blocks.size(), run.bases.size());
    return false;
  }
  for (const std::uint32_t b : marked_blocks) kind_of_block_[b] = b + 1;
  if (marked_blocks.size() == run.bases.size()) return true;
  healthy_kind_ =
      make_block(run, problem_.healthy != nullptr ? *problem_.healthy : *problem_.topology, run.bases[0]);
  return healthy_kind_->stays_apart(run.offsets, part_of(run), why_not);
}

std::unique_ptr<Block> PhaseSolver::make_block(const PhaseRun& run, const Topology& topology,
                                               ChipId base) const {
  return std::make_unique<Block>(problem_, topology, run, program_, base);
}

// Distinct (kind, relative ready times) become tasks.
void PhaseSolver::collect_tasks(const PhaseRun& run) {
  tasks_.clear();
  task_of_block_.assign(run.bases.size(), 0);
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> known;  // hash -> latest task that has it
  std::vector<Time> relative(run.offsets.size());
  for (std::uint32_t b = 0; b < run.bases.size(); ++b) {
    Time first = Time::never();
    for (const ChipId offset : run.offsets) first = std::min(first, ready_[run.bases[b] + offset]);
    std::uint64_t hash = kind_of_block_[b];
    for (std::size_t i = 0; i < run.offsets.size(); ++i) {
      relative[i] = Time{} + (ready_[run.bases[b] + run.offsets[i]] - first);
      hash = (hash ^ static_cast<std::uint64_t>(relative[i].ps)) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    const auto [at, fresh] = known.try_emplace(hash, ~0u);
    std::uint32_t task = at->second;
    while (task != ~0u && (tasks_[task].kind != kind_of_block_[b] || tasks_[task].ready != relative)) {
      task = tasks_[task].same_hash;
    }
    if (task == ~0u) {
      task = static_cast<std::uint32_t>(tasks_.size());
      tasks_.push_back({kind_of_block_[b], b, {}, {}, {}, fresh ? ~0u : at->second});
      tasks_.back().ready.swap(relative);  // a single block's times are megabytes: not copied
      if (b + 1 < run.bases.size()) relative.resize(run.offsets.size());
      at->second = task;
    }
    task_of_block_[b] = task;
  }
}

// Each task is a pure function of its own data, so threads cannot change the outcome.
bool PhaseSolver::run_tasks(const PhaseRun& run, std::string& why_not) {
  const std::size_t threads = tasks_.size() * run.offsets.size() < 4096
                                  ? 1
                                  : std::max(1u, std::min(8u, std::thread::hardware_concurrency()));
  std::vector<Block::Counts> counts(threads);
  std::vector<std::exception_ptr> failed(threads);
  std::vector<std::string> reasons(threads);
  std::vector<std::thread> pool;
  std::atomic<std::size_t> next{0};  // tasks differ a hundredfold in cost
  const auto work = [&](std::size_t t) {
    try {
      Block::Scratch scratch;
      for (std::size_t i; (i = next.fetch_add(1)) < tasks_.size();) {
        Task& task = tasks_[i];
        if (task.kind == healthy_kind) {
          healthy_kind_->solve(task.ready, task.finish, scratch, counts[t]);
          continue;
        }
        // Made, asked once and dropped: a rail's program is large, and each broken rail has its own.
        const auto block = make_block(run, *problem_.topology, run.bases[task.block]);
        if (!block->stays_apart(run.offsets, part_of(run), reasons[t])) return;
        block->solve(task.ready, task.finish, scratch, counts[t]);
        task.links = block->link_uses(1);
      }
    } catch (...) {
      failed[t] = std::current_exception();
    }
  };
  for (std::size_t t = 1; t < threads; ++t) pool.emplace_back(work, t);
  work(0);
  for (std::thread& thread : pool) thread.join();
  for (const auto& failure : failed) {
    if (failure) std::rethrow_exception(failure);
  }
  for (const std::string& reason : reasons) {
    if (reason.empty()) continue;
    why_not = reason;
    return false;
  }
  for (const Block::Counts& c : counts) {
    events_ += c.events;
    solves_ += c.solves;
    if (c.by_stream > 0) solved_by_["stream"] += c.by_stream;
    if (c.by_arithmetic > 0) solved_by_["arithmetic"] += c.by_arithmetic;
    if (c.by_star > 0) solved_by_["star"] += c.by_star;
    if (c.by_quotient > 0) solved_by_["quotient"] += c.by_quotient;
    if (c.by_engine > 0) solved_by_["engine"] += c.by_engine;
  }
  simulated_ranks_ += tasks_.size() * run.offsets.size();
  return true;
}

// A chip reduces in one queue for all phases. What an early rank sends must not reach a reducer that is still
// at work for the phases before; where all ranks of a block are ready together, it cannot.
bool PhaseSolver::reducers_are_idle(const PhaseRun& run) const {
  if (problem_.reduction_rate.q20 == 0 || begun_.empty() || !reduces(run.schedule)) return true;
  return std::all_of(run.bases.begin(), run.bases.end(), [&](ChipId base) {
    return std::all_of(run.offsets.begin(), run.offsets.end(), [&](ChipId offset) {
      return ready_[base + offset] == ready_[base + run.offsets.front()];
    });
  });
}

bool PhaseSolver::solve_run(const PhaseRun& run, std::string& why_not) {
  if (!reducers_are_idle(run)) {
    why_not = "reductions of one phase may wait for those of another";
    return false;
  }
  if (!prepare_kinds(run, why_not)) return false;
  collect_tasks(run);
  if (!run_tasks(run, why_not)) return false;
  std::vector<Time> begun(run.bases.size(), Time::never()), ended(run.bases.size());
  for (std::uint32_t b = 0; b < run.bases.size(); ++b) {
    const Task& task = tasks_[task_of_block_[b]];
    for (const ChipId offset : run.offsets) begun[b] = std::min(begun[b], ready_[run.bases[b] + offset]);
    for (std::size_t i = 0; i < run.offsets.size(); ++i) {
      Time& t = ready_[run.bases[b] + run.offsets[i]];
      t = begun[b] + (task.finish[i] - Time{});
      ended[b] = std::max(ended[b], t);
    }
  }
  begun_.push_back(std::move(begun));
  ended_.push_back(std::move(ended));
  account(run);
  if (healthy_kind_) healthy_kind_->forget_links();
  if (healthy_kind_ && !healthy_kind_->is_small()) healthy_kind_.reset();
  solved_.push_back({std::move(task_of_block_), std::move(tasks_), std::move(healthy_kind_)});
  healthy_kind_.reset();
  return true;
}

// The two runs have the same blocks, of the same kinds.
bool PhaseSolver::blocks_kept_apart(const PhaseRun& first, std::size_t earlier, const PhaseRun& second,
                                    std::size_t later) const {
  std::map<std::uint32_t, std::uint32_t> overlapping;  // kind -> one block of it
  for (std::uint32_t b = 0; b < second.bases.size(); ++b) {
    if (begun_[later][b] < ended_[earlier][b])
      overlapping.try_emplace(solved_[later].tasks[solved_[later].task_of_block[b]].kind, b);
  }
  return std::all_of(overlapping.begin(), overlapping.end(), [&](const auto& entry) {
    const auto& [kind, b] = entry;
    const bool healthy = kind == healthy_kind && problem_.healthy != nullptr;
    const Topology& topology = healthy ? *problem_.healthy : *problem_.topology;
    return Block::may_overlap(*make_block(first, topology, first.bases[b]),
                              *make_block(second, topology, second.bases[b]));
  });
}

// Runs on the same kind of links must not overlap in time: block by block where the blocks are the same, else
// all of them together; unless each link has one sender. Inside and outside use different links.
bool PhaseSolver::kept_apart(const PhaseRun& run, std::size_t index, const std::vector<PhaseRun>& runs,
                             std::string& why_not) const {
  for (std::size_t earlier = 0; earlier < index; ++earlier) {
    if (part_of(runs[earlier]) && part_of(run) && part_of(runs[earlier]) != part_of(run)) continue;
    bool apart = true;
    if (runs[earlier].axes == run.axes) {
      apart = blocks_kept_apart(runs[earlier], earlier, run, index);
    } else {
      apart = *std::min_element(begun_[index].begin(), begun_[index].end()) >=
              *std::max_element(ended_[earlier].begin(), ended_[earlier].end());
    }
    if (!apart) {
      why_not = fmt::format("phases {} and {} overlap on the same links", earlier, index);
      return false;
    }
  }
  return true;
}

// Bytes do not depend on time, so each kind's links are counted once and stand for all blocks of the kind.
void PhaseSolver::account(const PhaseRun& run) {
  const auto add = [&](std::uint32_t kind, const std::vector<LinkUse>& uses) {
    for (const LinkUse& use : uses) {
      LinkUse& sum = links_[{(run.inside ? 0u : 1u) | (std::uint64_t{kind} << 1), use.link.value}];
      const std::uint64_t bytes = sum.bytes + use.bytes;
      sum = use;
      sum.bytes = bytes;
    }
  };
  if (healthy_kind_) {
    const auto healthy = std::count(kind_of_block_.begin(), kind_of_block_.end(), healthy_kind);
    add(healthy_kind, healthy_kind_->link_uses(static_cast<std::uint64_t>(healthy)));
  }
  for (Task& task : tasks_) {
    if (task.kind != healthy_kind) add(task.kind, task.links);
    task.links = {};
    task.finish = {};  // the next run's ready times say the same
  }
}

// Run by run backwards: each time the one block that the chain passes through, made again, or the one like it
// that was kept, moved to its place.
CriticalChain PhaseSolver::critical_chain(const std::vector<PhaseRun>& runs, ChipId last, Time finish) const {
  CriticalChain chain;
  chain.origin = last;
  chain.origin_start = finish;
  for (std::size_t r = runs.size(); r-- > 0;) {
    const PhaseRun& run = runs[r];
    const ChipId base = program_.groups->block(chain.origin, run.axes).chip(0, 0);
    const auto b = static_cast<std::size_t>(std::lower_bound(run.bases.begin(), run.bases.end(), base) -
                                            run.bases.begin());
    const auto position = static_cast<std::uint32_t>(
        std::find(run.offsets.begin(), run.offsets.end(), chain.origin - base) - run.offsets.begin());
    const Task& task = solved_[r].tasks[solved_[r].task_of_block[b]];
    const bool healthy = task.kind == healthy_kind && problem_.healthy != nullptr;
    std::unique_ptr<Block> made;
    const Block* block = task.kind == healthy_kind ? solved_[r].healthy_block.get() : nullptr;
    if (block == nullptr) {
      made = make_block(run, healthy ? *problem_.healthy : *problem_.topology, base);
      block = made.get();
    }
    const Duration shift = begun_[r][b] - Time{};
    const std::size_t before = chain.parts.size();
    const auto origin =
        block->chain({task.ready, position, shift, chain.origin_start, run.first_phase}, chain);
    for (std::size_t p = before; p < chain.parts.size(); ++p) {
      chain.parts[p].from = chain.parts[p].from - block->base() + base;
      chain.parts[p].to = chain.parts[p].to - block->base() + base;
    }
    if (!origin) return chain;
    chain.origin = base + run.offsets[*origin];
    chain.origin_start = begun_[r][b] + (task.ready[*origin] - Time{});
  }
  chain.known = true;
  return chain;
}

Solution PhaseSolver::finish_up(const std::vector<PhaseRun>& runs) {
  Solution solution;
  solution.classes.count = problem_.topology->chips();
  Solution::ProgramPart part{program_.start, program_.start, {}, {}};
  ChipId last = program_.groups->chip(0, 0);
  std::uint64_t ranks = 0;
  for (std::uint32_t g = 0; g < program_.groups->groups(); ++g) {
    for (std::uint32_t p = 0; p < program_.groups->size(); ++p) {
      const ChipId chip = program_.groups->chip(g, p);
      TAHOMA_ASSERT(ready_[chip] != Time::never(), "a rank did not finish");
      if (ready_[chip] > part.finish) {
        part.finish = ready_[chip];
        last = chip;
      }
      ++ranks;
    }
  }
  TAHOMA_ASSERT(ranks == program_.groups->ranks(), "not all ranks finished");
  part.finish_of_class = std::move(ready_);
  part.chain = critical_chain(runs, last, part.finish);
  solution.programs.push_back(std::move(part));
  for (const auto& [key, use] : links_) solution.links.push_back(use);
  solution.rank_classes = simulated_ranks_;
  solution.events = events_;
  solution.solves = solves_;
  solution.solver = "phases";
  for (const auto& [name, count] : solved_by_) {
    solution.why += fmt::format("{}{} by {}", solution.why.empty() ? "distinct blocks: " : ", ", count, name);
  }
  return solution;
}

std::optional<Solution> PhaseSolver::solve(std::string& why_not) {
  ready_.assign(problem_.topology->chips(), Time::never());
  for (std::uint32_t g = 0; g < program_.groups->groups(); ++g) {
    for (std::uint32_t p = 0; p < program_.groups->size(); ++p)
      ready_[program_.groups->chip(g, p)] = program_.start;
  }
  for (const ChipDelay& delay : problem_.delays) {
    if (ready_[delay.chip] != Time::never()) ready_[delay.chip] = ready_[delay.chip] + delay.delay;
  }
  const std::vector<PhaseRun> runs = runs_of(*program_.schedule, *program_.groups);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (!solve_run(runs[r], why_not) || !kept_apart(runs[r], r, runs, why_not)) return std::nullopt;
  }
  return finish_up(runs);
}

}  // namespace

std::optional<Solution> solve_by_phases(const Problem& problem, std::string& why_not) {
  if (problem.programs.size() != 1 || !problem.flows.empty()) {
    why_not = "several programs or flows share the network";
    return std::nullopt;
  }
  const Program& program = problem.programs[0];
  const Schedule& schedule = *program.schedule;
  if (program.groups->is_list() || schedule.pipeline != 1 || schedule.channels != 1 ||
      program.rule != LaneRule::fifo || schedule.phases.empty()) {
    why_not = "chunks, channels, eager lanes or listed ranks interleave the phases";
    return std::nullopt;
  }
  if (!problem.delays.empty() && !all_ranks_send(schedule)) {
    why_not = "a straggler's delay does not hold back ranks that only receive";
    return std::nullopt;
  }
  return PhaseSolver(problem).solve(why_not);
}

}  // namespace tahoma
