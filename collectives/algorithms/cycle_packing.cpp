#include "collectives/algorithms/cycle_packing.h"

#include <algorithm>

#include "core/errors.h"

namespace tahoma {
namespace {

using Cycle = std::vector<std::uint32_t>;

class Packing {
 public:
  Packing(std::span<const std::uint32_t> links, std::uint32_t n) : left_(links.begin(), links.end()), n_(n) {}

  std::vector<Cycle> most() {
    for (std::uint32_t wanted = most_that_could_fit(); wanted > best_.size(); --wanted) {
      found_.clear();
      steps_ = 0;
      if (another_cycle(wanted)) return found_;
    }
    return best_;
  }

 private:
  std::uint32_t& left(std::uint32_t a, std::uint32_t b) { return left_[a * n_ + b]; }

  std::uint32_t most_that_could_fit() const {
    std::uint32_t most = ~0u;
    for (std::uint32_t a = 0; a < n_; ++a) {
      std::uint32_t degree = 0;
      for (std::uint32_t b = 0; b < n_; ++b) degree += left_[a * n_ + b];
      most = std::min(most, degree / 2);
    }
    return most;
  }

  bool another_cycle(std::uint32_t wanted) {
    if (found_.size() > best_.size()) best_ = found_;
    if (found_.size() == wanted) return true;
    path_ = {0};
    return extend(wanted, 1);
  }

  void take(std::uint32_t a, std::uint32_t b) { --left(a, b), --left(b, a); }
  void give_back(std::uint32_t a, std::uint32_t b) { ++left(a, b), ++left(b, a); }

  bool extend(std::uint32_t wanted, std::uint64_t visited) {
    if (++steps_ > most_steps) return false;
    const std::uint32_t here = path_.back();
    if (path_.size() == n_) {
      // Each cycle is met both ways round; the one with the lower second rank is enough.
      if (left(here, 0) == 0 || path_[1] > here) return false;
      take(here, 0);
      found_.push_back(path_);
      if (another_cycle(wanted)) return true;
      path_ = found_.back();
      found_.pop_back();
      give_back(here, 0);
      return false;
    }
    for (std::uint32_t next = 1; next < n_; ++next) {
      if ((visited >> next & 1) != 0 || left(here, next) == 0) continue;
      take(here, next);
      path_.push_back(next);
      if (extend(wanted, visited | std::uint64_t{1} << next)) return true;
      path_.pop_back();
      give_back(here, next);
    }
    return false;
  }

  static constexpr std::uint32_t most_steps = 400'000;
  std::vector<std::uint32_t> left_;
  std::uint32_t n_;
  std::uint32_t steps_ = 0;
  Cycle path_;
  std::vector<Cycle> found_, best_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> pack_cycles(std::span<const std::uint32_t> links, std::uint32_t n) {
  TAHOMA_ASSERT(n >= 2 && n <= 64 && links.size() == std::size_t{n} * n, "a square of few ranks");
  if (n == 2) return std::vector<Cycle>(links[1], Cycle{0, 1});
  return Packing(links, n).most();
}

}  // namespace tahoma
