#include "scenarios/summarize.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "core/errors.h"
#include "core/random.h"
#include "scenarios/chain_text.h"
#include "scenarios/number_text.h"

namespace tahoma {

namespace {

constexpr std::size_t worst_ranks = 5;

// Finishes of chips that are asked for mostly in a row: below the first digit that is not folded, they are of
// one class.
class FinishReader {
 public:
  FinishReader(const Solution& solution, std::size_t program)
      : classes_(solution.classes), finish_of_class_(solution.programs[program].finish_of_class) {
    if (!classes_.identity && classes_.parts.empty())
      row_ = classes_.kept.empty() ? std::uint64_t{1} << 32 : classes_.kept[0].stride;
  }

  Time of(ChipId chip) {
    if (chip < begin_ || chip >= end_) {
      begin_ = chip / row_ * row_;
      end_ = begin_ + row_;
      finish_ = finish_of_class_[classes_.of(chip)];
    }
    return finish_;
  }

 private:
  const ChipClasses& classes_;
  const std::vector<Time>& finish_of_class_;
  std::uint64_t row_ = 1, begin_ = 0, end_ = 0;
  Time finish_;
};

// Finish times of the classes that have ranks, in no order. Every class of a program has as many ranks.
std::vector<Time> finishes_of(const Solution& solution, std::size_t program) {
  const std::vector<Time>& of_class = solution.programs[program].finish_of_class;
  std::vector<Time> finishes;
  finishes.reserve(of_class.size());
  std::copy_if(of_class.begin(), of_class.end(), std::back_inserter(finishes),
               [](Time t) { return t != Time::never(); });
  return finishes;
}

// Nearest rank: the smallest time that at least p % of the ranks have reached.
Time percentile(std::vector<Time>& finishes, std::uint64_t orbit, std::uint64_t p) {
  const std::uint64_t ranks = finishes.size() * orbit;
  const std::uint64_t wanted = std::max<std::uint64_t>(1, (ranks * p + 99) / 100);
  const auto at = finishes.begin() + static_cast<std::ptrdiff_t>((wanted - 1) / orbit);
  std::nth_element(finishes.begin(), at, finishes.end());
  return *at;
}

// Sites of different hardware fold apart, and their classes are of different sizes: (finish, ranks),
// ascending.
std::vector<std::pair<Time, std::uint64_t>> weighted_finishes(const Solution& solution, std::size_t program) {
  const std::vector<Time>& of_class = solution.programs[program].finish_of_class;
  std::vector<std::pair<Time, std::uint64_t>> finishes;
  for (std::uint32_t c = 0; c < of_class.size(); ++c) {
    if (of_class[c] != Time::never()) finishes.emplace_back(of_class[c], solution.classes.orbit_of(c));
  }
  std::sort(finishes.begin(), finishes.end());
  return finishes;
}

Time weighted_percentile(const std::vector<std::pair<Time, std::uint64_t>>& finishes, std::uint64_t p) {
  std::uint64_t ranks = 0, passed = 0;
  for (const auto& [time, many] : finishes) ranks += many;
  const std::uint64_t wanted = std::max<std::uint64_t>(1, (ranks * p + 99) / 100);
  for (const auto& [time, many] : finishes) {
    passed += many;
    if (passed >= wanted) return time;
  }
  return finishes.back().first;
}

// The last ranks to finish, lowest first among equals.
std::vector<RankFinish> worst_of(const PlannedRow& row, const Topology& topology, const Solution& solution,
                                 std::size_t program, Time start, Time last) {
  std::vector<std::pair<Time, ChipId>> worst;
  FinishReader reader(solution, program);
  const auto full = [&] { return worst.size() == worst_ranks; };
  for (std::uint32_t g = 0; g < row.groups->groups(); ++g) {
    for (std::uint32_t p = 0; p < row.groups->size() && !(full() && worst.back().first == last); ++p) {
      const ChipId chip = row.groups->chip(g, p);
      const Time finish = reader.of(chip);
      if (full() && finish <= worst.back().first) continue;
      if (full()) worst.pop_back();
      const auto place =
          std::find_if(worst.begin(), worst.end(), [&](const auto& other) { return other.first < finish; });
      worst.insert(place, {finish, chip});
    }
  }
  std::vector<RankFinish> named;
  for (const auto& [finish, chip] : worst) named.push_back({topology.chip_name(chip), finish - start});
  return named;
}

double utilization(std::uint64_t bytes, Capacity capacity, Duration lasted) {
  if (lasted.ps <= 0 || capacity.q20 == 0) return 0;
  return static_cast<double>(bytes) / (bytes_per_second(capacity) * seconds(lasted));
}

bool reduces(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::reduce_scatter ||
         collective == Collective::reduce;
}

// The chain begins with the first send; what is before it, the software's launch, comes last in the text.
void add_software(CollectiveRow& row, const Software& software) {
  row.stack = software.stack;
  row.protocol = software.protocol;
  row.launch = software.launch;
  if (software.launch.ps == 0 || row.critical_chain.empty()) return;
  row.critical_chain.push_back(
      fmt::format("{} before that: {}'s launch", readable(software.launch), software.stack));
  row.critical_phases.insert(row.critical_phases.begin(), {"launch", "", software.launch});
}

bool uses_switch(const Schedule& schedule) {
  return std::any_of(schedule.phases.begin(), schedule.phases.end(),
                     [](const Phase& phase) { return phase.has_switch; });
}

}  // namespace

CollectiveRow summarize_row(const PlannedRow& planned, const Schedule& schedule, const Topology& topology,
                            const Solution& solution, std::size_t program, const Software& software) {
  const Solution::ProgramPart& part = solution.programs[program];
  const Time start{part.start.ps - software.launch.ps};  // of the call, not of the first send
  CollectiveRow row;
  row.job = planned.job->name;
  row.collective = std::string(name_of(planned.collective));
  row.algorithm = schedule.algorithm;
  row.why = schedule.why;
  row.ranks = planned.groups->size();
  row.groups = planned.groups->groups();
  row.bytes = planned.size.count;
  row.count = planned.size.count / planned.work->element_bytes;
  row.dtype = planned.work->dtype;
  row.redop = reduces(planned.collective) ? "sum" : "none";
  row.pipeline = schedule.pipeline;
  row.start = start;
  row.time = part.finish - start;
  const double time = seconds(row.time);
  row.algbw_GBps = time > 0 ? static_cast<double>(row.bytes) / time / 1e9 : 0;
  row.busbw_GBps = row.algbw_GBps * busbw_factor(planned.collective, planned.groups->size());
  const Bound bound =
      lower_bound(topology, *planned.groups, planned.collective, planned.size, planned.work->root,
                  planned.destinations, uses_switch(schedule) ? AddedBy::switches : AddedBy::hosts);
  row.lower_bound = bound.time;
  row.bound_by = bound.by;
  row.efficiency = time > 0 ? seconds(bound.time) / time : 1;
  TAHOMA_ASSERT(row.time >= bound.time,
                fmt::format("{} of {} bytes by {} took {} ps, below its bound of {} ps ({})", row.collective,
                            row.bytes, row.algorithm, row.time.ps, bound.time.ps, bound.by));
  row.solver = solution.solver;
  row.solver_why = solution.why;
  row.flows = solution.messages;
  row.classes = solution.rank_classes;
  std::vector<Time> finishes = finishes_of(solution, program);
  const bool by_site = !solution.classes.parts.empty();
  const auto weighted =
      by_site ? weighted_finishes(solution, program) : decltype(weighted_finishes(solution, 0)){};
  const auto after = [&](std::uint64_t p) {
    return by_site ? weighted_percentile(weighted, p) : percentile(finishes, solution.classes.orbit, p);
  };
  row.p0 = after(0) - start;
  row.p50 = after(50) - start;
  row.p99 = after(99) - start;
  const Time last = after(100);
  row.p100 = last - start;
  row.worst = worst_of(planned, topology, solution, program, start, last);
  row.critical_chain = chain_text(part.chain, schedule, topology, part.start);
  row.critical_phases = chain_phases(part.chain, schedule);
  add_software(row, software);
  return row;
}

std::vector<LinkRow> summarize_links(const Topology& topology, const Solution& solution, Duration lasted,
                                     const std::string& row) {
  struct Alike {
    std::uint64_t links = 0;
    LinkId first;
  };
  std::map<std::tuple<std::uint32_t, std::uint64_t, Capacity>, Alike> classes;  // tier, bytes, capacity
  for (const LinkUse& use : solution.links) {
    if (use.bytes == 0) continue;
    Alike& alike = classes[{topology.tier(use.link), use.bytes, use.capacity}];
    if (alike.links == 0 || use.link < alike.first) alike.first = use.link;
    alike.links += use.orbit;
  }
  std::vector<LinkRow> rows;
  for (const auto& [key, alike] : classes) {
    const auto& [tier, bytes, capacity] = key;
    LinkRow out;
    out.tier = topology.tiers()[tier].name;
    out.link = alike.links == 1 ? topology.link_name(alike.first)
                                : fmt::format("{} ({} links, {} ...)", out.tier, alike.links,
                                              topology.link_name(alike.first));
    out.links = alike.links;
    out.job_row = row;
    out.bytes = bytes;
    out.utilization = utilization(bytes, capacity, lasted);
    rows.push_back(std::move(out));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LinkRow& a, const LinkRow& b) { return a.utilization > b.utilization; });
  return rows;
}

Fingerprint::Fingerprint(const std::string& resolved_scenario) {
  for (const char c : resolved_scenario) mix(static_cast<unsigned char>(c));
}

void Fingerprint::mix(std::uint64_t value) {
  state_ = mix64(state_ ^ mix64(value));
}

void Fingerprint::add(const RankGroups& groups, const Solution& solution, std::size_t program) {
  Time run = Time::never();
  std::uint64_t length = 0;
  const auto flush = [&] {
    if (length == 0) return;
    mix(static_cast<std::uint64_t>(run.ps));
    mix(length);
  };
  if (solution.rank_classes == 1 && solution.programs.size() == 1) {
    run = solution.programs[program].finish;
    length = groups.ranks();
    flush();
    return;
  }
  FinishReader reader(solution, program);
  for (std::uint32_t g = 0; g < groups.groups(); ++g) {
    for (std::uint32_t p = 0; p < groups.size(); ++p) {
      const Time t = reader.of(groups.chip(g, p));
      if (t != run) {
        flush();
        run = t;
        length = 0;
      }
      ++length;
    }
  }
  flush();
}

std::string Fingerprint::text() const {
  return fmt::format("{:016x}", state_);
}

std::string row_name(const CollectiveRow& row) {
  return fmt::format("{}{}{} {} {}", row.job, row.job.empty() ? "" : ": ", row.collective, row.bytes,
                     row.algorithm);
}

}  // namespace tahoma
