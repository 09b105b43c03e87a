// `tahoma schema`: the grammar of scenario files for editors.
#include "apps/cli/commands.h"
#include "apps/cli/terminal.h"
#include "scenarios/key_schema.h"

namespace tahoma {

ExitCode schema_command(const Arguments&) {
  print(key_schema());
  return ExitCode::ok;
}

}  // namespace tahoma
