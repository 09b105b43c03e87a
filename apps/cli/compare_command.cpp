// `tahoma compare`: two results, read back from their files.
#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "scenarios/complaint.h"
#include "scenarios/report_compare.h"
#include "scenarios/sweep/compare_sweeps.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::size_t most_table_bytes = std::size_t{4} << 30;

std::vector<ComparedRow> rows_of(const std::string& name) {
  const std::filesystem::path path(name);
  const bool is_sweep = std::filesystem::exists(path / "sweep.json");
  if (is_sweep || path.extension() == ".csv") {
    const std::string table = is_sweep ? (path / "results.csv").string() : name;
    return read_compared_sweep(read_text_file(table, Place{"command line", 0, 0}, most_table_bytes), table);
  }
  const std::string file = std::filesystem::is_directory(path) ? (path / "result.json").string() : name;
  return read_compared_rows(read_text_file(file, Place{"command line", 0, 0}), file);
}

std::vector<Threshold> thresholds_of(const std::vector<std::string>& texts) {
  std::vector<Threshold> thresholds;
  for (const std::string& text : texts) {
    try {
      thresholds.push_back(read_threshold(text));
    } catch (const BadText& bad) {
      throw UsageError("--threshold '" + text + "' " + bad.because + "; accepted: " + bad.accepted +
                       (bad.meant.empty() ? "" : "; did you mean '" + bad.meant + "'?"));
    }
  }
  return thresholds;
}

}  // namespace

ExitCode compare_command(const Arguments& arguments) {
  const std::vector<Threshold> thresholds = thresholds_of(arguments.thresholds);
  const Comparison comparison = compare(rows_of(arguments.first), rows_of(arguments.second));
  const std::vector<CrossedThreshold> crossed = crossings(comparison, thresholds);
  if (arguments.format == "json") {
    print(comparison_json(comparison, crossed));
  } else if (arguments.format == "csv") {
    print(comparison_csv(comparison));
  } else {
    print(comparison_text(comparison, crossed, stdout_style()));
  }
  return crossed.empty() ? ExitCode::ok : ExitCode::not_held;
}

}  // namespace tahoma
