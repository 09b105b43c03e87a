// Several ranks on a chip: how many, and the fabric inside the chip that joins them.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

bool has_several_ranks(const Field& top) {
  const Field ranks = top["cluster"]["ranks_per_chip"];
  return ranks && read_field(ranks, read_count) > 1;
}

void drop_inner_fabric(Node& root) {
  Node* cluster = root.find("cluster");
  Node* chip = cluster ? cluster->find("chip") : nullptr;
  if (!chip || !chip->is_map()) return;
  const Node* inner = chip->find("inner");
  if (!inner || !inner->is_map()) return;
  const bool users_own = std::any_of(inner->entries.begin(), inner->entries.end(),
                                     [](const Entry& entry) { return entry.value.layer >= Layer::extends; });
  if (!users_own) chip->erase("inner");
}

void resolve_ranks_per_chip(const Node& root, ClusterShape& shape) {
  const Field top{&root, ""};
  if (!has_several_ranks(top)) return;
  const Field ranks = top["cluster"]["ranks_per_chip"], chip = top["cluster"]["chip"];
  const Field inner = chip["inner"];
  if (!inner) {
    const std::string name = chip["name"] ? chip["name"].text() : std::string("this chip");
    throw InfeasibleError(sentence(
        {ranks.place(),
         ranks.path,
         ranks.text(),
         {fmt::format("asks for several ranks, and {} is one: nothing is said of a fabric inside it", name),
          "1, a Trainium or Inferentia preset, or cluster.chip.inner", ""}}));
  }
  shape.ranks_per_chip = read_count32(ranks);
  shape.inner.cores = read_count32(required(inner, "cores"));
  if (shape.inner.cores % shape.ranks_per_chip != 0) {
    refuse(ranks, {fmt::format("does not divide the {} cores of a chip", shape.inner.cores),
                   "a divisor of them: a rank is one core or several", ""});
  }
  shape.inner.bandwidth = read_field(required(inner, "bandwidth"), read_bandwidth);
  shape.inner.latency = read_field(required(inner, "latency"), read_time);
  shape.inner.efficiency = read_field(inner["efficiency"], read_number);
  if (const Field copies = chip["memory"]["ranks"]; copies && read_field(copies, read_count) > 1) {
    refuse(copies,
           {"stands beside cluster.ranks_per_chip, which simulates each of the ranks", "one of the two", ""});
  }
}

}  // namespace tahoma
