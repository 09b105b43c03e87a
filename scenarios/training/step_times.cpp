#include "scenarios/training/step_times.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "core/errors.h"

namespace tahoma {

namespace {

Duration& part_of(StepBreakdown& breakdown, StepShare share) {
  switch (share) {
    case StepShare::compute:
      return breakdown.compute;
    case StepShare::recompute:
      return breakdown.recompute;
    case StepShare::optimiser:
      return breakdown.optimiser;
    case StepShare::host:
      return breakdown.overhead;
    case StepShare::tp:
      return breakdown.tp;
    case StepShare::cp:
      return breakdown.cp;
    case StepShare::ep:
      return breakdown.ep;
    case StepShare::dp:
      return breakdown.dp;
  }
  return breakdown.bubble;
}

class Waits {
 public:
  Waits(const StepProgram& step, const ProgramRun& run) : step_(step), program_(step.program), run_(run) {
    for (std::uint32_t t = 0; t < step.talks.size(); ++t) talk_of_.emplace(step.talks[t].until, t);
    for (const std::uint32_t receive : step.pipe_receives) is_input_.emplace(receive, true);
  }

  // Shares the time from `from` until `until`, when `op` was done.
  void share(std::uint32_t op, Time from, Time until, StepBreakdown& breakdown) const {
    Time t = until;
    while (t > from && op != RankProgram::none) {
      const auto talk = talk_of_.find(op);
      if (talk != talk_of_.end()) {
        const StepProgram::Talk& what = step_.talks[talk->second];
        const Time entered = std::max(from, run_.done[what.from]);
        part_of(breakdown, what.share) += t - entered;
        t = entered;
        op = what.from;
      } else if (is_input_.count(op) != 0) {
        const Time sent = std::max(from, run_.begun[program_.ops[op].partner]);
        if (sent < t) breakdown.pp += t - sent;
        t = std::min(t, sent);
        break;
      } else {
        op = latest_need(op);
      }
    }
    breakdown.bubble += t - from;
  }

  std::uint32_t latest_need(std::uint32_t op) const {
    std::uint32_t latest = RankProgram::none;
    for (const std::uint32_t need : program_.needs_of(op)) {
      if (latest == RankProgram::none || run_.done[need] > run_.done[latest]) latest = need;
    }
    return latest;
  }

 private:
  const StepProgram& step_;
  const RankProgram& program_;
  const ProgramRun& run_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> talk_of_;
  boost::unordered_flat_map<std::uint32_t, bool> is_input_;
};

}  // namespace

std::vector<StepBreakdown> breakdowns_of(const StepProgram& step, const ProgramRun& run) {
  const RankProgram& program = step.program;
  const Waits waits(step, run);
  std::vector<std::vector<StepProgram::Work>> works(program.ranks);
  for (const StepProgram::Work& work : step.works) works[program.ops[work.op].rank].push_back(work);
  Time end{};
  std::vector<std::uint32_t> last(program.ranks, RankProgram::none);
  for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
    std::uint32_t& known = last[program.ops[op].rank];
    if (known == RankProgram::none || run.done[op] >= run.done[known]) known = op;
    end = std::max(end, run.done[op]);
  }
  std::vector<StepBreakdown> all(program.ranks);
  for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
    std::vector<StepProgram::Work>& mine = works[rank];
    std::stable_sort(mine.begin(), mine.end(), [&](const StepProgram::Work& a, const StepProgram::Work& b) {
      return run.begun[a.op] < run.begun[b.op];
    });
    Time at{};
    for (const StepProgram::Work& work : mine) {
      waits.share(waits.latest_need(work.op), at, run.begun[work.op], all[rank]);
      part_of(all[rank], work.share) += run.done[work.op] - run.begun[work.op];
      at = run.done[work.op];
    }
    if (last[rank] != RankProgram::none && run.done[last[rank]] > at) {
      waits.share(last[rank], at, run.done[last[rank]], all[rank]);
      at = run.done[last[rank]];
    }
    all[rank].bubble += end - at;
    TAHOMA_ASSERT(Time{} + all[rank].step() == end, "a rank's parts do not add up to the step");
  }
  return all;
}

}  // namespace tahoma
