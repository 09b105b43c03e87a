#include "collectives/solve/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "collectives/solve/star.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::size_t few_links = 4096;
constexpr std::uint64_t many_alike = 8;  // ranks of a class: then one of each is run sooner than all compiled
constexpr std::size_t few_rows = 1u << 16;  // some MB

}  // namespace

Block::Block(const Problem& problem, const Topology& topology, const PhaseRun& run, const Program& program,
             ChipId base)
    : topology_(topology),
      healthy_(problem.healthy != nullptr ? *problem.healthy : *problem.topology),
      groups_(program.groups->block(base, run.axes)),
      other_digits_(run.inside ? 0 : run.other_digits),
      blocks_(run.bases.size()),
      base_(base),
      ranks_per_chip_(topology.ranks_per_chip()),
      exchange_(run.exchange) {
  if (ranks_per_chip_ > 1) {
    chip_mates_ = static_cast<std::uint64_t>(std::count_if(run.bases.begin(), run.bases.end(), [&](ChipId b) {
      return b / ranks_per_chip_ == base / ranks_per_chip_;
    }));
  }
  problem_.topology = &topology;
  problem_.overhead = problem.overhead;
  problem_.reduction_rate = problem.reduction_rate;
  Program alone;
  alone.schedule = &run.schedule;
  alone.groups = &groups_;
  alone.rule = program.rule;
  problem_.programs = {alone};
  if (!prepare_ring(run.schedule) && !prepare_exchange()) prepare_program();
}

bool Block::prepare_ring(const Schedule& schedule) {
  const auto messages = ring_messages(schedule);
  if (!messages || problem_.reduction_rate.q20 != 0 || groups_.size() < 2) return false;
  const Bytes bytes{schedule.phases[0].roles[0].lanes[0].sends[0].bytes};
  auto network = ring_network(topology_, groups_, bytes, *messages, problem_.overhead,
                              blocks_ == 1 ? LikeDomains::together : LikeDomains::one_by_one);
  if (!network) return false;
  ring_sends_ = *messages;
  ring_kinds_ = std::move(network->kinds);
  ring_kind_of_ = std::move(network->kind_of);
  links_.reserve(network->links.size());
  for (const RingNetwork::Link& link : network->links)
    links_.push_back({link.id, link.capacity, link.bytes, link.binding, link.most_rate, link.copies});
  return true;
}

bool Block::prepare_exchange() {
  if (exchange_ == nullptr || problem_.reduction_rate.q20 != 0) return false;
  network_ = exchange_network(*exchange_, topology_, groups_);
  if (!network_) return false;
  links_.reserve(network_->links.size());
  for (const ExchangeNetwork::Link& link : network_->links)
    links_.push_back({link.id, link.capacity, link.bytes, link.binding, link.most_rate, 1});
  network_->links = {};
  prepare_fold(few_messages);
  return true;
}

// Where all ranks are ready together, one of each class will do.
void Block::prepare_fold(std::uint64_t most_messages) {
  const DigitMask foldable = foldable_digits(problem_);
  if (foldable != 0 && expansion_size(problem_, foldable).messages <= most_messages)
    folded_ = std::make_unique<Instance>(expand(problem_, foldable));
}

void Block::prepare_program() {
  const ExpansionSize size = expansion_size(problem_, 0);
  if (size.bytes > most_engine_bytes || size.messages > most_unasked_messages) {
    throw InfeasibleError(fmt::format(
        "no exact solver can finish this soon: a block of {} ranks has {} messages on links that "
        "they share (limit: {}); what can be answered is an algorithm for each level, such as "
        "{{intra: torus, inter: halving_doubling}}, one with fewer messages, for an exchange of "
        "all with all on a healthy network direct, or this for fewer ranks; --solver engine takes "
        "up to {} messages",
        groups_.size(), size.messages, most_unasked_messages, most_engine_messages));
  }
  instance_ = expand(problem_, 0);
  std::vector<std::uint64_t> bytes(instance_.links.size(), 0);
  std::vector<u128> most_rate(instance_.links.size(), 0);
  for (const Instance::Lane& lane : instance_.lanes) {
    for (std::uint32_t k = 0; k < lane.sends; ++k) {
      const Instance::SendRow& row = instance_.sends[lane.send(k)];
      const Instance::SendShape& shape = instance_.shape(row);
      // A lane has one message at a time; its peers' paths count once each where they are told apart.
      const bool new_path = k == 0 || row.path != instance_.sends[lane.send(k - 1)].path;
      const std::uint64_t second = shape.ways == 2 ? shape.bytes / 2 : 0;
      const std::uint64_t share[2] = {shape.bytes - second, second};
      for (std::uint32_t way = 0; way < shape.ways; ++way) {
        const Instance::Path& path = instance_.paths[row.path + way];
        u128 rate = path.cap.q20 != 0 ? u128{path.cap.q20} : ~u128{0};
        for (std::uint32_t i = path.first_crossing; i < path.first_crossing + path.crossings; ++i) {
          rate = std::min(rate, instance_.binding_capacity[instance_.crossing[i].link].q20);
        }
        for (std::uint32_t i = path.first; i < path.first + path.count; ++i) {
          bytes[instance_.path_links[i]] += share[way] * shape.reps;
          if (new_path) most_rate[instance_.path_links[i]] += rate;
        }
      }
    }
  }
  for (std::size_t l = 0; l < instance_.links.size(); ++l) {
    const Instance::Link& link = instance_.links[l];
    links_.push_back({link.id, link.capacity, bytes[l], link.binding != Instance::no_link, most_rate[l], 1});
  }
  prepare_fold(most_engine_messages);
}

// How many links like this one the blocks of the run have together: one each, or one for all, or between.
std::uint64_t Block::alike(LinkId link) const {
  if (topology_.owner_chip(link)) return blocks_ / sharers(link);
  const auto digits = healthy_.digits();
  DigitMask symmetric = 0;
  std::uint64_t along = 1;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    if ((other_digits_ >> d & 1) == 0) continue;
    if (!digits[d].shift && !digits[d].exclusive_or && digits[d].size > 1) continue;
    symmetric |= DigitMask{1} << d;
    along *= digits[d].size;
  }
  return along == blocks_ ? healthy_.orbit_size(link, symmetric) : 1;
}

// Blocks that have ranks on the chip of a link, if that chip's ranks have the link in common.
std::uint64_t Block::sharers(LinkId link) const {
  return topology_.sharing_ranks(link) > 1 ? chip_mates_ : 1;
}

bool Block::stays_apart(std::span<const ChipId> offsets, std::optional<NetworkPart> part,
                        std::string& why_not) const {
  std::vector<ChipId> mine;
  if (blocks_ > 1) mine.assign(offsets.begin(), offsets.end());
  for (ChipId& rank : mine) rank += base_;
  std::vector<ChipId> my_chips = mine;
  for (ChipId& rank : my_chips) rank -= rank % ranks_per_chip_;
  for (auto* ranks : {&mine, &my_chips}) std::sort(ranks->begin(), ranks->end());
  for (const UsedLink& used : links_) {
    if (part && topology_.part(used.link) != *part) {
      why_not = "a detour leaves its part of the network: " + topology_.link_name(used.link);
      return false;
    }
    if (!used.binding || blocks_ == 1) continue;
    const auto owner = topology_.owner_chip(used.link);
    // No other block has ranks where this one has: so where it stays on its own chips, no other comes there.
    const auto& owners = topology_.sharing_ranks(used.link) > 1 ? my_chips : mine;
    const bool at_home = owner && std::binary_search(owners.begin(), owners.end(), *owner);
    if (at_home ? sharers(used.link) == 1 : !owner && alike(used.link) == blocks_) continue;
    // Shared, but never more than it can carry, however the blocks fall together.
    if ((at_home || !owner) && used.most_rate <= used.capacity.q20 / (blocks_ / alike(used.link))) continue;
    why_not = "blocks share " + topology_.link_name(used.link);
    return false;
  }
  return true;
}

// Compiled when first asked for: it costs more than a run of a few classes.
const std::optional<Uncontended>& Block::arithmetic() const {
  std::call_once(compiled_, [&] {
    if (!network_) arithmetic_ = Uncontended::compile(instance_);
  });
  return arithmetic_;
}

bool Block::is_small() const {
  return instance_.sends.size() <= few_rows;
}

void Block::solve(std::span<const Time> ready, std::vector<Time>& finish, Scratch& scratch,
                  Counts& counts) const {
  finish.assign(ready.size(), Time{});
  if (!ring_kinds_.empty()) {
    solve_ring(ring_kinds_, ring_kind_of_, ready, ring_sends_, finish);
    ++counts.by_stream;
    return;
  }
  const bool together =
      folded_ && std::all_of(ready.begin(), ready.end(), [&](Time t) { return t == ready[0]; });
  if (network_) {
    if (evaluate_levels(*exchange_, *network_, problem_.overhead, ready, finish, scratch.levels)) {
      ++counts.by_arithmetic;
      return;
    }
  } else if (!(together && folded_->classes.orbit >= many_alike) && arithmetic() &&
             arithmetic()->evaluate(ready, finish, scratch.arithmetic)) {
    ++counts.by_arithmetic;
    return;
  }
  if (together) {
    solve_folded(ready[0], finish, counts);
  } else if (network_) {
    StarCost cost;
    simulate_star(*exchange_, *network_, problem_.overhead, ready, finish, scratch.levels.arrival, cost);
    ++counts.by_star;
    counts.events += cost.events;
    counts.solves += cost.solves;
  } else {
    scratch.delays.assign(ready.size(), Duration{});
    for (std::size_t i = 0; i < ready.size(); ++i) scratch.delays[i] = ready[i] - Time{};
    const EngineResult result = run_engine(instance_, topology_, scratch.delays);
    // A rank that only receives may have all before it enters the phase; it is done when it enters.
    for (std::size_t i = 0; i < ready.size(); ++i) finish[i] = std::max(ready[i], result.node_finish[i]);
    ++counts.by_engine;
    counts.events += result.events;
    counts.solves += result.solves;
  }
}

void Block::solve_folded(Time ready, std::vector<Time>& finish, Counts& counts) const {
  const std::vector<Duration> delays(folded_->nodes.size(), ready - Time{});
  const EngineResult result = run_engine(*folded_, topology_, delays);
  std::vector<Time> of_class(folded_->classes.count, Time::never());
  for (std::size_t n = 0; n < folded_->nodes.size(); ++n)
    of_class[folded_->nodes[n].chip_class] = result.node_finish[n];
  for (std::uint32_t p = 0; p < finish.size(); ++p)
    finish[p] = std::max(ready, of_class[folded_->classes.of(groups_.chip(0, p))]);
  ++counts.by_quotient;
  counts.events += result.events;
  counts.solves += result.solves;
}

// A rail has 100,000 links: alike ones are told together, so that 64 rails fit beside each other. For the
// same reason what is returned must never have held them all: a vector keeps the room it once had.
std::vector<LinkUse> Block::link_uses(std::uint64_t blocks) const {
  const bool together = links_.size() > few_links;
  std::vector<LinkUse> uses;
  uses.reserve(together ? 0 : links_.size());
  std::map<std::tuple<std::uint32_t, std::uint64_t, Capacity>, LinkUse> classes;
  for (const UsedLink& used : links_) {
    const std::uint64_t orbit =
        blocks == 1 ? 1 : std::max<std::uint64_t>(1, std::min(blocks / sharers(used.link), alike(used.link)));
    const LinkUse use{used.link, orbit * used.copies, used.bytes * (blocks / orbit), used.capacity};
    if (!together) {
      uses.push_back(use);
      continue;
    }
    LinkUse& alike_ones =
        classes.try_emplace({topology_.tier(use.link), use.bytes, use.capacity}, use).first->second;
    if (alike_ones.link != use.link) alike_ones.orbit += use.orbit;
  }
  for (const auto& [key, use] : classes) uses.push_back(use);
  return uses;
}

}  // namespace tahoma
