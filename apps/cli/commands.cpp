#include "apps/cli/commands.h"

#include <array>

namespace tahoma {

namespace {

using Formats = std::span<const std::string_view>;
constexpr std::array<std::string_view, 3> run_formats{"text", "json", "csv"};
constexpr std::array<std::string_view, 2> sweep_formats{"text", "csv"};
constexpr std::array<std::string_view, 2> list_formats{"text", "json"};
constexpr std::array<std::string_view, 4> graph_formats{"summary", "dot", "graphml", "json"};
constexpr std::array<std::string_view, 3> schedule_formats{"text", "json", "msccl"};

constexpr std::string_view run_help =
    "Examples:\n"
    "  tahoma run scenarios/library/trn2-ultraserver.yaml\n"
    "  tahoma run rainier.yaml --set workload.sizes=1GiB --format json\n"
    "  tahoma run base.yaml -f what-if.yaml --out results/\n\n"
    "Text is for people; JSON and CSV are for scripts and go to stdout alone. Without --format the\n"
    "scenario's `report: {format}` decides, else text. --out DIR writes result.json, result.csv,\n"
    "links.csv, flows.csv (if there are flows) and resolved.yaml. --timings adds a `run` field to text and "
    "JSON.\n"
    "--trace FILE writes the messages of the last row for https://ui.perfetto.dev: up to 200,000 of them, "
    "and\n"
    "one rank of those that are alike.\n"
    "Ctrl-C finishes the row in flight, prints what is done and exits 130; twice stops at once.\n\n"
    "Exit codes: 0 ok, 1 usage, 2 invalid scenario, 3 cannot be answered, 4 an assertion failed,\n"
    "5 a fault of the machine or of Tahoma, 130 interrupted";

constexpr std::string_view check_help =
    "Example:\n"
    "  tahoma check scenarios/library/*.yaml\n\n"
    "Each file is read on its own. A valid one is a line \"FILE: ok\" on stdout; mistakes go to stderr\n"
    "with file, line and column, and the exit code is then 2";

constexpr std::string_view explain_help =
    "Examples:\n"
    "  tahoma explain rainier.yaml\n"
    "  tahoma explain rainier.yaml --path fabric.scale_up\n\n"
    "Each line: path = value, where it came from (preset, file:line, --set or default), and for a\n"
    "figure of hardware its source and how far to trust it";

constexpr std::string_view presets_help =
    "Examples:\n"
    "  tahoma presets\n"
    "  tahoma presets trn2-ultraserver\n"
    "  tahoma presets --claims\n\n"
    "Confidence: primary (the maker's own documents), press, analyst, inferred, assumed";

constexpr std::string_view topology_help =
    "Examples:\n"
    "  tahoma topology scenarios/library/trn2-server.yaml\n"
    "  tahoma topology scenarios/library/trn2-server.yaml --format dot | dot -Tsvg > server.svg\n\n"
    "Past about 5,000 vertices drawings show groups instead of chips";

constexpr std::string_view algorithms_help =
    "Example:\n"
    "  tahoma algorithms\n\n"
    "In a scenario: `algorithm: auto`, a name, a list of names, or one per level, such as\n"
    "`{ultraserver: torus, cluster: ring}`";

constexpr std::string_view stack_help =
    "Examples:\n"
    "  tahoma stack\n"
    "  tahoma stack nccl\n\n"
    "What communication software can do and what it costs: `workload: {stack: nccl}` in a scenario.\n"
    "A parameter's value is changed by its name:\n"
    "  tahoma run FILE --set workload.stack.parameters.ring.ll.step_up=2us";

constexpr std::string_view schedule_help =
    "Example:\n"
    "  tahoma schedule scenarios/library/trn2-server.yaml --set workload.algorithm=torus\n\n"
    "The schedule of the first row of the workload: lanes and sends of each role. Up to 64 ranks it is\n"
    "proven by replay before it is printed: nothing missing, nothing counted twice, no deadlock";

constexpr std::string_view schema_help =
    "Example:\n"
    "  tahoma schema > tahoma.schema.json\n\n"
    "A JSON Schema of the scenario grammar, for editors. With yaml-language-server, a first line\n"
    "  # yaml-language-server: $schema=tahoma.schema.json\n"
    "in a scenario completes its keys and marks wrong ones while it is typed";

constexpr std::string_view compare_help =
    "Examples:\n"
    "  tahoma compare before/ after/\n"
    "  tahoma compare last-week/result.json result.json --threshold time_s=+2% --threshold busbw_GBps=-2%\n\n"
    "A and B are result.json files of `tahoma run`, or the folders of --out; or two sweeps (their folders, "
    "or\n"
    "results.csv). Rows belong together by variant or swept coordinates, job, collective, size and\n"
    "algorithm. Exit code 4 if a threshold is crossed: METRIC=+P% is up,\n"
    "METRIC=-P% down, METRIC=P% either way";

constexpr std::string_view validate_help =
    "Examples:\n"
    "  tahoma validate\n"
    "  tahoma validate --data measured.csv --format csv > rows.csv\n"
    "  tahoma validate --training --threshold step_mape=10%\n"
    "  tahoma validate --show M0900 > row.yaml; tahoma run row.yaml\n"
    "  tahoma validate --only source_id=E03 --set cluster.chip.overhead=2us\n"
    "  tahoma validate --threshold large_mape=10%\n\n"
    "Each measured row becomes a scenario by its columns and is run. Without --data the rows that come with\n"
    "tahoma are taken; docs/validation.md has the columns and the result. Exit code 4 if a threshold is "
    "crossed";
constexpr std::string_view import_help =
    "Examples:\n"
    "  tahoma import msccl allreduce.xml --preset p4d --out allreduce.yaml\n"
    "  tahoma import msccl allreduce.xml > allreduce.yaml\n"
    "  tahoma import mscclpp plan.json --preset p5 > plan.yaml\n"
    "  tahoma import chakra trace.0.et --ranks 64 --preset p5 > step.yaml\n"
    "  tahoma import simai workload.txt --ranks 128 --preset p5 > step.yaml\n"
    "  tahoma import astra-sim network.yml --system system.json --collective all_gather > ring.yaml\n\n"
    "Kinds, schedules: msccl (MSCCL XML), mscclpp (plans of MSCCL++), teccl, taccl (JSON); traces and\n"
    "workloads: chakra, goal (LogGOPSim), simai (layers of SimAI and AICB); networks: nccl-topology (a "
    "server,\n"
    "as NCCL_TOPO_FILE has it), astra-sim (network.yml, and system.json with --system). docs/import.md says\n"
    "what is read of each.\n"
    "The scenario begins with a summary in comments. What the file does not say, such as the network of a\n"
    "schedule, is marked as assumed, or taken from --preset";

constexpr std::string_view sweep_help =
    "Examples:\n"
    "  tahoma sweep base.yaml -m cluster.count=64,128 -m \"workload.sizes=1MiB..1GiB *4\" --out night/\n"
    "  tahoma sweep base.yaml --out night/ --resume\n"
    "  tahoma sweep status night/\n"
    "  tahoma sweep run-shard night/ --shard 3 --of 16; tahoma sweep merge night/\n\n"
    "The scenario's `sweep` names paths and their values; -m adds some. --out gets plan.jsonl, points/,\n"
    "results.sqlite and results.csv, a row per point and collective; without it the CSV goes to stdout\n"
    "(--format csv) or a summary (text). The same rows whatever -j, however often it was interrupted.\n"
    "A point that cannot be answered is a row with its reason; exit code 0, or 3 with --strict.\n"
    "Ctrl-C finishes the points in flight and exits 130; twice stops at once. docs/sweep.md has the rest";

constexpr std::uint32_t nothing = 0;

const std::array<Command, 13> table{{
    {"run", "run one scenario", takes_scenario | takes_run_flags, Formats(run_formats), run_help,
     run_command},
    {"check", "validate scenario files, each on its own", takes_files, {}, check_help, check_command},
    {"explain", "every resolved value and where it came from", takes_scenario | takes_path,
     Formats(list_formats), explain_help, explain_command},
    {"presets", "the hardware catalogue: figures, sources, confidence", takes_name | takes_claims,
     Formats(list_formats), presets_help, presets_command},
    {"topology", "the network: degree, diameter, cuts; or a drawing of it", takes_scenario,
     Formats(graph_formats), topology_help, topology_command},
    {"algorithms", "the collective algorithms and when each fits", nothing, Formats(list_formats),
     algorithms_help, algorithms_command},
    {"stack", "communication software: its ways of working and their parameters", takes_name,
     Formats(list_formats), stack_help, stack_command},
    {"schedule", "the verified schedule of a collective", takes_scenario, Formats(schedule_formats),
     schedule_help, schedule_command},
    {"schema", "a JSON Schema of scenario files, for editors", nothing, {}, schema_help, schema_command},
    {"sweep", "many scenarios: a grid of values, resumable, as tables", takes_scenario | takes_sweep,
     Formats(sweep_formats), sweep_help, sweep_command},
    {"compare", "two results side by side, with the cause of each difference", takes_two,
     Formats(run_formats), compare_help, compare_command},
    {"validate", "predicted against measured, source by source", takes_data, Formats(run_formats),
     validate_help, validate_command},
    {"import", "another tool's file as a scenario", takes_import, {}, import_help, import_command},
}};

}  // namespace

std::span<const Command> commands() {
  return table;
}

}  // namespace tahoma
