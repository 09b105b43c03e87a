// Large arrays on large pages, for the whole program: the global operator new.
//
// Problem: the engine unfolded at 131,072 chips touches a gigabyte in an order that no prefetcher follows;
// with pages of 4 KiB nearly every access also misses the TLB, and each page is a fault when first touched.
// Idea: what is asked for in 32 MB or more starts on a page of 2 MB and may be backed by such pages. That is
// where the C library no longer takes it from the heap, whose pages are large already (memory.cpp): an
// aligned piece of the heap would leave a hole beside it, and with two threads that made the peak of a run
// anything between 68 and 138 MiB instead of 68. Everything smaller is the C library's business, as is
// freeing. Changes no result, and nothing is touched before it is used.
//
// Left to the sanitizers where they are on: they replace the same functions.
#include <cstdlib>
#include <new>

#ifdef __GLIBC__
#include <sys/mman.h>
#endif

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TAHOMA_SANITIZER_ALLOCATES
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define TAHOMA_SANITIZER_ALLOCATES
#endif

#if defined(__GLIBC__) && !defined(TAHOMA_SANITIZER_ALLOCATES)

void* operator new(std::size_t size) {
  constexpr std::size_t large = std::size_t{32} << 20, page = std::size_t{2} << 20;
  if (size < large) {
    if (void* memory = std::malloc(size != 0 ? size : 1)) return memory;
    throw std::bad_alloc();
  }
  const std::size_t whole = (size + page - 1) / page * page;
  void* memory = whole >= size ? std::aligned_alloc(page, whole) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, whole, MADV_HUGEPAGE);  // refused: as before
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
