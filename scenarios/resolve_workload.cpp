// What is to be done: a lone workload is one job without a name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "collectives/algorithms.h"
#include "scenarios/quantity.h"
#include "scenarios/ranges.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

constexpr std::size_t most_rows = 10'000;

struct ElementType {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array element_types = {
    ElementType{"fp64", 8}, ElementType{"int64", 8}, ElementType{"fp32", 4},
    ElementType{"tf32", 4}, ElementType{"int32", 4}, ElementType{"fp16", 2},
    ElementType{"bf16", 2}, ElementType{"fp8", 1},   ElementType{"int8", 1},
};

/// Levels from the chip outwards; two names of one level exclude each other.
struct LevelName {
  std::string_view name, same_as;
};
constexpr std::array levels = {
    LevelName{"chip", ""},
    LevelName{"server", ""},
    LevelName{"ultraserver", "intra"},
    LevelName{"intra", "ultraserver"},
    LevelName{"site", ""},
    LevelName{"cluster", "inter"},
    LevelName{"inter", "cluster"},
};

void check_built(const Field& name) {
  if (name.text() == "auto" || algorithm_named(name.text())) return;
  throw InfeasibleError(
      sentence({name.place(), name.path, name.text(), {"is known but not supported yet", "", ""}}));
}

AlgorithmChoice read_choice(const Field& field) {
  AlgorithmChoice choice;
  if (field.node->is_scalar()) {
    check_built(field);
    choice.automatic = field.text() == "auto";
    if (!choice.automatic) choice.name = field.text();
    return choice;
  }
  choice.automatic = false;
  for (const LevelName& level : levels) {
    const Field name = field[level.name];
    if (!name) continue;
    if (!level.same_as.empty() && field[level.same_as]) {
      refuse(name, {fmt::format("stands beside '{}', which is the same level", level.same_as),
                    "one of the two", ""});
    }
    if (name.text() == "auto")
      refuse(name, {"chooses all levels at once", "algorithm: auto alone, or a name per level", ""});
    check_built(name);
    choice.levels.emplace_back(level.name, name.text());
  }
  if (choice.levels.empty())
    refuse(field, {"names no level", "chip, server, ultraserver, site, cluster, intra or inter", ""});
  return choice;
}

std::uint32_t pipeline_of(const Field& field) {
  return field.text() == "auto" ? 0 : read_count32(field);
}

void check_rows(const Field& map, const CollectiveWork& work) {
  if (work.collectives.size() * work.sizes.size() * work.algorithms.size() <= most_rows) return;
  refuse({map.place(),
          map.path,
          "",
          {fmt::format("makes more than {} rows", most_rows), "fewer collectives, sizes or algorithms", ""}});
}

Job job_of(Node& node, const std::string& path, const Scenario& scenario) {
  const Field map{&node, path};
  Job job;
  job.place = map.place();
  Field found;
  for (const std::string_view kind :
       {"collective", "program", "training", "trace", "flows", "file", "jobs"}) {
    const Field field = map[kind];
    if (!field) continue;
    if (found)
      refuse({field.place(),
              field.path,
              "",
              {fmt::format("stands beside '{}'", found.path), "one kind of work", ""}});
    found = field;
  }
  if (!found)
    refuse({map.place(),
            joined(path, "collective"),
            "",
            {"is missing", "one of collective, program, training, trace, flows, file or jobs", ""}});
  if (map["flows"]) {
    job.work = resolve_flows(map["flows"]);
  } else if (map["training"]) {
    job.work = resolve_training(map["training"], scenario);
  } else if (map["trace"]) {
    job.work = resolve_trace(node, path);
  } else if (map["program"]) {
    job.work = resolve_program(node, path);
  } else {
    job.work = resolve_collective(node, path);
  }
  return job;
}

Job named_job(Node& node, const std::string& path, const Scenario& scenario) {
  const Field map{&node, path};
  const Field job_name = required(map, "name");
  for (const Job& other : scenario.jobs) {
    if (other.name != job_name.text()) continue;
    refuse(job_name,
           {fmt::format("names the job at {} too", to_string(other.place)), "a name of its own", ""});
  }
  Job job = job_of(node, path, scenario);
  job.name = job_name.text();
  job.start = Time{read_field(map["start"], read_time).ps};
  job.repeat = read_count32(map["repeat"]);
  return job;
}

}  // namespace

AlgorithmChoice algorithm_choice(const Field& field) {
  return read_choice(field);
}

void resolve_participants(Node& workload, const std::string& path, CollectiveWork& work) {
  const Field map{&workload, path};
  work.ranks = resolve_ranks(map["ranks"]);
  work.placement = resolve_placement(workload, path);
  work.dtype = map["dtype"].text();
  for (const ElementType& type : element_types) {
    if (type.name == work.dtype) work.element_bytes = type.bytes;
  }
  work.pipeline = pipeline_of(map["pipeline"]);
}

void resolve_buffer(Node& workload, const std::string& path, CollectiveWork& work) {
  const Field map{&workload, path};
  // A barrier's size is that of its messages: one element will do.
  const bool only_barriers = std::all_of(work.collectives.begin(), work.collectives.end(),
                                         [](Collective c) { return c == Collective::barrier; });
  const Field sizes = only_barriers ? map["sizes"] : required(map, "sizes");
  for (const Field& size : each(sizes)) {
    const std::vector<Bytes> more = read_field(size, expand_sizes);
    work.sizes.insert(work.sizes.end(), more.begin(), more.end());
  }
  if (work.sizes.empty() && !only_barriers) refuse(sizes, {"is empty", "at least one size", ""});
  resolve_participants(workload, path, work);
  if (work.sizes.empty()) work.sizes = {Bytes{work.element_bytes}};
}

CollectiveWork resolve_collective(Node& workload, const std::string& path) {
  const Field map{&workload, path};
  CollectiveWork work;
  for (const Field& name : each(map["collective"]))
    work.collectives.push_back(*collective_named(name.text()));
  if (work.collectives.empty()) refuse(map["collective"], {"is empty", "at least one collective", ""});
  resolve_buffer(workload, path, work);
  const Field algorithm = map["algorithm"];
  for (const Field& one : each(algorithm)) work.algorithms.push_back(algorithm_choice(one));
  if (work.algorithms.empty()) refuse(algorithm, {"is empty", "at least one name, or auto", ""});
  work.algorithm_place = algorithm.place();
  check_rows(map, work);
  if (const Field root = map["root"]) work.root = read_count32(root);
  work.channels = read_count32(map["channels"]);
  work.channel_rule = map["channel_rule"].text() == "eager" ? ChannelRule::eager : ChannelRule::fifo;
  work.pattern = resolve_pattern(workload, path);
  const bool permutes = std::find(work.collectives.begin(), work.collectives.end(), Collective::permute) !=
                        work.collectives.end();
  if (permutes && !work.pattern) required(map, "pattern");
  return work;
}

std::string file_beside(const Field& field) {
  namespace fs = std::filesystem;
  if (field.node->layer == Layer::set) return field.text();
  return (fs::path(field.place().file).parent_path() / field.text()).string();
}

namespace {

void add_stack(const Field& map, Job& job, const Scenario& scenario) {
  if (auto* work = std::get_if<CollectiveWork>(&job.work))
    work->stack = resolve_stack(map["stack"], scenario);
}

}  // namespace

void resolve_workload(Node& root, Scenario& scenario) {
  Node* workload = root.find("workload");
  if (!workload || !workload->is_map()) {
    refuse({root.place,
            "workload",
            "",
            {"is missing: there is nothing to do",
             "a map with collective, program, training, trace, flows, file or jobs", ""}});
  }
  Node* jobs = workload->find("jobs");
  if (!jobs || workload->entries.size() > 1) {
    scenario.jobs.push_back(job_of(*workload, "workload", scenario));
    add_stack(Field{workload, "workload"}, scenario.jobs.back(), scenario);
    return;
  }
  if (jobs->items.empty()) refuse(Field{jobs, "workload.jobs"}, {"is empty", "at least one job", ""});
  for (std::size_t i = 0; i < jobs->items.size(); ++i) {
    const std::string path = joined("workload.jobs", i);
    scenario.jobs.push_back(named_job(jobs->items[i], path, scenario));
    add_stack(Field{&jobs->items[i], path}, scenario.jobs.back(), scenario);
  }
}

}  // namespace tahoma
