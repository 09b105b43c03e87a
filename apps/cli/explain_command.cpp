// `tahoma explain FILE [--path x.y]`
#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "apps/cli/usage_error.h"
#include "core/nearest.h"
#include "scenarios/load.h"
#include "scenarios/text_table.h"

namespace tahoma {

namespace {

bool is_below(const std::string& path, const std::string& root) {
  if (root.empty() || path == root) return true;
  return path.size() > root.size() && path.compare(0, root.size(), root) == 0 &&
         (path[root.size()] == '.' || path[root.size()] == '[' || root.back() == '.');
}

std::string to_json_text(const std::vector<Explained>& values) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Explained& v : values) {
    rows.push_back({{"path", v.path},
                    {"value", v.value},
                    {"origin", v.origin},
                    {"source", v.source},
                    {"confidence", v.confidence}});
  }
  const nlohmann::ordered_json whole{{"schema", "tahoma.explain/1"}, {"values", std::move(rows)}};
  return whole.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string to_table(const std::vector<Explained>& values) {
  TextTable table;
  table.columns = {{TextColumn::Align::left, "path", ""},
                   {TextColumn::Align::left, "value", ""},
                   {TextColumn::Align::left, "from", ""},
                   {TextColumn::Align::left, "source", ""}};
  for (const Explained& v : values) {
    std::string source = printable(v.source);
    if (!v.confidence.empty()) source += (source.empty() ? "" : ", ") + printable(v.confidence);
    table.rows.push_back({printable(v.path), "= " + printable(v.value), "(" + printable(v.origin) + ")",
                          source.empty() ? "" : "[" + source + "]"});
  }
  return to_text(table);
}

[[noreturn]] void refuse_path(const std::string& path, const std::vector<Explained>& values) {
  std::vector<std::string> names;
  for (const Explained& v : values) {
    for (std::size_t dot = v.path.find('.');; dot = v.path.find('.', dot + 1)) {
      names.push_back(v.path.substr(0, dot));
      if (dot == std::string::npos) break;
    }
  }
  const std::string name = nearest(path, names);
  throw UsageError("--path " + path + " is no value of this scenario" +
                   (name.empty() ? "" : "; did you mean '" + name + "'?"));
}

}  // namespace

ExitCode explain_command(const Arguments& arguments) {
  const std::vector<Explained> all = explain(arguments.scenario);
  std::vector<Explained> values;
  std::copy_if(all.begin(), all.end(), std::back_inserter(values),
               [&](const Explained& v) { return is_below(v.path, arguments.path); });
  if (values.empty() && !arguments.path.empty()) refuse_path(arguments.path, all);
  print(arguments.format == "json" ? to_json_text(values) : to_table(values));
  return ExitCode::ok;
}

}  // namespace tahoma
