// A scenario as text, every field that can change a result; places are left out.
#pragma once

#include <sstream>
#include <string>

#include "scenarios/scenario.h"
#include "scenarios/training/training_work.h"

namespace tahoma {

inline std::ostream& operator<<(std::ostream& out, const Decimal& d) {
  return out << d.mantissa << 'e' << d.exponent;
}

inline void dump_shape(std::ostream& out, const ClusterShape& shape) {
  const auto dimensions = [&](const std::vector<Dimension>& list) {
    for (const Dimension& d : list) {
      out << "dim " << static_cast<int>(d.kind) << ' ' << d.size << ' ' << d.bandwidth << ' ' << d.efficiency
          << ' ' << d.latency.ps << ' ' << d.links << ' ' << d.planes << '\n';
    }
  };
  dimensions(shape.scale_up);
  out << "server " << shape.server_dimensions << " seed " << shape.seed << '\n';
  dimensions(shape.scale_out);
  if (shape.clos) {
    const Clos& c = *shape.clos;
    out << "clos " << c.tiers << ' ' << c.rails << ' ' << c.leaf_width << ' ' << c.leaves_per_pod << ' '
        << c.bandwidth << ' ' << c.efficiency << ' ' << c.planes << ' ' << static_cast<int>(c.routing) << ' '
        << c.spines_per_pod << ' ' << c.cores;
    for (const Decimal& o : c.oversubscription) out << " o" << o;
    for (const Duration& l : c.latency) out << " l" << l.ps;
    out << '\n';
  }
  for (const Site& site : shape.sites) out << "site " << site.name << ' ' << site.domains << '\n';
  for (const Wan& wan : shape.wans) {
    out << "wan " << wan.name << ' ' << wan.a << ' ' << wan.b << ' ' << wan.bandwidth << ' '
        << wan.latency.ps;
    if (wan.window) out << " w" << wan.window->count;
    if (wan.loss) out << " p" << *wan.loss;
    out << '\n';
  }
}

inline void dump_shape(std::ostream& out, const GraphShape& graph) {
  for (const GraphVertex& vertex : graph.vertices)
    out << "vertex " << vertex.name << ' ' << static_cast<int>(vertex.kind) << '\n';
  for (const GraphLink& link : graph.links) {
    out << "link " << link.name << ' ' << link.from << ' ' << link.to << ' ' << link.bandwidth << ' '
        << link.efficiency << ' ' << link.latency.ps << ' ' << link.reverse << '\n';
  }
}

inline void dump_shape(std::ostream& out, const MixedShape& mixed) {
  for (const ClusterShape& site : mixed.sites) dump_shape(out, site);
  for (const Wan& wan : mixed.wans)
    out << "wan " << wan.name << ' ' << wan.a << ' ' << wan.b << ' ' << wan.bandwidth << ' ' << wan.latency.ps
        << '\n';
  if (mixed.between)
    out << "between " << mixed.between->oversubscription << ' ' << mixed.between->latency.ps << '\n';
}

inline void dump_ranks(std::ostream& out, const Ranks& ranks) {
  out << "ranks " << ranks.index();
  if (const auto* first = std::get_if<RanksFirst>(&ranks)) out << ' ' << first->count;
  if (const auto* selected = std::get_if<RanksSelected>(&ranks)) out << ' ' << selected->selector;
  if (const auto* by = std::get_if<RanksBy>(&ranks)) out << ' ' << static_cast<int>(by->level);
  if (const auto* stride = std::get_if<RanksStride>(&ranks)) out << ' ' << stride->stride;
  if (const auto* size = std::get_if<RanksSize>(&ranks)) out << ' ' << size->size;
  if (const auto* groups = std::get_if<RanksGroups>(&ranks)) {
    for (const auto& group : groups->groups) {
      for (const std::string& selector : group) out << ' ' << selector;
      out << ';';
    }
  }
  out << '\n';
}

inline void dump_work(std::ostream& out, const CollectiveWork& work) {
  for (const Collective c : work.collectives) out << name_of(c) << ' ';
  for (const Bytes size : work.sizes) out << size.count << ' ';
  for (const AlgorithmChoice& choice : work.algorithms) {
    out << '(' << choice.automatic << choice.name;
    for (const auto& [level, name] : choice.levels) out << ' ' << level << '=' << name;
    out << ')';
  }
  out << work.dtype << work.element_bytes << ' ' << work.root << ' ' << work.pipeline << ' ' << work.channels
      << ' ' << static_cast<int>(work.channel_rule);
  if (work.pattern) {
    out << " pattern " << static_cast<int>(work.pattern->kind) << ' ' << work.pattern->shift;
    for (const std::uint32_t to : work.pattern->destinations) out << ' ' << to;
  }
  dump_ranks(out, work.ranks.value);
}

inline void dump_work(std::ostream& out, const FlowWork& work) {
  for (const FlowSpec& flow : work.flows) {
    out << "flow " << flow.id << ' ' << flow.bytes.count << ' ' << flow.start.ps;
    if (flow.ends) out << ' ' << flow.ends->first << "->" << flow.ends->second;
    for (const std::string& link : flow.path) out << ' ' << link;
    if (flow.rate_cap) out << " cap " << static_cast<std::uint64_t>(flow.rate_cap->q20);
    out << '\n';
  }
}

inline void dump_work(std::ostream& out, const TraceWork& work) {
  out << "traces ";
  dump_work(out, work.of_ranks);
}

inline void dump_work(std::ostream& out, const TrainingJob& job) {
  const TrainingWork& work = *job.work;
  out << "training " << work.model.name << ' ' << parameters(work.model) << ' ' << work.base.seq << ' '
      << work.base.global_batch << ' ' << work.ranks;
  for (const auto* list : {&work.choices.tp, &work.choices.pp, &work.choices.dp, &work.choices.micro_batch}) {
    out << ';';
    for (const std::uint32_t value : *list) out << ' ' << value;
  }
}

inline std::string dump(const Scenario& s) {
  std::ostringstream out;
  out << s.name << '|' << s.description << '|' << s.preset << '|' << s.unit << '|' << s.chips_per_server
      << '|' << s.overhead.ps << '|' << s.seed << '\n';
  if (s.reduction_rate) out << "reduction " << static_cast<std::uint64_t>(s.reduction_rate->q20) << '\n';
  for (const ChipCosts& costs : s.site_costs)
    out << "site costs " << costs.overhead.ps << ' ' << costs.memory.ranks << '\n';
  std::visit([&](const auto& shape) { dump_shape(out, shape); }, s.network);
  for (const Job& job : s.jobs) {
    out << "job " << job.name << ' ' << job.start.ps << ' ' << job.repeat << ": ";
    std::visit([&](const auto& work) { dump_work(out, work); }, job.work);
  }
  for (const FaultEvent& event : s.faults.events)
    out << "event " << event.fail << ' ' << event.element << ' ' << event.factor << '\n';
  if (const auto& r = s.faults.random) {
    out << "random " << r->fail_links << ' ' << r->fail_nics << ' ' << r->fail_uplinks << ' '
        << r->degrade_links << ' ' << r->degrade_nics << ' ' << r->degrade_uplinks << ' ' << r->factor << ' '
        << r->seed << '\n';
  }
  for (const Straggler& late : s.faults.stragglers)
    out << "late " << late.chips << ' ' << late.delay.ps << '\n';
  for (const Assertion& a : s.assertions)
    out << "assert " << a.text << ' ' << a.metric << ' ' << static_cast<int>(a.relation) << ' ' << a.value
        << '\n';
  for (const std::string& warning : s.warnings) out << warning << '\n';
  for (const std::string& format : s.report_formats) out << format << '\n';
  return out.str();
}

}  // namespace tahoma
