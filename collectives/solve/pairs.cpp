#include "collectives/solve/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_inner_chips = 1u << 14;  // displacements that are told apart

struct Crossed {
  std::uint32_t link;
  std::uint64_t flows;  // of the class, on each link of the orbit
};

// The flows from every chip to its `count` destinations of one class, by one of the route's ways.
struct PairClass {
  ChipId to;  // one of them, from chip 0
  std::uint64_t bytes;
  Duration latency;
  Rate cap;
  std::vector<Crossed> crossed;  // binding links
  u128 remaining = 0;
  Time since, finish = Time::never();
  Rate rate;
  bool drained = false;
};

struct LinkOrbit {
  LinkUse use;
  bool binding;
};

std::string refusal(const Problem& problem) {
  if (problem.programs.size() != 1 || !problem.flows.empty())
    return "several programs or flows share the network";
  if (!problem.delays.empty()) return "a straggler breaks the symmetry";
  if (problem.memory.rate.q20 != 0) return "chips' memories are shared too";
  const Topology& topology = *problem.topology;
  if (topology.stores_somewhere()) return "messages wait at links that store and forward";
  const Program& program = problem.programs[0];
  const Schedule& schedule = *program.schedule;
  if (schedule.phases.size() != 1 || schedule.pipeline != 1 || schedule.channels != 1 ||
      schedule.phases[0].to_every_other == 0) {
    return "the program is not one exchange of all with all at once";
  }
  if (topology.chips() < 2) return "a rank alone exchanges nothing";
  const PhaseGoal goal = schedule.phases[0].goal;
  const bool adds = goal == PhaseGoal::reduce_scatter || goal == PhaseGoal::all_reduce;
  if (adds && problem.reduction_rate.q20 != 0) return "arrivals queue for the reduction";
  if (program.groups->size() != topology.chips()) return "the ranks are not all chips";
  const DigitMask foldable = foldable_digits(problem);
  const auto digits = topology.digits();
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if (digits[d].size > 1 && (foldable >> d & 1) == 0)
      return fmt::format("the network is not the same seen from every {}: faults, or unequal groups",
                         digits[d].name);
  }
  return {};
}

class PairSolver {
 public:
  explicit PairSolver(const Problem& problem)
      : problem_(problem), topology_(*problem.topology), program_(problem.programs[0]) {
    for (std::uint32_t d = 0; d < topology_.digits().size(); ++d) all_digits_ |= DigitMask{1} << d;
  }

  std::optional<Solution> solve(std::string& why_not) {
    if (!add_classes(why_not)) return std::nullopt;
    run();
    return solution();
  }

 private:
  bool add_classes(std::string& why_not);
  void add_class(ChipId destination, std::uint64_t count);
  std::uint32_t orbit_number(LinkId link);
  void share_out(Time now);
  void run();
  Solution solution() const;

  const Problem& problem_;
  const Topology& topology_;
  const Program& program_;
  DigitMask all_digits_ = 0;
  std::vector<PairClass> classes_;
  std::map<LinkId, std::uint32_t> number_;
  std::vector<LinkOrbit> orbits_;
  Route route_;
  // Of share_out:
  std::vector<Share> left_;
  std::vector<std::uint8_t> frozen_;
};

std::uint32_t PairSolver::orbit_number(LinkId link) {
  const LinkId representative = topology_.canonical(link, all_digits_);
  const auto [at, fresh] = number_.try_emplace(representative, static_cast<std::uint32_t>(orbits_.size()));
  if (fresh) {
    const LinkUse use{representative, topology_.orbit_size(link, all_digits_), 0, topology_.capacity(link)};
    orbits_.push_back({use, !topology_.never_binds(link)});
  }
  return at->second;
}

void PairSolver::add_class(ChipId destination, std::uint64_t count) {
  const std::uint64_t bytes = program_.schedule->phases[0].to_every_other;
  topology_.route(0, destination, 0, route_);
  const std::uint64_t second = route_.ways == 2 ? bytes / 2 : 0;
  const std::uint64_t share[2] = {bytes - second, second};
  const u128 flows = u128{topology_.chips()} * count;
  for (std::uint32_t way = 0; way < 2; ++way) {
    if (share[way] == 0) continue;
    const Path& path = route_.path[way];
    PairClass pair;
    pair.to = destination;
    pair.bytes = share[way];
    pair.latency = path.latency;
    pair.cap = path.cap;
    pair.remaining = work_of(Bytes{share[way]}).units;
    std::map<std::uint32_t, std::uint64_t> hops;
    for (const LinkId link : path.links) ++hops[orbit_number(link)];
    for (const auto& [number, times] : hops) {
      LinkOrbit& orbit = orbits_[number];
      const u128 crossings = flows * times;
      TAHOMA_ASSERT(crossings % orbit.use.orbit == 0, "a class of pairs does not cross alike links alike");
      const auto each = static_cast<std::uint64_t>(crossings / orbit.use.orbit);
      orbit.use.bytes += each * share[way];
      if (orbit.binding) pair.crossed.push_back({number, each});
    }
    classes_.push_back(std::move(pair));
  }
}

// Destinations of chip 0: inside its domain each for itself, outside by displacement and highest differing
// digit.
bool PairSolver::add_classes(std::string& why_not) {
  const auto digits = topology_.digits();
  std::size_t first = digits.size();
  while (first > 0 && (digits[first - 1].interchangeable || digits[first - 1].size == 1)) --first;
  const std::uint64_t inner = first == digits.size() ? topology_.chips() : digits[first].stride;
  if (inner > most_inner_chips) {
    why_not = fmt::format("{} chips must be told apart", inner);
    return false;
  }
  for (std::uint32_t offset = 0; offset < inner; ++offset) {
    if (offset != 0) add_class(offset, 1);
    std::uint64_t below = 1;
    for (std::size_t d = first; d < digits.size(); ++d) {
      if (digits[d].size > 1) add_class(offset + digits[d].stride, (digits[d].size - 1) * below);
      below *= digits[d].size;
    }
  }
  return true;
}

// Progressive filling by the rules of core/fair_share.h, with the large multiplicities of this case.
void PairSolver::share_out(Time now) {
  left_.clear();
  for (const LinkOrbit& orbit : orbits_) left_.push_back({orbit.use.capacity.q20, 0});
  frozen_.assign(classes_.size(), 0);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    frozen_[c] = classes_[c].drained ? 1 : 0;
    if (frozen_[c] != 0) continue;
    for (const Crossed& crossed : classes_[c].crossed) {
      left_[crossed.link].crossings += crossed.flows;
      TAHOMA_ASSERT(left_[crossed.link].crossings < (std::uint64_t{1} << 40),
                    "more than 2^40 flows on one link");
    }
  }
  for (;;) {
    Share least;
    for (const Share& share : left_) least = std::min(least, share);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (frozen_[c] == 0 && classes_[c].cap.q20 != 0) least = std::min(least, Share{classes_[c].cap.q20, 1});
    }
    if (least.none()) return;
    const std::vector<Share> before = left_;  // all links at the minimum freeze together
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      PairClass& pair = classes_[c];
      const bool held = std::any_of(pair.crossed.begin(), pair.crossed.end(),
                                    [&](const Crossed& crossed) { return before[crossed.link] == least; });
      if (frozen_[c] != 0 || !(held || (pair.cap.q20 != 0 && Share{pair.cap.q20, 1} == least))) continue;
      frozen_[c] = 1;
      const Rate rate = least.floor();
      for (const Crossed& crossed : pair.crossed) {
        left_[crossed.link].capacity -= u128{rate.q20} * crossed.flows;
        left_[crossed.link].crossings -= crossed.flows;
      }
      if (pair.rate == rate) continue;
      TAHOMA_ASSERT(rate.q20 > 0, "a flow without a rate");
      pair.remaining -= u128{pair.rate.q20} * static_cast<u128>((now - pair.since).ps);
      pair.since = now;
      pair.rate = rate;
      pair.finish = now + time_to_move(Work{pair.remaining}, rate);
    }
  }
}

void PairSolver::run() {
  Time now = program_.start + problem_.overhead;
  for (PairClass& pair : classes_) pair.since = now;
  for (std::size_t left = classes_.size(); left > 0;) {
    share_out(now);
    now = Time::never();
    for (const PairClass& pair : classes_) {
      if (!pair.drained) now = std::min(now, pair.finish);
    }
    TAHOMA_ASSERT(now != Time::never(), "a flow that crosses no link and has no cap");
    for (PairClass& pair : classes_) {
      if (pair.drained || pair.finish != now) continue;
      pair.drained = true;
      --left;
    }
  }
}

Solution PairSolver::solution() const {
  Solution solution;
  solution.classes = chip_classes(topology_, all_digits_);
  Time finish;
  CriticalChain chain;
  for (const PairClass& pair : classes_) {
    if (pair.finish + pair.latency <= finish) continue;
    finish = pair.finish + pair.latency;
    chain.parts = {{ChainPart::Kind::single, 0, 1, 0, pair.to, program_.start, finish}};
  }
  chain.origin_start = program_.start;
  chain.known = true;
  solution.programs.push_back({program_.start, finish, {finish}, std::move(chain)});
  for (const LinkOrbit& orbit : orbits_) solution.links.push_back(orbit.use);
  std::sort(solution.links.begin(), solution.links.end(),
            [](const LinkUse& a, const LinkUse& b) { return a.link < b.link; });
  solution.solver = "pairs";
  solution.rank_classes = 1;
  const std::uint64_t chips = topology_.chips();
  solution.messages = chips * (chips - 1);
  solution.events = classes_.size();
  solution.why = fmt::format("{} classes of pairs stand for {} messages", classes_.size(), solution.messages);
  return solution;
}

}  // namespace

std::optional<Solution> solve_by_pairs(const Problem& problem, std::string& why_not) {
  why_not = refusal(problem);
  if (!why_not.empty()) return std::nullopt;
  return PairSolver(problem).solve(why_not);
}

}  // namespace tahoma
