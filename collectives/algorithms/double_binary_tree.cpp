// Two binary trees at once, half of the buffer each, in chunks: every rank forwards in one tree and is a leaf
// in the other, so that all links work in both directions while the depth stays at log2 n.
//
//   tree 0 of 8:        0            tree 1 is its mirror image (rank r as 7 - r) for an even number of
//                       4            ranks, shifted by one for an odd one.
//                   2       6
//                 1   3   5   7
//
// all_reduce sums each chunk up to the root and hands it down again. broadcast and reduce take the trees over
// all ranks but the root, which sends to (or receives from) the root of each tree.
// Sources: Sanders, Speck, Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan"
// (2009); the numbering is that of NCCL's trees.
#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "collectives/algorithms/building.h"
#include "collectives/algorithms/rows.h"

namespace tahoma {
namespace {

constexpr std::uint32_t nobody_there = ~0u;
constexpr std::uint32_t to_first_child = 0, to_second_child = 1;

struct TreePlace {
  std::uint32_t parent = nobody_there;
  std::array<std::uint32_t, 2> child{nobody_there, nobody_there};
};

/// Tree 0 over places 0 .. m - 1.
TreePlace in_order_tree(std::uint32_t m, std::uint32_t v) {
  TreePlace place;
  const std::uint32_t bit = v == 0 ? std::bit_ceil(m) : v & (~v + 1);
  if (v == 0) {
    if (m > 1) place.child[to_second_child] = bit / 2;
    return place;
  }
  place.parent = (v ^ bit) | (bit << 1);
  if (place.parent >= m) place.parent = v ^ bit;
  if (bit > 1) place.child[to_first_child] = v - bit / 2;
  std::uint32_t below = bit / 2;
  while (below > 0 && v + below >= m) below /= 2;
  if (below > 0) place.child[to_second_child] = v + below;
  return place;
}

TreePlace tree_place(std::uint32_t tree, std::uint32_t m, std::uint32_t v) {
  if (tree == 0) return in_order_tree(m, v);
  const bool mirrored = m % 2 == 0;
  TreePlace place = in_order_tree(m, mirrored ? m - 1 - v : (v + m - 1) % m);
  const auto back = [&](std::uint32_t& u) {
    if (u != nobody_there) u = mirrored ? m - 1 - u : (u + 1) % m;
  };
  back(place.parent), back(place.child[0]), back(place.child[1]);
  return place;
}

/// Tags of a tree: from the first child, from the second one, from the parent.
std::uint16_t tag_of_tree(std::uint32_t tree, std::uint32_t from) {
  return static_cast<std::uint16_t>(3 * tree + from);
}
constexpr std::uint32_t from_parent = 2;

class TreeWriter {
 public:
  explicit TreeWriter(const PhaseRequest& request)
      : request_(request), phase_(blank_phase(request, "double_binary_tree")) {
    rooted_ = request.goal != PhaseGoal::all_reduce;
    sums_ = request.goal != PhaseGoal::broadcast;
    spreads_ = request.goal != PhaseGoal::reduce;
    members_ = phase_.positions - (rooted_ ? 1 : 0);
    chunks_ = chunks();
    phase_.pieces = chunks_;
    phase_.parts = 2;
    phase_.tags = 6;
    phase_.piece_bytes.assign(2, shard_bytes(request.elements, 2 * chunks_, request.element_bytes));
  }

  Phase phase() {
    if (rooted_ && spreads_) phase_.roles.push_back({request_.root, 1, 1, root_lanes()});
    add_roles(0, 1, 1);
    if (top_of_second() != 0) add_roles(top_of_second(), 1, top_of_second() + 1);
    // The places of equal height and side in tree 0 (leaves in tree 1), then the same in tree 1.
    for (std::uint32_t bit = 2; bit < members_; bit *= 2)
      for (const std::uint32_t first : {bit, 3 * bit}) {
        if (first >= members_) continue;
        const std::uint32_t stride = 4 * bit;
        add_roles(first, stride, members_);
        if (members_ % 2 == 0)
          add_roles((members_ - 1 - first) % stride, stride, members_ - first);
        else
          add_roles(first + 1, stride, members_);
      }
    return std::move(phase_);
  }

 private:
  std::uint32_t chunks() const {
    const auto depth = static_cast<std::uint32_t>(std::bit_width(phase_.positions));
    const bool both = sums_ && spreads_;
    if (request_.pipelined) return 1;
    return best_chunks(request_, both ? 2 * depth : depth, both ? 2 : 1);
  }

  std::uint32_t top_of_second() const { return members_ % 2 == 0 ? members_ - 1 : 1 % members_; }

  std::uint32_t position_of(std::uint32_t v) const {
    return rooted_ ? (v + request_.root + 1) % phase_.positions : v;
  }

  Send chunk_by_chunk(Op op, std::uint32_t tree, std::uint32_t from, std::uint32_t to, std::uint32_t tag_from,
                      std::vector<Wait> waits) const {
    Send send = make_send(op, shifted(std::int64_t{to} - std::int64_t{from}), phase_.piece_bytes[tree],
                          tag_of_tree(tree, tag_from), range_from(PieceRange::Anchor::fixed, 0, 1));
    send.reps = chunks_;
    send.part = static_cast<std::uint16_t>(tree);
    send.waits = std::move(waits);
    return send;
  }

  void add_lanes(std::vector<Lane>& lanes, std::uint32_t tree, std::uint32_t v) const {
    const TreePlace place = tree_place(tree, members_, v);
    const std::uint32_t own = position_of(v);
    std::vector<Wait> summed;
    for (const std::uint32_t c : {to_first_child, to_second_child})
      if (sums_ && place.child[c] != nobody_there) summed.push_back({tag_of_tree(tree, c), 1, 1});
    const bool is_top = place.parent == nobody_there;
    const auto channel = [&](std::uint32_t which) { return static_cast<std::uint16_t>(3 * tree + which); };
    if (sums_ && (!is_top || rooted_)) {
      const std::uint32_t to = is_top ? request_.root : position_of(place.parent);
      std::uint32_t as = to_first_child;
      if (!is_top && tree_place(tree, members_, place.parent).child[to_second_child] == v)
        as = to_second_child;
      lanes.push_back({channel(0), {chunk_by_chunk(Op::reduce, tree, own, to, as, summed)}});
    }
    const bool starts = is_top && !rooted_;
    const std::vector<Wait> known =
        starts ? summed : std::vector<Wait>{{tag_of_tree(tree, from_parent), 1, 1}};
    for (const std::uint32_t c : {to_first_child, to_second_child})
      if (spreads_ && place.child[c] != nobody_there)
        lanes.push_back(
            {channel(1 + c),
             {chunk_by_chunk(Op::copy, tree, own, position_of(place.child[c]), from_parent, known)}});
  }

  std::vector<Lane> lanes_of(std::uint32_t v) const {
    std::vector<Lane> lanes;
    for (const std::uint32_t tree : {0u, 1u}) add_lanes(lanes, tree, v);
    return lanes;
  }

  std::vector<Lane> root_lanes() const {
    std::vector<Lane> lanes;
    for (const std::uint32_t tree : {0u, 1u}) {
      const std::uint32_t top = tree == 0 ? 0 : top_of_second();
      lanes.push_back({static_cast<std::uint16_t>(3 * tree),
                       {chunk_by_chunk(Op::copy, tree, request_.root, position_of(top), from_parent, {})}});
    }
    return lanes;
  }

  /// What a place does changes where a parent or a child falls off the end, and its shifts where positions
  /// start again from 0.
  std::vector<std::uint32_t> bounds() const {
    const std::uint32_t m = members_, wrap = phase_.positions - 1 - request_.root;
    std::vector<std::uint32_t> result;
    if (rooted_) result.push_back(wrap);
    for (std::uint32_t distance = 1; distance < m; distance *= 2) {
      result.insert(result.end(), {distance, m - distance, m - distance + 1});
      if (!rooted_) continue;
      result.push_back(wrap + distance);
      if (wrap >= distance) result.push_back(wrap - distance);
    }
    return result;
  }

  void add_roles(std::uint32_t first, std::uint32_t stride, std::uint32_t end) {
    for (const Stretch& s : stretches(first, stride, end, bounds())) {
      std::vector<Lane> lanes = lanes_of(s.first);
      if (!lanes.empty()) phase_.roles.push_back({position_of(s.first), s.count, stride, std::move(lanes)});
    }
  }

  const PhaseRequest& request_;
  Phase phase_;
  bool rooted_ = false, sums_ = true, spreads_ = true;
  std::uint32_t members_ = 0, chunks_ = 1;
};

}  // namespace

std::string refuse_double_binary_tree(const PhaseRequest& request) {
  if (request.goal == PhaseGoal::all_reduce || request.goal == PhaseGoal::broadcast ||
      request.goal == PhaseGoal::reduce)
    return {};
  return goal_refusal("double_binary_tree", request.goal, "all_reduce, broadcast, reduce");
}

std::vector<Phase> make_double_binary_tree(const PhaseRequest& request) {
  return {TreeWriter(request).phase()};
}

}  // namespace tahoma
