#include "scenarios/training/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace tahoma {

namespace {

std::vector<std::uint32_t> divisors(std::uint64_t whole, std::uint64_t most) {
  std::vector<std::uint32_t> found;
  for (std::uint64_t d = 1; d <= std::min(whole, most); ++d) {
    if (whole % d == 0) found.push_back(static_cast<std::uint32_t>(d));
  }
  return found;
}

/// What was asked for, or else all of `any`.
template <class T>
std::vector<T> among(const std::vector<T>& asked, const std::vector<T>& any) {
  return asked.empty() ? any : asked;
}

class Enumeration {
 public:
  Enumeration(const TrainingWork& work, const TrainingNetwork& network) : work_(work), network_(network) {}

  SearchResult result;
  std::vector<Parallel> legal;

  void run() {
    const TrainingChoices& c = work_.choices;
    const Model& m = work_.model;
    // Tensor parallelism beyond the scale-up domain is legal, and slower than anything else.
    for (const std::uint32_t tp : among(c.tp, divisors(m.heads, network_.domain))) {
      for (const std::uint32_t cp : among(c.cp, {1U})) {
        for (const std::uint32_t pp : among(c.pp, stages(tp, cp))) with_pipeline(tp, cp, pp);
      }
    }
  }

 private:
  std::vector<std::uint32_t> stages(std::uint32_t tp, std::uint32_t cp) const {
    const std::uint64_t left = network_.ranks / (std::uint64_t{tp} * cp);
    std::vector<std::uint32_t> found;
    for (std::uint32_t pp = 1; pp <= std::min<std::uint64_t>(left, work_.model.layers); ++pp) {
      if (work_.model.layers % pp == 0 || (work_.model.layers + 2) % pp == 0) found.push_back(pp);
    }
    return found;
  }

  void with_pipeline(std::uint32_t tp, std::uint32_t cp, std::uint32_t pp) {
    const TrainingChoices& c = work_.choices;
    const std::uint64_t inner = std::uint64_t{tp} * cp * pp;
    if (inner > network_.ranks) {
      ++result.tried;
      if (!result.fault)
        result.fault = ParallelFault{"parallel",
                                     fmt::format("needs tp {} x cp {} x pp {} = {} ranks, but there are {}",
                                                 tp, cp, pp, inner, network_.ranks),
                                     true};
      return;
    }
    if (c.dp.size() == 1 || work_.idle_ranks || network_.ranks % inner == 0) {
      const std::uint64_t room = network_.ranks / inner;
      if (!c.dp.empty()) {
        for (const std::uint32_t dp : c.dp) with_ranks(tp, cp, pp, dp);
        return;
      }
      if (!work_.idle_ranks) return with_ranks(tp, cp, pp, static_cast<std::uint32_t>(room));
      const auto fit = divisors(work_.base.global_batch, room);
      if (!fit.empty()) with_ranks(tp, cp, pp, fit.back());
      return;
    }
    with_ranks(tp, cp, pp, static_cast<std::uint32_t>(std::max<std::uint64_t>(1, network_.ranks / inner)));
  }

  void with_ranks(std::uint32_t tp, std::uint32_t cp, std::uint32_t pp, std::uint32_t dp) {
    const TrainingChoices& c = work_.choices;
    const Model& m = work_.model;
    const std::uint64_t each = std::max<std::uint64_t>(1, work_.base.global_batch / dp);
    std::vector<std::uint32_t> micro = divisors(each, 32);
    const std::vector<std::uint32_t> experts =
        m.is_mixture() && c.ep.empty() ? divisors(m.experts, std::uint64_t{tp} * cp * dp) : std::vector{1U};
    for (const std::uint32_t ep : among(c.ep, experts)) {
      for (const std::uint32_t mb : among(c.micro_batch, micro)) {
        Parallel p = work_.base;
        p.tp = tp;
        p.cp = cp;
        p.pp = pp;
        p.dp = dp;
        p.ep = ep;
        p.etp = work_.etp != 0 ? work_.etp : (ep > 1 || !m.is_mixture() ? 1 : tp);
        p.micro_batch = mb;
        with_schedule(p);
      }
    }
  }

  void with_schedule(Parallel p) {
    using enum PipelineSchedule;
    const TrainingChoices& c = work_.choices;
    const std::uint32_t deep = std::max<std::uint32_t>(1, (work_.model.layers + p.pp - 1) / p.pp);
    std::vector<std::uint32_t> chunks = {1};
    if (p.pp > 1 && (c.schedule.empty() || c.schedule.front() == interleaved)) {
      for (std::uint32_t vp = 2; vp <= std::min(deep, 12U); ++vp) {
        if (work_.model.layers % (p.pp * vp) == 0 || (work_.model.layers + 2) % (p.pp * vp) == 0)
          chunks.push_back(vp);
      }
    }
    for (const std::uint32_t vp : among(c.vp, chunks)) {
      p.vp = vp;
      const std::vector<PipelineSchedule> plain = {vp > 1 ? interleaved : one_f_one_b};
      for (const PipelineSchedule schedule : among(c.schedule, plain)) {
        p.schedule = schedule;
        // An open search passes over what does not combine; a single question hears why.
        if (c.vp.empty() && vp > 1 && p.micro_batches() % p.pp != 0) continue;
        with_memory(p);
      }
    }
  }

  void with_memory(Parallel p) {
    const TrainingChoices& c = work_.choices;
    const std::vector<Recompute> every = {Recompute::none, Recompute::selective, Recompute::full};
    // With all degrees open everything is tried; a degree alone takes what is usual.
    const bool all = work_.idle_ranks;
    const std::vector<bool> split = p.tp == 1 ? std::vector<bool>{false}
                                    : all     ? std::vector<bool>{true, false}
                                              : std::vector<bool>{true};
    const std::vector<std::uint32_t> shards = all ? std::vector{1U, 0U, 2U, 3U} : std::vector{1U, 3U};
    for (const std::uint32_t zero : among(c.zero, shards)) {
      // Gathered once per micro-batch and stage: never worth it.
      if (c.zero.empty() && zero == 3 && p.pp > 1) continue;
      p.zero = zero;
      for (const bool sp : among(c.sp, split)) {
        p.sp = sp;
        for (const Recompute recompute : among(c.recompute, every)) {
          p.recompute = recompute;
          keep(p);
        }
      }
    }
  }

  /// Scale-up domains that a token's experts are in, its own among them, of `top_k` drawn at random: each of
  /// D domains is missed with (1 - 1/D)^k. The exchange counts all copies as leaving the rank.
  std::uint32_t copies(const Parallel& p) const {
    const std::uint64_t domains = std::uint64_t{p.ep} * p.etp / network_.domain;
    if (!work_.per_server_dispatch || domains < 2) return 0;
    u128 missed = 1'000'000;
    for (std::uint32_t k = 0; k < work_.model.top_k; ++k) missed = missed * (domains - 1) / domains;
    const u128 reached = (1'000'000 - missed) * domains / 1000;
    return static_cast<std::uint32_t>(std::min<u128>(reached, u128{work_.model.top_domains} * 1000));
  }

  void keep(Parallel p) {
    p.dispatch_copies = copies(p);
    ++result.tried;
    const bool all = !work_.idle_ranks;
    if (auto fault = fault_of(work_.model, p, all ? network_.ranks : 0)) {
      if (!result.fault) result.fault = std::move(fault);
      return;
    }
    if (p.ranks() > network_.ranks) return;
    legal.push_back(p);
  }

  const TrainingWork& work_;
  const TrainingNetwork& network_;
};

/// a is faster than b; equal ones stay in the order of the enumeration.
bool is_faster(const Candidate& a, const Candidate& b) {
  return a.time.step() < b.time.step();
}

}  // namespace

SearchResult search(const TrainingWork& work, const ChipMath& chip, const TrainingNetwork& network,
                    unsigned threads) {
  Enumeration enumeration(work, network);
  enumeration.run();
  SearchResult result = std::move(enumeration.result);
  result.legal = enumeration.legal.size();
  std::vector<Candidate> candidates(enumeration.legal.size());
  std::atomic<std::size_t> next{0};
  const auto judge = [&] {
    constexpr std::size_t batch = 64;
    for (std::size_t first; (first = next.fetch_add(batch)) < candidates.size();) {
      for (std::size_t i = first; i < std::min(first + batch, candidates.size()); ++i) {
        Candidate& one = candidates[i];
        one.parallel = enumeration.legal[i];
        one.memory = worst_stage(work.model, one.parallel);
        one.fits = one.memory.total() <= chip.memory;
        if (one.fits || work.ignores_memory) {
          one.time = estimate_step(training_cost(work.model, one.parallel, chip), one.parallel, network);
        }
      }
    }
  };
  if (threads == 0) threads = candidates.size() < 256 ? 1 : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> crew;
  for (unsigned t = 1; t < threads; ++t) crew.emplace_back(judge);
  judge();
  for (std::thread& thread : crew) thread.join();
  for (const Candidate& one : candidates) {
    if (one.fits) {
      result.fitting.push_back(one);
    } else if (!result.smallest || one.memory.total() < result.smallest->memory.total()) {
      result.smallest = one;
    }
  }
  if (result.fitting.empty() && work.ignores_memory && result.smallest)
    result.fitting.push_back(*result.smallest);
  std::stable_sort(result.fitting.begin(), result.fitting.end(), is_faster);
  return result;
}

std::string split_text(const Parallel& p) {
  std::string text = fmt::format("tp {} x pp {} x dp {}", p.tp, p.pp, p.dp);
  if (p.cp > 1) text += fmt::format(" x cp {}", p.cp);
  if (p.ep > 1) text += fmt::format(", ep {}", p.ep);
  text += fmt::format(", micro-batch {}", p.micro_batch);
  if (p.pp > 1) text += fmt::format(", {}", name_of(p.schedule));
  if (p.vp > 1) text += fmt::format(" of {} chunks", p.vp);
  text += fmt::format(", zero {}{}, recompute {}", p.zero, p.sp ? ", sequence parallel" : "",
                      name_of(p.recompute));
  return text;
}

}  // namespace tahoma
