// How the program takes memory from the system.
#pragma once

namespace tahoma {

/// Call first. Changes no result; without effect where the C library is not glibc.
void prepare_memory();

}  // namespace tahoma
