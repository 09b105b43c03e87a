#include "core/errors.h"

namespace tahoma {

void assertion_failed(const char* condition, const char* file, int line, const std::string& why) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + why + " (" + condition +
                      ") - this is a fault of Tahoma, please report it with the scenario");
}

}  // namespace tahoma
