// The operations of MSCCL++ as a table, and what their buffers must be.
#include <fmt/format.h>

#include <algorithm>

#include "collectives/importers/mscclpp.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

using Shape = MscclppOpType::Shape;

constexpr std::array op_types = {
    //               name        shape            reads   writes  reads   writes  copies  signals relaxed
    //                                            packets packets remote  remote  packets
    MscclppOpType{"nop", Shape::nothing, false, false, false, false, false, false, false},
    MscclppOpType{"barrier", Shape::barrier, false, false, false, false, false, false, false},
    MscclppOpType{"signal", Shape::signal, false, false, false, false, false, true, false},
    MscclppOpType{"rlxsignal", Shape::signal, false, false, false, false, false, true, true},
    MscclppOpType{"wait", Shape::wait, false, false, false, false, false, false, false},
    MscclppOpType{"rlxwait", Shape::wait, false, false, false, false, false, false, true},
    MscclppOpType{"flush", Shape::flush, false, false, false, false, false, false, false},
    MscclppOpType{"sem_acquire", Shape::acquire, false, false, false, false, false, false, false},
    MscclppOpType{"sem_release", Shape::release, false, false, false, false, false, false, false},
    MscclppOpType{"copy", Shape::moves, false, false, false, false, false, false, false},
    MscclppOpType{"put", Shape::moves, false, false, false, true, false, false, false},
    MscclppOpType{"pws", Shape::moves, false, false, false, true, false, true, false},
    MscclppOpType{"pwsf", Shape::moves, false, false, false, true, false, true, false},
    MscclppOpType{"get", Shape::moves, false, false, true, false, false, false, false},
    MscclppOpType{"ppkt", Shape::moves, false, true, false, true, false, false, false},
    MscclppOpType{"rppkt", Shape::moves, true, true, false, true, false, false, false},
    MscclppOpType{"cpkt", Shape::moves, false, true, false, false, false, false, false},
    MscclppOpType{"upkt", Shape::moves, true, false, false, false, false, false, false},
    MscclppOpType{"re", Shape::folds, false, false, false, false, false, false, false},
    MscclppOpType{"res", Shape::folds, false, false, false, true, false, false, false},
    MscclppOpType{"rre", Shape::folds, false, false, true, false, false, false, false},
    MscclppOpType{"rres", Shape::folds, false, false, true, true, false, false, false},
    MscclppOpType{"repkt", Shape::folds, true, false, false, false, false, false, false},
    MscclppOpType{"respkt", Shape::folds, true, true, false, true, false, false, false},
    MscclppOpType{"recpkt", Shape::folds, true, true, false, false, true, false, false},
    MscclppOpType{"recspkt", Shape::folds, true, true, false, true, true, false, false},
};

struct RefusedOp {
  std::string_view name, why;
};
constexpr std::array refused_ops = {
    RefusedOp{"glres", mscclpp_multicast},
    RefusedOp{"gstore", mscclpp_multicast},
    RefusedOp{"gstorepkt", mscclpp_multicast},
    RefusedOp{"pipeline",
              "repeats its ops as often as the size asks for, which listed programs cannot do yet"},
};

}  // namespace

const MscclppOpType& op_type_named(const JsonDocument& json, const JsonValue& name) {
  const std::string& word = json.text(name);
  for (const MscclppOpType& type : op_types) {
    if (type.name == word) return type;
  }
  for (const RefusedOp& refused : refused_ops) {
    if (refused.name == word) json.refuse(name, fmt::format("'{}' {}", word, refused.why));
  }
  std::vector<std::string_view> names;
  for (const MscclppOpType& type : op_types) names.push_back(type.name);
  const std::string near = nearest(word.substr(0, 80), std::span<const std::string_view>(names));
  json.refuse(name,
              fmt::format("'{}' is not known; accepted: {}{}", word.substr(0, 80), fmt::join(names, ", "),
                          near.empty() ? "" : "; did you mean '" + near + "'?"));
}

void check_op_buffers(const JsonDocument& json, const JsonValue& value, std::uint32_t rank,
                      const MscclppOp& op) {
  const MscclppOpType& type = *op.type;
  const auto must = [&](bool holds, std::string_view what) {
    if (!holds) json.refuse(value, fmt::format("('{}') {}", type.name, what));
  };
  const auto is_local = [&](const MscclppRange& range) { return range.rank == rank; };
  const bool has_data = type.shape == Shape::moves || type.shape == Shape::folds;
  if (!has_data) return must(op.sources.empty() && op.targets.empty(), "has buffers, and moves no data");
  must(!op.sources.empty() && !op.targets.empty(), "lacks src_buff or dst_buff");
  for (const auto* list : {&op.sources, &op.targets}) {
    for (const MscclppRange& range : *list)
      must(range.count == op.sources.front().count, "has buffers of unlike sizes");
  }
  const std::size_t local_sources = type.shape == Shape::moves ? (type.reads_remote ? 0 : op.sources.size())
                                    : type.reads_remote        ? 1
                                                               : op.sources.size();
  const std::size_t local_targets = type.shape == Shape::moves ? (type.writes_remote ? 0 : op.targets.size())
                                    : type.copies_packets      ? 2
                                    : type.writes_remote       ? 1
                                                               : op.targets.size();
  must(op.targets.size() >= local_targets, "lacks a local dst_buff");
  for (std::size_t i = 0; i < op.sources.size(); ++i)
    must(is_local(op.sources[i]) == (i < local_sources), "reads from the wrong side: local ones come first");
  for (std::size_t i = 0; i < op.targets.size(); ++i)
    must(is_local(op.targets[i]) == (i < local_targets), "writes to the wrong side: local ones come first");
  if (type.shape == Shape::moves && type.name != "rppkt")
    must(op.sources.size() == op.targets.size(), "has another number of src_buff than of dst_buff");
  if (type.name == "rppkt") must(op.sources.size() == 1, "has several src_buff");
  if (type.reads_packets) {
    const std::size_t first = type.shape == Shape::folds ? 1 : 0;
    for (std::size_t i = first; i < op.sources.size(); ++i)
      must(op.sources[i].buffer == 's', "reads packets from a buffer that is not scratch");
  }
}

}  // namespace tahoma
