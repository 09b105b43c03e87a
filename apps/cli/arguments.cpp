// CLI11 knows the grammar; the words are ours. Its own messages name no nearest flag, and a mistyped
// subcommand is "A subcommand is required" to it; so unknown words are left over on purpose and answered
// here.
#include "apps/cli/arguments.h"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <deque>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "core/nearest.h"

namespace tahoma {

namespace {

const std::vector<std::string> solver_names{"auto",  "closed_form", "colours", "engine",
                                            "pairs", "phases",      "program", "quotient"};

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string name = nearest(word, names);
  return name.empty() ? "" : "; did you mean '" + name + "'?";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void require_choice(const std::string& flag, const std::string& value,
                    const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), value) != names.end()) return;
  throw UsageError(flag + " '" + value + "' is none of: " + listed(names) + did_you_mean(value, names));
}

std::vector<std::string> formats_of(const Command& command) {
  return {command.formats.begin(), command.formats.end()};
}

std::string help_hint(const std::string& subject) {
  return " (see `" + subject + " --help`)";
}

struct Raw {
  Arguments arguments;
  std::string seed;
};

bool is_given(const CLI::App& sub, const std::string& flag) {
  const CLI::Option* option = sub.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

void add_scenario(CLI::App& sub, Raw& raw) {
  sub.add_option("FILE", raw.arguments.scenario.file, "the scenario, a YAML file")->required();
  sub.add_option("-f,--overlay", raw.arguments.scenario.overlays,
                 "a YAML file laid over FILE; may be repeated")
      ->type_name("OVERLAY")
      ->allow_extra_args(false);
  sub.add_option("--set", raw.arguments.scenario.sets, "one value, laid over all files; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  sub.add_option("--seed", raw.seed, "the same as --set seed=N")->type_name("N");
}

void add_sweep(CLI::App& sub, Arguments& a) {
  sub.add_option("DIR", a.sweep.folder, "the folder of a sweep, after status, merge or run-shard");
  sub.add_option("-m,--multiply", a.sweep.multiplied, "values of one more path; may be repeated")
      ->type_name("PATH=A,B")
      ->allow_extra_args(false);
  sub.add_option("-j,--jobs", a.sweep.jobs, "points at a time; one per core if left out")
      ->type_name("N")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{4096}));
  sub.add_option("--out", a.out, "keep points and tables in this folder")->type_name("DIR");
  sub.add_flag("--resume", a.sweep.resume, "go on with the sweep in --out: only what is missing is computed");
  sub.add_flag("--dry-run", a.sweep.dry_run, "print the plan and run nothing");
  sub.add_flag("--plan", a.sweep.only_plan, "make the folder --out for run-shard and compute nothing");
  sub.add_flag("--strict", a.sweep.strict, "exit with 3 if a point could not be answered");
  sub.add_option("--max-points", a.sweep.most_points, "refuse plans with more; 100000 if left out")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}));
  sub.add_option("--executor", a.sweep.executor, "local, or slurm: scripts for sbatch in --out")
      ->type_name("NAME");
  sub.add_flag("--submit", a.sweep.submit, "with --executor slurm: also hand them to sbatch");
  sub.add_option("--max-tasks", a.sweep.most_tasks, "tasks of an array at most; 1000 if left out")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000}));
  sub.add_option("--shard", a.sweep.shard, "run-shard: which part, from 0")->type_name("I");
  sub.add_option("--of", a.sweep.of, "run-shard: of how many")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000}));
}

void add_flags(CLI::App& sub, const Command& command, Raw& raw) {
  Arguments& a = raw.arguments;
  if ((command.takes & takes_scenario) != 0) add_scenario(sub, raw);
  if ((command.takes & takes_files) != 0) {
    sub.add_option("FILE", a.files, "scenario files")->required()->type_name("...");
  }
  if ((command.takes & takes_name) != 0) {
    sub.add_option("NAME", a.name, "one of them in full");
  }
  if ((command.takes & takes_claims) != 0)
    sub.add_flag("--claims", a.claims, "statements of the press that do not hold, and why");
  if ((command.takes & takes_path) != 0) {
    sub.add_option("--path", a.path, "only this path and what is below it")->type_name("x.y");
  }
  if (!command.formats.empty()) {
    sub.add_option("--format", a.format, listed(formats_of(command)))->type_name("NAME");
  }
  if ((command.takes & takes_two) != 0) {
    sub.add_option("A", a.first, "result.json, or the folder of --out")->required();
    sub.add_option("B", a.second, "what to compare it with")->required();
    sub.add_option("--threshold", a.thresholds, "how far a metric may go; may be repeated")
        ->type_name("METRIC=+P%")
        ->allow_extra_args(false);
  }
  if ((command.takes & takes_data) != 0) {
    sub.add_option("--data", a.data, "measured rows; those that come with tahoma if left out")
        ->type_name("FILE.csv");
    sub.add_flag("--training", a.training, "training steps instead of collectives");
    sub.add_option("--only", a.only, "rows of one source, preset, ... alone; may be repeated")
        ->type_name("COLUMN=VALUE,...")
        ->allow_extra_args(false);
    sub.add_option("--set", a.scenario.sets, "one value, laid over every row's scenario; may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    sub.add_option("--show", a.show, "print the scenario of one row and run nothing")->type_name("ID");
    sub.add_option("--out", a.out, "also write the report, the JSON and the CSV into this folder")
        ->type_name("DIR");
    sub.add_option("--threshold", a.thresholds, "another limit for one of the thresholds; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
  }
  if ((command.takes & takes_import) != 0) {
    sub.add_option("KIND", a.kind, "what kind of file it is")->required();
    sub.add_option("FILE", a.name, "the file")->required();
    sub.add_option("--preset", a.preset, "the system it is to run on")->type_name("NAME");
    sub.add_option("--system", a.system, "of astra-sim: the system beside the network")->type_name("FILE");
    sub.add_option("--collective", a.collective, "of astra-sim: which one is run")->type_name("NAME");
    sub.add_option("--ranks", a.ranks, "how many ranks do what one trace says")
        ->type_name("N")
        ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{1} << 20));
    sub.add_option("--out", a.out, "write the scenario into this file instead of to stdout")
        ->type_name("FILE");
  }
  if ((command.takes & takes_sweep) != 0) add_sweep(sub, a);
  if ((command.takes & takes_run_flags) != 0) {
    sub.add_option("--out", a.out, "also write the results as files into this folder")->type_name("DIR");
    sub.add_option("--solver", a.solver, listed(solver_names) + " (all but closed_form give the same result)")
        ->type_name("NAME");
    sub.add_option("--trace", a.trace, "write the last row's messages as a trace for ui.perfetto.dev")
        ->type_name("FILE");
    sub.add_flag("--timings", a.timings, "add wall time, memory and event counts");
  }
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

void refuse_leftovers(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining();
  if (left.empty()) return;
  const std::string word = left.front().substr(0, left.front().find('='));
  if (word.rfind('-', 0) == 0)
    throw UsageError("unknown flag '" + word + "'" + did_you_mean(word, flag_names(app)));
  throw UsageError("'" + left.front() + "' is one argument too many");
}

[[noreturn]] void refuse_command(const CLI::App& app) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  for (const std::string& word : app.remaining()) {
    if (word.rfind('-', 0) == 0) continue;
    const bool is_file = word.find('.') != std::string::npos;
    throw UsageError("'" + word + "' is no command" +
                     (is_file ? "; did you mean 'tahoma run " + word + "'?" : did_you_mean(word, names)));
  }
  refuse_leftovers(app);
  throw UsageError("a command is needed: " + listed(names));
}

void check_values(const CLI::App& sub, Raw& raw) {
  Arguments& a = raw.arguments;
  if (is_given(sub, "--format")) require_choice("--format", a.format, formats_of(*a.command));
  require_choice("--solver", a.solver, solver_names);
  require_choice("--executor", a.sweep.executor, {"local", "slurm"});
  if (is_given(sub, "--out") && a.out.empty()) throw UsageError("--out needs the name of a folder");
  for (const std::string& set : a.scenario.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--set '" + set + "' is not of the form path=value");
    }
  }
  if (is_given(sub, "--seed")) {
    const bool digits = !raw.seed.empty() && raw.seed.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) throw UsageError("--seed '" + raw.seed + "' is not a whole number");
    a.scenario.sets.push_back("seed=" + raw.seed);
  }
}

}  // namespace

std::variant<Arguments, ExitCode> parse_arguments(int argc, const char* const* argv) {
  CLI::App app{"Tahoma: exact simulation of AI-cluster networks", "tahoma"};
  app.set_version_flag("--version", "tahoma " TAHOMA_VERSION);
  app.footer("First steps:\n  tahoma run scenarios/library/trn2-server.yaml\n  tahoma COMMAND --help");
  app.require_subcommand(0, 1);
  app.allow_extras();
  std::deque<Raw> raws;
  std::vector<CLI::App*> subs;
  for (const Command& command : commands()) {
    Raw& raw = raws.emplace_back();
    raw.arguments.command = &command;
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.purpose));
    sub->allow_extras();
    sub->footer(std::string(command.help));
    add_flags(*sub, command, raw);
    subs.push_back(sub);
  }
  std::string subject = "tahoma";
  try {
    app.parse(argc, argv);
    const auto chosen =
        std::find_if(subs.begin(), subs.end(), [](const CLI::App* sub) { return sub->parsed(); });
    if (chosen == subs.end()) refuse_command(app);
    Raw& raw = raws[static_cast<std::size_t>(chosen - subs.begin())];
    subject += " " + (*chosen)->get_name();
    if (raw.arguments.command->run == nullptr) return raw.arguments;  // whatever follows: it is not built yet
    refuse_leftovers(app);
    refuse_leftovers(**chosen);
    check_values(**chosen, raw);
    return raw.arguments;
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    app.exit(help, text, text);
    print(text.str());
    return ExitCode::ok;
  } catch (const CLI::ParseError& error) {
    for (const CLI::App* sub : subs) subject += sub->parsed() ? " " + sub->get_name() : "";
    throw UsageError(error.what() + help_hint(subject));
  } catch (const UsageError& error) {
    throw UsageError(error.what() + help_hint(subject));
  }
}

}  // namespace tahoma
