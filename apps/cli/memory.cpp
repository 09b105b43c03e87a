#include "apps/cli/memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>  // any header of the C library says whether it is glibc
#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace tahoma {

// Problem: a run over a million chips fills and drops arrays of 8 MB several times. By default each is mapped
// and unmapped, and every 4 KiB of it is a page fault again: on virtual machines up to 10 us each, half the
// time of a short run. Idea: what is freed stays with the program, and the heap's first 256 MB may be backed
// by pages of 2 MB. Nothing is touched before it is used, so a small run stays small.
void prepare_memory() {
#ifdef __GLIBC__
  constexpr int most = 32 << 20;  // glibc accepts no more as the least size to be mapped
  constexpr std::size_t part = 31 << 20, parts = 8, page = 2 << 20;
  mallopt(M_MMAP_THRESHOLD, most);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  std::array<void*, parts> heap{};
  for (void*& p : heap) p = std::malloc(part);
  for (void* p : heap) {
    if (p == nullptr) continue;
    const auto begin = (reinterpret_cast<std::uintptr_t>(p) + page - 1) / page * page;
    madvise(reinterpret_cast<void*>(begin), part, MADV_HUGEPAGE);
    std::free(p);
  }
#endif
}

}  // namespace tahoma
