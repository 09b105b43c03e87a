// Sites of different hardware, as layers: each gets a `cluster` and a `fabric` of its own, from its preset,
// or from the file's where it names none.
#pragma once

#include "scenarios/load.h"

namespace tahoma {

/// Does a site name another preset than the rest, or bring a cluster or fabric of its own?
bool sites_differ(const Layered& layered);

/// Fills in `sites.*.cluster` and `sites.*.fabric`, and takes out of the top what they were made of. Throws
/// ScenarioError for a preset that is none, or that has sites itself.
void lay_sites(Layered& layered);

}  // namespace tahoma
