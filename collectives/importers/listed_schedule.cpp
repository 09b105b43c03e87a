#include "collectives/importers/listed_schedule.h"

#include <fmt/format.h>

#include <memory>

#include "collectives/importers/msccl_program.h"
#include "core/errors.h"

namespace tahoma {

namespace {

ListedSchedule from_msccl(std::string_view text, const std::string& file) {
  const auto algorithm = std::make_shared<const Msccl>(read_msccl(text, file));
  ListedSchedule listed;
  listed.name = algorithm->name;
  listed.format = "MSCCL XML";
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

}  // namespace

ListedSchedule read_listed_schedule(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '<') return from_msccl(text, file);
  throw ScenarioError(
      fmt::format("{}:1:1: this is no schedule that can be read; accepted: MSCCL XML, whose first element is "
                  "<algo ...>",
                  file));
}

}  // namespace tahoma
