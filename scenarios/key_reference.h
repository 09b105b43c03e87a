// The key table as the tables of docs/scenario-reference.md; a test holds the page to it.
#pragma once

#include <string>

namespace tahoma {

/// A heading and a Markdown table for each top-level key, in table order.
std::string key_reference();

}  // namespace tahoma
