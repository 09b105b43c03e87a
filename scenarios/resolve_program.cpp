// A schedule that another tool has listed, as the workload: `program` is its file, or the text itself.
//
// The file's text takes the place of its name in the tree, so that resolved.yaml stands alone. It is proven
// by replay here: a schedule that computes something else has no time worth knowing.
#include <fmt/format.h>

#include <memory>

#include "collectives/importers/listed_schedule.h"
#include "scenarios/defaults.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_program_bytes = std::size_t{256} << 20;

bool is_text_itself(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '<' || text[first] == '{');
}

}  // namespace

CollectiveWork resolve_program(Node& workload, const std::string& path) {
  Node& node = *workload.find("program");
  const Field program{&node, joined(path, "program")};
  std::string name = program.path;
  if (!is_text_itself(node.text)) {
    name = file_beside(program);
    node.text = read_text_file(name, program.place(), most_program_bytes);
  }
  auto listed = std::make_shared<ListedSchedule>(read_listed_schedule(node.text, name));
  CollectiveWork work;
  work.collectives = {listed->collective};
  work.program = listed;
  resolve_buffer(workload, path, work);
  work.algorithms = {{false, listed->name, {}}};
  work.algorithm_place = program.place();
  if (work.pipeline == 0) work.pipeline = 1;
  return work;
}

std::vector<std::string> program_warnings(const ListedSchedule& listed, const CollectiveWork& work) {
  std::vector<std::string> told;
  if (!listed.not_proven.empty())
    told.push_back(fmt::format("program '{}' is not proven: {}", listed.name, listed.not_proven));
  for (const Bytes size : work.sizes) {
    const bool fits =
        size.count >= listed.least_bytes && (listed.most_bytes == 0 || size.count <= listed.most_bytes);
    if (fits) continue;
    told.push_back(fmt::format("program '{}' was made for {} to {} bytes, and {} bytes are asked for",
                               listed.name, listed.least_bytes, listed.most_bytes, size.count));
    break;
  }
  if (listed.protocol.starts_with("LL") && !work.stack) {
    told.push_back(
        fmt::format("program '{}' uses protocol {}: its share of the bandwidth is not taken off here; "
                    "give links an `efficiency`",
                    listed.name, listed.protocol));
  }
  return told;
}

}  // namespace tahoma
