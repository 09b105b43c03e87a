#include "collectives/importers/listed_schedule.h"

#include <fmt/format.h>

#include <memory>

#include "collectives/importers/json_document.h"
#include "collectives/importers/msccl_program.h"
#include "collectives/importers/mscclpp.h"
#include "collectives/importers/taccl.h"
#include "collectives/importers/teccl.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::string_view accepted_schedules =
    "accepted: MSCCL XML, whose first element is <algo ...>, or JSON with 'gpus' (a plan of MSCCL++), "
    "'Flows' "
    "(TE-CCL) or 'sccl_type' (TACCL)";

ListedSchedule from_msccl(Msccl read, std::string format) {
  const auto algorithm = std::make_shared<const Msccl>(std::move(read));
  ListedSchedule listed;
  listed.name = algorithm->name;
  listed.format = std::move(format);
  listed.collective = collective_of(*algorithm).value_or(Collective::custom);
  listed.ranks = static_cast<std::uint32_t>(algorithm->gpus.size());
  listed.least_bytes = algorithm->least_bytes;
  listed.most_bytes = algorithm->most_bytes;
  listed.protocol = algorithm->protocol;
  listed.not_proven = prove(*algorithm);
  listed.program = [algorithm](std::uint64_t elements, std::uint64_t element_bytes, std::uint32_t rounds) {
    return program_of(*algorithm, chunk_bytes(*algorithm, elements, element_bytes, rounds), rounds);
  };
  return listed;
}

ListedSchedule from_json(std::string_view text, const std::string& file) {
  const JsonDocument json(text, file);
  if (is_mscclpp(json)) return listed_of(read_mscclpp(json));
  if (is_taccl(json)) return from_msccl(read_taccl(json), "TACCL JSON");
  if (!is_teccl(json))
    throw ScenarioError(fmt::format("{}:1:1: this JSON is no schedule; {}", file, accepted_schedules));
  Teccl found = read_teccl(json);
  ListedSchedule listed = from_msccl(std::move(found.algorithm), "TE-CCL JSON");
  listed.made_for = found.bytes_per_rank * listed.ranks;
  if (found.finish_s > 0)
    listed.claim = fmt::format("its solver reckons {} s in epochs of {} s", found.finish_s, found.epoch_s);
  return listed;
}

}  // namespace

ListedSchedule read_listed_schedule(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '<')
    return from_msccl(read_msccl(text, file), "MSCCL XML");
  if (first != std::string_view::npos && text[first] == '{') return from_json(text, file);
  throw ScenarioError(
      fmt::format("{}:1:1: this is no schedule that can be read; {}", file, accepted_schedules));
}

}  // namespace tahoma
