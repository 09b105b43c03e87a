#include "collectives/program/program_colours.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <tuple>

#include "core/errors.h"
#include "core/random.h"

namespace tahoma {

namespace {

using Colour = std::uint64_t;

constexpr Colour joined(Colour a, Colour b) {
  return mix64(a * 3 + mix64(b));
}
Colour colour_of(u128 number) {
  return joined(static_cast<Colour>(number), static_cast<Colour>(number >> 64));
}

class Refinement {
 public:
  Refinement(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
             const ProgramNetwork& network)
      : program_(program), network_(network), in_(network.instance), order_(order_of(program)) {
    delay_.assign(program.ranks, 0);
    boost::unordered_flat_map<ChipId, std::int64_t> delays;
    for (const ChipDelay& delay : problem.delays) delays[delay.chip] = delay.delay.ps;
    for (std::uint32_t rank = 0; rank < program.ranks && !delays.empty(); ++rank) {
      const auto at = delays.find(chips[rank]);
      if (at != delays.end()) delay_[rank] = at->second;
    }
    ops_.resize(program.ops.size());
    paths_.resize(in_.paths.size());
    for (const Capacity capacity : in_.binding_capacity) links_.push_back(colour_of(capacity.q20));
    servers_.assign(program.servers, 0);
    place_.assign(program.ops.size(), 0);
    std::vector<std::uint32_t> count(program.servers, 0);
    for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
      if (program.ops[op].server != RankProgram::none) place_[op] = ++count[program.ops[op].server];
    }
  }

  ProgramColours find() {
    ProgramColours result;
    std::size_t before = 0;
    for (;;) {
      ++result.rounds;
      colour_paths();
      colour_ops();
      result.op_classes = number(ops_, result.class_of_op);
      result.link_classes = number(links_, result.class_of_link);
      result.server_classes = number(servers_, result.class_of_server);
      const std::size_t now = std::size_t{result.op_classes} + result.link_classes + result.server_classes;
      if (now == before) break;
      before = now;
      colour_links();
      colour_servers();
    }
    verify(result);
    return result;
  }

 private:
  void colour_paths() {
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const Instance::Path& path = in_.paths[p];
      Colour links = 0;
      for (std::uint32_t c = path.first_crossing; c < path.first_crossing + path.crossings; ++c)
        links += joined(links_[in_.crossing[c].link], in_.crossing[c].multiplicity);
      paths_[p] = joined(joined(path.cap.q20, static_cast<Colour>(in_.latency[p].ps)), links);
    }
  }

  void colour_ops() {
    for (const std::uint32_t number : order_) {
      const RankProgram::Op& op = program_.ops[number];
      Colour colour = joined(static_cast<Colour>(op.kind), op.amount);
      Colour needs = 0;
      for (const std::uint32_t need : program_.needs_of(number)) needs += mix64(ops_[need]);
      colour = joined(colour, needs);
      // Its place tells it from its like on the same server, of which only one would be run otherwise.
      if (op.server != RankProgram::none)
        colour = joined(joined(colour, servers_[op.server]), place_[number]);
      if (op.kind == RankProgram::Kind::receive) colour = joined(colour, ops_[op.partner]);
      if (op.kind == RankProgram::Kind::send) {
        const ProgramNetwork::Way way = network_.of_op[number];
        for (std::uint32_t w = 0; w < way.ways; ++w) colour = joined(colour, paths_[way.path + w]);
        colour = joined(colour, static_cast<Colour>(delay_[op.rank]));
      }
      ops_[number] = colour;
    }
  }

  void colour_links() {
    std::vector<Colour> crossed(links_.size(), 0);
    each_crossing([&](std::uint32_t link, std::uint32_t op, std::uint32_t way, std::uint32_t multiplicity) {
      crossed[link] += multiplicity * mix64(ops_[op] + way);
    });
    for (std::size_t l = 0; l < links_.size(); ++l) links_[l] = joined(links_[l], crossed[l]);
  }

  template <class Do>
  void each_crossing(Do&& look) const {
    for (std::uint32_t op = 0; op < program_.ops.size(); ++op) {
      const ProgramNetwork::Way way = network_.of_op[op];
      for (std::uint32_t w = 0; w < way.ways; ++w) {
        const Instance::Path& path = in_.paths[way.path + w];
        for (std::uint32_t c = path.first_crossing; c < path.first_crossing + path.crossings; ++c)
          look(in_.crossing[c].link, op, w, in_.crossing[c].multiplicity);
      }
    }
  }

  // In order: who is served first among equals is the lowest number.
  void colour_servers() {
    std::vector<Colour> does(servers_.size(), 0);
    for (std::uint32_t op = 0; op < program_.ops.size(); ++op) {
      const std::uint32_t server = program_.ops[op].server;
      if (server != RankProgram::none) does[server] = joined(does[server], ops_[op]);
    }
    for (std::size_t s = 0; s < servers_.size(); ++s) servers_[s] = joined(servers_[s], does[s]);
  }

  static std::uint32_t number(const std::vector<Colour>& colours, std::vector<std::uint32_t>& class_of) {
    boost::unordered_flat_map<Colour, std::uint32_t> known;
    class_of.resize(colours.size());
    for (std::size_t i = 0; i < colours.size(); ++i)
      class_of[i] = known.try_emplace(colours[i], static_cast<std::uint32_t>(known.size())).first->second;
    return static_cast<std::uint32_t>(known.size());
  }

  // The conditions of the theorem, without hashes.
  void verify(ProgramColours& found) const;
  using Signature = std::vector<std::uint64_t>;
  void sign_op(const ProgramColours& found, std::uint32_t number, Signature& signature) const;
  void verify_links(ProgramColours& found) const;
  void verify_servers(const ProgramColours& found) const;

  const RankProgram& program_;
  const ProgramNetwork& network_;
  const Instance& in_;
  const std::vector<std::uint32_t> order_;
  std::vector<std::int64_t> delay_;   // by rank
  std::vector<std::uint32_t> place_;  // by operation: on its server, from 1 on
  std::vector<Colour> ops_, paths_, links_, servers_;
};

void Refinement::sign_op(const ProgramColours& found, std::uint32_t number, Signature& signature) const {
  const RankProgram::Op& op = program_.ops[number];
  signature = {static_cast<std::uint64_t>(op.kind), op.amount};
  signature.push_back(op.server == RankProgram::none ? RankProgram::none : found.class_of_server[op.server]);
  const auto sorted_from = [&](std::size_t first) {
    std::sort(signature.begin() + static_cast<std::ptrdiff_t>(first), signature.end());
  };
  std::size_t first = signature.size();
  for (const std::uint32_t need : program_.needs_of(number)) signature.push_back(found.class_of_op[need]);
  sorted_from(first);
  if (op.kind == RankProgram::Kind::send || op.kind == RankProgram::Kind::receive)
    signature.push_back(found.class_of_op[op.partner]);
  if (op.kind != RankProgram::Kind::send) return;
  signature.push_back(static_cast<std::uint64_t>(delay_[op.rank]));
  const ProgramNetwork::Way way = network_.of_op[number];
  for (std::uint32_t w = 0; w < way.ways; ++w) {
    const Instance::Path& path = in_.paths[way.path + w];
    signature.push_back(path.cap.q20);
    signature.push_back(static_cast<std::uint64_t>(in_.latency[way.path + w].ps));
    first = signature.size();
    for (std::uint32_t c = path.first_crossing; c < path.first_crossing + path.crossings; ++c) {
      const Crossing& crossing = in_.crossing[c];
      signature.push_back(std::uint64_t{found.class_of_link[crossing.link]} << 32 | crossing.multiplicity);
    }
    sorted_from(first);
  }
}

void Refinement::verify_links(ProgramColours& found) const {
  struct Crossed {
    std::uint32_t link;
    std::uint64_t flow, multiplicity;
  };
  std::vector<Crossed> all;
  each_crossing([&](std::uint32_t link, std::uint32_t op, std::uint32_t way, std::uint32_t multiplicity) {
    all.push_back({link, ProgramColours::flow(found.class_of_op[op], way), multiplicity});
  });
  std::sort(all.begin(), all.end(), [](const Crossed& a, const Crossed& b) {
    return std::tie(a.link, a.flow) < std::tie(b.link, b.flow);
  });
  std::vector<std::uint32_t> representative(found.link_classes, RankProgram::none);
  found.crossed.resize(found.link_classes);
  auto next = all.begin();
  std::vector<ProgramColours::Crossed> counts;
  for (std::uint32_t link = 0; link < links_.size(); ++link) {
    counts.clear();
    for (; next != all.end() && next->link == link; ++next) {
      if (counts.empty() || counts.back().flow != next->flow) counts.push_back({next->flow, 0});
      counts.back().crossings += next->multiplicity;
    }
    const std::uint32_t c = found.class_of_link[link];
    if (representative[c] == RankProgram::none) {
      representative[c] = link;
      found.crossed[c] = counts;
    }
    TAHOMA_ASSERT(
        in_.binding_capacity[link] == in_.binding_capacity[representative[c]] && counts == found.crossed[c],
        "two colours of links collided");
  }
}

void Refinement::verify_servers(const ProgramColours& found) const {
  std::vector<Signature> does(program_.servers), of_class(found.server_classes);
  for (std::uint32_t op = 0; op < program_.ops.size(); ++op) {
    const std::uint32_t server = program_.ops[op].server;
    if (server != RankProgram::none) does[server].push_back(found.class_of_op[op]);
  }
  for (std::uint32_t s = 0; s < program_.servers; ++s) {
    Signature& known = of_class[found.class_of_server[s]];
    if (known.empty()) known = does[s];
    TAHOMA_ASSERT(known == does[s], "two colours of servers collided");
    std::sort(does[s].begin(), does[s].end());
    TAHOMA_ASSERT(std::adjacent_find(does[s].begin(), does[s].end()) == does[s].end(),
                  "a server does two operations of one class");
  }
}

void Refinement::verify(ProgramColours& found) const {
  std::vector<Signature> of_class(found.op_classes);
  Signature signature;
  for (std::uint32_t op = 0; op < program_.ops.size(); ++op) {
    sign_op(found, op, signature);
    Signature& known = of_class[found.class_of_op[op]];
    if (known.empty()) known = signature;
    TAHOMA_ASSERT(known == signature, "two colours of operations collided");
  }
  verify_links(found);
  verify_servers(found);
}

}  // namespace

ProgramColours colours_of(const RankProgram& program, const Problem& problem, std::span<const ChipId> chips,
                          const ProgramNetwork& network) {
  return Refinement(program, problem, chips, network).find();
}

}  // namespace tahoma
