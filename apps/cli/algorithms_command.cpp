// `tahoma algorithms`: the table of collectives/algorithms.h, for reading.
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "collectives/algorithms.h"
#include "scenarios/text_table.h"

namespace tahoma {

ExitCode algorithms_command(const Arguments& arguments) {
  if (arguments.format == "json") {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Algorithm& a : algorithms()) {
      rows.push_back({{"name", a.name}, {"purpose", a.purpose}, {"fits_when", a.fits_when}});
    }
    const nlohmann::ordered_json whole{{"schema", "tahoma.algorithms/1"}, {"algorithms", std::move(rows)}};
    print(whole.dump(2) + "\n");
    return ExitCode::ok;
  }
  const TextStyle style = stdout_style();
  std::string text;
  for (const Algorithm& a : algorithms()) {
    constexpr std::size_t indent = 4;
    text += paint(style, Ink::bold, std::string(a.name)) + "\n    " +
            wrapped(a.purpose, indent, style.width) + "\n";
    text += "    " + wrapped("Fits: " + std::string(a.fits_when), indent, style.width) + "\n";
  }
  print(text);
  return ExitCode::ok;
}

}  // namespace tahoma
