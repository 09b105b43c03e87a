#include "collectives/solve/chain.h"

namespace tahoma {

void CriticalChain::add(const ChainMessage& message, Time end) {
  if (!parts.empty()) {
    ChainPart& later = parts.back();
    const auto kind = message.delayed_by_arrival ? ChainPart::Kind::relayed : ChainPart::Kind::queued;
    if (later.phase == message.phase && later.messages > 0 &&
        (later.kind == ChainPart::Kind::single || later.kind == kind)) {
      later.kind = kind;
      later.from = message.from;
      later.begin = message.begin;
      ++later.messages;
      return;
    }
  }
  parts.push_back({ChainPart::Kind::single, message.phase, 1, message.from, message.to, message.begin, end});
}

void CriticalChain::add(const ChainPart& part) {
  if (part.messages > 0) parts.push_back(part);
}

std::uint32_t chain_of_trace(const Instance& instance, const EngineTrace& trace, std::uint32_t node,
                             Time finish, std::uint32_t phase_offset, CriticalChain& chain) {
  Time end = finish;
  for (EngineTrace::Cause cause = trace.node_cause[node]; cause.message != EngineTrace::none;) {
    const EngineTrace::Message& message = trace.messages[cause.message];
    const Instance::SendRow& row = instance.sends[message.row];
    node = instance.lanes[message.lane].node;
    const Instance::Node& sender = instance.nodes[node];
    const std::uint32_t target = instance.nodes[row.target].chip_class;
    chain.add({phase_offset + instance.phase_of(row, node), instance.classes.chip(sender.chip_class),
               instance.classes.chip(target), message.start, cause.by_arrival},
              end);
    end = message.start;
    cause = message.cause;
  }
  if (!instance.classes.identity) chain.of_classes = true;
  return node;
}

}  // namespace tahoma
