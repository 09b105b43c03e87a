// `tahoma run`: load, run, write the files, print.
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/terminal.h"
#include "core/errors.h"
#include "scenarios/load.h"
#include "scenarios/report_text.h"
#include "scenarios/result_csv.h"
#include "scenarios/result_json.h"
#include "scenarios/run.h"
#include "scenarios/write_results.h"

namespace tahoma {

namespace {

// The flag, else the first of the scenario's formats that can be printed, else text: on a pipe too, so that
// what a person sees does not change when it is paged or saved.
std::string format_of(const Arguments& arguments, const Scenario& scenario) {
  if (!arguments.format.empty()) return arguments.format;
  const auto& known = arguments.command->formats;
  const auto at = std::find_if(
      scenario.report_formats.begin(), scenario.report_formats.end(),
      [&](const auto& name) { return std::find(known.begin(), known.end(), name) != known.end(); });
  return at == scenario.report_formats.end() ? std::string(known.front()) : *at;
}

Result simulate(const Arguments& arguments, const Scenario& scenario) {
  const Interrupt interrupt;
  Progress progress;
  RunOptions options;
  options.solver = arguments.solver;
  options.trace = !arguments.trace.empty();
  options.interrupted = &interrupt.requested();
  options.on_progress = [&](std::size_t done, std::size_t total) { progress.show(done, total); };
  const auto start = std::chrono::steady_clock::now();
  Result result = run(scenario, options);
  result.stats.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  result.stats.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
  return result;
}

// One after another, each a whole run; what goes wrong in one is told with its name.
void add_variants(const Arguments& arguments, const Scenario& scenario, Result& result) {
  Arguments others = arguments;
  others.trace.clear();  // that of the scenario itself
  for (const std::string& name : scenario.variants) {
    if (result.interrupted) return;
    LoadRequest request = arguments.scenario;
    request.variant = name;
    const auto named = [&](const std::string& what) { return "variant '" + name + "': " + what; };
    try {
      Result variant = simulate(others, load(request));
      variant.name = name;
      result.interrupted = variant.interrupted;
      result.variants.push_back(std::move(variant));
    } catch (const ScenarioError& error) {
      throw ScenarioError(named(error.what()));
    } catch (const InfeasibleError& error) {
      throw InfeasibleError(named(error.what()));
    }
  }
}

std::string rendered(const Result& result, const std::string& format, bool timings) {
  if (format == "json") return to_json(result, timings);
  if (format == "csv") return to_csv(result);
  TextStyle style = stdout_style();
  style.timings = timings;
  return to_text(result, style);
}

// What the text report says anyway, but a script's JSON or CSV hides from the person at the terminal.
void log_outcome(const Result& result) {
  for (const std::string& warning : result.warnings) spdlog::warn("{}", warning);
  for (const AssertionOutcome& assertion : result.assertions) {
    if (!assertion.held) spdlog::error("the assertion '{}' failed in {}", assertion.text, assertion.row);
  }
  for (const Result& variant : result.variants) log_outcome(variant);
}

bool all_held(const Result& result) {
  const auto held = [](const AssertionOutcome& assertion) { return assertion.held; };
  return std::all_of(result.assertions.begin(), result.assertions.end(), held) &&
         std::all_of(result.variants.begin(), result.variants.end(), all_held);
}

}  // namespace

ExitCode run_command(const Arguments& arguments) {
  const Scenario scenario = load(arguments.scenario);
  const std::string format = format_of(arguments, scenario);
  if (!arguments.out.empty()) prepare_folder(arguments.out);
  if (!arguments.trace.empty()) write_text(arguments.trace, "");  // told now, not after a run of minutes
  Result result = simulate(arguments, scenario);
  add_variants(arguments, scenario, result);
  if (format != "text") log_outcome(result);
  if (!arguments.trace.empty()) write_text(arguments.trace, result.trace);
  if (!arguments.out.empty())
    write_results(arguments.out, {result, scenario.resolved_yaml, arguments.timings});
  print(rendered(result, format, arguments.timings));
  if (result.interrupted) return ExitCode::interrupted;
  return all_held(result) ? ExitCode::ok : ExitCode::not_held;
}

}  // namespace tahoma
