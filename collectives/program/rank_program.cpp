#include "collectives/program/rank_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::string_view kind_words[] = {"computes", "sends", "receives", "reduces", "waits"};

std::string deed_of(const RankProgram& program, std::uint32_t op) {
  const RankProgram::Op& o = program.ops[op];
  std::string text = fmt::format("{} {}", program.name_of(op), kind_words[static_cast<std::size_t>(o.kind)]);
  if (o.kind == RankProgram::Kind::send) text += fmt::format(" to rank {}", o.peer);
  if (o.kind == RankProgram::Kind::receive) text += fmt::format(" from rank {}", o.peer);
  return text;
}

std::uint32_t some_of(const RankProgram& program, std::uint32_t op) {
  TAHOMA_ASSERT(program.ops[op].amount >= 1 && program.ops[op].amount <= program.needs_of(op).size(),
                "a wait for more operations than there are, or for none");
  return static_cast<std::uint32_t>(program.ops[op].amount);
}

// What `op` waits for among those that are not done; none if it could be done.
std::uint32_t waits_for(const RankProgram& program, std::uint32_t op, const std::vector<bool>& done) {
  for (const std::uint32_t need : program.needs_of(op)) {
    if (!done[need]) return need;
  }
  const RankProgram::Op& o = program.ops[op];
  const bool waits = o.kind == RankProgram::Kind::receive && !done[o.partner];
  return waits ? o.partner : RankProgram::none;
}

[[noreturn]] void tell_circle(const RankProgram& program, const std::vector<bool>& done) {
  const auto first = static_cast<std::uint32_t>(std::find(done.begin(), done.end(), false) - done.begin());
  std::map<std::uint32_t, std::size_t> at;
  std::vector<std::uint32_t> chain;
  std::uint32_t op = first;
  while (at.emplace(op, chain.size()).second) {
    chain.push_back(op);
    op = waits_for(program, op, done);
    TAHOMA_ASSERT(op != RankProgram::none, "an operation that waits for nothing was not done");
  }
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(at[op]));
  constexpr std::size_t most_told = 8;
  std::string text;
  for (std::size_t i = 0; i < chain.size() && i < most_told; ++i)
    text += (i == 0 ? "" : ", which waits for: ") + deed_of(program, chain[i]);
  if (chain.size() > most_told) text += fmt::format(", and {} more", chain.size() - most_told);
  throw ScenarioError("the program waits for itself: " + text + ", which waits for the first of these");
}

using Connection = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // source, target, channel

}  // namespace

std::uint32_t RankProgram::add(const Op& op, const Origin& origin, std::span<const std::uint32_t> more) {
  TAHOMA_ASSERT(ops.size() < none, "too many operations for their numbers");
  ops.push_back(op);
  origins.push_back(origin);
  needs.insert(needs.end(), more.begin(), more.end());
  first_need.push_back(needs.size());
  return static_cast<std::uint32_t>(ops.size() - 1);
}

std::string RankProgram::name_of(std::uint32_t op) const {
  const Origin& origin = origins[op];
  std::string text =
      fmt::format("rank {}, {} {}, step {}", ops[op].rank, lane_word, origin.lane, origin.step);
  if (origin.line > 0) text += fmt::format(" (line {})", origin.line);
  return text;
}

void match_messages(RankProgram& program) {
  std::map<Connection, std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> connections;
  for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
    const RankProgram::Op& op = program.ops[i];
    if (op.partner != RankProgram::none) continue;
    if (op.kind == RankProgram::Kind::send) connections[{op.rank, op.peer, op.channel}].first.push_back(i);
    if (op.kind == RankProgram::Kind::receive)
      connections[{op.peer, op.rank, op.channel}].second.push_back(i);
  }
  for (auto& [connection, ends] : connections) {
    auto& [sends, receives] = ends;
    if (sends.size() != receives.size()) {
      const bool unsent = receives.size() > sends.size();
      const std::uint32_t lone = unsent ? receives[sends.size()] : sends[receives.size()];
      throw ScenarioError(fmt::format(
          "{}, and nothing {} it: from rank {} to rank {} on channel {} there are {} sends and {} receives",
          deed_of(program, lone), unsent ? "sends" : "receives", std::get<0>(connection),
          std::get<1>(connection), std::get<2>(connection), sends.size(), receives.size()));
    }
    for (std::size_t k = 0; k < sends.size(); ++k) {
      RankProgram::Op &send = program.ops[sends[k]], &receive = program.ops[receives[k]];
      if (send.amount != receive.amount) {
        throw ScenarioError(fmt::format("{} {} bytes, and the receive that takes them expects {}: {}",
                                        deed_of(program, sends[k]), send.amount, receive.amount,
                                        program.name_of(receives[k])));
      }
      send.partner = receives[k];
      receive.partner = sends[k];
    }
  }
}

std::vector<std::uint32_t> order_of(const RankProgram& program) {
  const std::size_t n = program.ops.size();
  std::vector<std::uint32_t> left(n), successors;
  std::vector<std::uint64_t> first(n + 2, 0);
  const auto each_edge = [&](auto&& edge) {
    for (std::uint32_t op = 0; op < n; ++op) {
      for (const std::uint32_t need : program.needs_of(op)) edge(need, op);
      if (program.ops[op].kind == RankProgram::Kind::receive) edge(program.ops[op].partner, op);
    }
  };
  each_edge([&](std::uint32_t from, std::uint32_t to) {
    ++left[to];
    ++first[from + 2];
  });
  for (std::uint32_t op = 0; op < n; ++op) {
    if (program.ops[op].kind == RankProgram::Kind::some) left[op] = some_of(program, op);
  }
  for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  successors.resize(first.back());
  each_edge([&](std::uint32_t from, std::uint32_t to) { successors[first[from + 1]++] = to; });
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t op = 0; op < n; ++op) {
    if (left[op] == 0) ready.push(op);
  }
  std::vector<std::uint32_t> order;
  order.reserve(n);
  while (!ready.empty()) {
    const std::uint32_t op = ready.top();
    ready.pop();
    order.push_back(op);
    for (std::uint64_t s = first[op]; s < first[op + 1]; ++s) {
      std::uint32_t& more = left[successors[s]];
      if (more > 0 && --more == 0) ready.push(successors[s]);
    }
  }
  if (order.size() < n) {
    std::vector<bool> done(n, false);
    for (const std::uint32_t op : order) done[op] = true;
    tell_circle(program, done);
  }
  return order;
}

RankProgram side_by_side(const RankProgram& program, std::uint32_t copies) {
  RankProgram all;
  all.lane_word = program.lane_word;
  all.launch = program.launch;
  all.send_rate = program.send_rate;
  all.ranks = program.ranks * copies;
  all.servers = program.servers * copies;
  const auto size = static_cast<std::uint32_t>(program.ops.size());
  const auto moved = [](std::uint32_t number, std::uint32_t by) {
    return number == RankProgram::none ? number : number + by;
  };
  std::vector<std::uint32_t> needs;
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    for (std::uint32_t i = 0; i < size; ++i) {
      RankProgram::Op op = program.ops[i];
      op.rank += copy * program.ranks;
      op.peer = moved(op.peer, copy * program.ranks);
      op.partner = moved(op.partner, copy * size);
      op.server = moved(op.server, copy * program.servers);
      needs.clear();
      for (const std::uint32_t need : program.needs_of(i)) needs.push_back(need + copy * size);
      all.add(op, program.origins[i], needs);
    }
  }
  return all;
}

}  // namespace tahoma
