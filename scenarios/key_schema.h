// The key table as a JSON Schema, for editors that complete and check YAML while it is typed.
//
// Limit: a schema knows the shape of each key by itself. What only the reader can tell (units that fit, names
// of chips, keys that go together) stays with `tahoma check`; whatever that accepts, the schema accepts too.
#pragma once

#include <string>

namespace tahoma {

/// Draft 2020-12, indented, with a newline at the end.
std::string key_schema();

}  // namespace tahoma
