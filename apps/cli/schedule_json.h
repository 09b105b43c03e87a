// A schedule as JSON, schema tahoma.schedule/1: the templates as they are, not N copies of them.
#pragma once

#include <string>

#include "collectives/schedule.h"

namespace tahoma {

std::string to_json(const Schedule& schedule);

}  // namespace tahoma
