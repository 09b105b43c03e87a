// Which chips take part in a collective, and in which order: groups of equal size, all at once.
//
// Idea: a group is a box of the chip number's digits whenever possible ("all", "by server", "stride 64", "the
// first 128", "us[0-3].*"): then it is a few numbers for a million chips, its axes are known to the
// algorithms, and it can be folded. Anything else is an explicit list, with one axis of kind `list`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/schedule.h"
#include "topology/topology.h"

namespace tahoma {

class RankGroups {
 public:
  /// One digit's part of a group (or of the group number): `values[i]` is the digit of coordinate i; empty
  /// means all of 0 .. size - 1.
  struct DigitAxis {
    std::uint32_t digit = 0, size = 1, stride = 1;
    std::vector<std::uint32_t> values;
    bool whole = true;  // every value of the digit, in order
    std::uint32_t digit_size = 1;
    std::uint32_t offset(std::uint32_t coordinate) const {
      return (values.empty() ? coordinate : values[coordinate]) * stride;
    }
  };

  std::uint32_t groups() const { return groups_; }
  std::uint32_t size() const { return size_; }
  std::uint64_t ranks() const { return std::uint64_t{groups_} * size_; }
  ChipId chip(std::uint32_t group, std::uint32_t position) const;

  /// The axes of one group for the algorithms, innermost first; axes of size 1 are left out unless all are.
  const std::vector<Axis>& axes() const { return axes_; }
  /// Digits of each axis in axes(); `no_digit` for a list.
  const std::vector<std::uint32_t>& axis_digits() const { return axis_digits_; }
  static constexpr std::uint32_t no_digit = ~0u;

  bool is_list() const { return !lists_.empty(); }
  /// Digits all of whose values occur in the groups taken together (a fold may collapse only these).
  DigitMask whole_digits() const { return whole_; }
  /// The digit axes behind axes(): entry i belongs to axes()[i]. Empty for a list.
  std::vector<DigitAxis> axis_parts() const;
  const std::vector<DigitAxis>& inside() const { return inside_; }
  const std::vector<DigitAxis>& outside() const { return outside_; }
  ChipId base() const { return base_; }

  /// The ranks that differ from the chip `at` only along `axes` (indices into axes()), as one group.
  RankGroups block(ChipId at, std::span<const std::uint8_t> axes) const;

  static RankGroups all(const Topology& topology);
  static RankGroups by_level(const Topology& topology, Level level);
  static RankGroups with_stride(const Topology& topology, std::uint32_t stride);
  static RankGroups of_size(const Topology& topology, std::uint32_t size);
  static RankGroups first(const Topology& topology, std::uint32_t count);
  /// One group per coordinate of `outside` (base included), each of the coordinates of `inside`. Parts of one
  /// digit may be in both; none of them is then whole.
  static RankGroups boxes(const Topology& topology, ChipId base, std::vector<DigitAxis> inside,
                          std::vector<DigitAxis> outside);
  /// Explicit chips per group, all of equal size; recognised as a box where they are one.
  static RankGroups lists(const Topology& topology, std::vector<std::vector<ChipId>> groups);

 private:
  static RankGroups from_axes(const Topology& topology, ChipId base, std::vector<DigitAxis> inside,
                              std::vector<DigitAxis> outside);
  void describe_axes(const Topology& topology);
  std::vector<std::uint32_t> direct_links_between(const Topology& topology) const;  // Axis::direct_links

  std::uint32_t groups_ = 1, size_ = 1;
  ChipId base_ = 0;
  bool plain_ = false;  // chips follow one another: rank i is chip base + i
  std::vector<DigitAxis> inside_, outside_;
  DigitMask whole_ = 0;
  std::vector<std::vector<ChipId>> lists_;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> axis_digits_;
};

}  // namespace tahoma
