// How a mistake in a scenario is told: one sentence with place, key, value, what is accepted and the nearest
// name. Every message of the reader is made here, so that all of them have the same form:
//
//   fabric.yaml:7:12: key 'fabric.scale_up.0.bandwidth': value '50' has no unit; accepted: a bandwidth such
//   as 50GB/s; did you mean '50GB/s'?
#pragma once

#include <string>
#include <string_view>

#include "core/errors.h"
#include "scenarios/scenario.h"

namespace tahoma {

/// A text that is not what it should be, told by who reads it; who knows the place makes a Complaint of it.
struct BadText {
  std::string because;   // "has no unit": continues the sentence after the value
  std::string accepted;  // "" = nothing to add
  std::string meant;     // the nearest good text, "" = none
};

struct Complaint {
  Place place;
  std::string key;    // full path, "" = the file as a whole
  std::string value;  // as written, "" = do not show one
  BadText trouble;
};

std::string sentence(const Complaint& complaint);
[[noreturn]] void refuse(const Complaint& complaint);

/// The same error with a place and key put before it, for messages that come from rooms without YAML.
ScenarioError at_place(const Place& place, std::string_view key, std::string_view message);

/// "a, b or c"
std::string listed(const std::vector<std::string>& names);

}  // namespace tahoma
