#include "collectives/groups.h"

#include <algorithm>
#include <optional>

#include "core/errors.h"

namespace tahoma {

namespace {

using DigitAxis = RankGroups::DigitAxis;

DigitAxis whole_axis(std::uint32_t digit, const Digit& d) {
  return {digit, d.size, d.stride, {}, true, d.size};
}

std::uint32_t digit_value(const Digit& d, ChipId chip) {
  return (chip / d.stride) % d.size;
}

struct Box {
  ChipId base;
  std::vector<DigitAxis> axes;
};

// The first position at which the digit is not what it is at position 0; past the end if it never changes.
std::size_t first_change(const Digit& digit, const std::vector<ChipId>& chips) {
  const std::uint32_t first = digit_value(digit, chips[0]);
  const auto at = std::find_if(chips.begin(), chips.end(),
                               [&](ChipId chip) { return digit_value(digit, chip) != first; });
  return static_cast<std::size_t>(at - chips.begin());
}

// The box of one list of chips: per digit the set of values that occur, if the list is exactly their product
// in mixed-radix order, whichever digit runs fastest (a scattered placement runs the outermost one first).
std::optional<Box> box_of(std::span<const Digit> digits, const std::vector<ChipId>& chips) {
  Box box{0, {}};
  std::uint64_t product = 1;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    std::vector<std::uint32_t> values;
    for (const ChipId chip : chips) values.push_back(digit_value(digits[d], chip));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto size = static_cast<std::uint32_t>(values.size());
    product *= size;
    if (product > chips.size()) return std::nullopt;
    const bool whole = size == digits[d].size;
    box.axes.push_back(
        {d, size, digits[d].stride, whole ? std::vector<std::uint32_t>{} : values, whole, digits[d].size});
  }
  if (product != chips.size()) return std::nullopt;
  std::stable_sort(box.axes.begin(), box.axes.end(), [&](const DigitAxis& a, const DigitAxis& b) {
    return first_change(digits[a.digit], chips) < first_change(digits[b.digit], chips);
  });
  for (std::size_t position = 0; position < chips.size(); ++position) {
    ChipId chip = 0;
    auto rest = static_cast<std::uint32_t>(position);
    for (const DigitAxis& axis : box.axes) {
      chip += axis.offset(rest % axis.size);
      rest /= axis.size;
    }
    if (chip != chips[position]) return std::nullopt;
  }
  return box;
}

}  // namespace

ChipId RankGroups::chip(std::uint32_t group, std::uint32_t position) const {
  if (plain_) return base_ + group * size_ + position;
  if (is_list()) return lists_[group][position];
  ChipId chip = base_;
  for (const DigitAxis& axis : inside_) {
    chip += axis.offset(position % axis.size);
    position /= axis.size;
  }
  for (const DigitAxis& axis : outside_) {
    chip += axis.offset(group % axis.size);
    group /= axis.size;
  }
  return chip;
}

RankGroups RankGroups::from_axes(const Topology& topology, ChipId base, std::vector<DigitAxis> inside,
                                 std::vector<DigitAxis> outside) {
  RankGroups result;
  result.base_ = base;
  for (const DigitAxis& axis : inside) {
    result.size_ *= axis.size;
    if (axis.whole) result.whole_ |= DigitMask{1} << axis.digit;
  }
  for (const DigitAxis& axis : outside) {
    result.groups_ *= axis.size;
    if (axis.whole) result.whole_ |= DigitMask{1} << axis.digit;
  }
  std::uint32_t next = 1;
  result.plain_ = true;
  for (const auto* axes : {&inside, &outside}) {
    for (const DigitAxis& axis : *axes) {
      if (axis.size == 1 && axis.values.empty()) continue;
      result.plain_ &= axis.values.empty() && axis.stride == next;
      next *= axis.size;
    }
  }
  result.inside_ = std::move(inside);
  result.outside_ = std::move(outside);
  result.describe_axes(topology);
  return result;
}

// Rate and latency of an axis are those of the route from coordinate 0 to 1: the network itself is asked, so
// that no second description of it can drift.
void RankGroups::describe_axes(const Topology& topology) {
  const auto digits = topology.digits();
  std::uint32_t stride = 1;
  const auto probe = [&](Axis axis, std::uint32_t position, std::uint32_t digit) {
    Route route;
    topology.route(chip(0, 0), chip(0, position), 0, route);
    axis.latency = route.path[0].latency;
    axis.rate = {~u128{0} >> 40};
    for (const LinkId link : route.path[0].links) axis.rate = std::min(axis.rate, topology.capacity(link));
    axes_.push_back(axis);
    axis_digits_.push_back(digit);
  };
  if (is_list()) {
    const Axis axis{
        .size = size_, .kind = Axis::Kind::list, .level = Level::cluster, .rate = {}, .latency = {}};
    if (size_ > 1) probe(axis, 1, no_digit);
  }
  for (const DigitAxis& part : inside_) {
    if (part.size > 1) {
      const Digit& digit = digits[part.digit];
      Axis axis{.size = part.size, .kind = Axis::Kind::list, .level = digit.level, .rate = {}, .latency = {}};
      // Some of a switch's ports hang on the same switch; some of a ring are no ring.
      const bool alike = digit.kind == Digit::Kind::switched || digit.kind == Digit::Kind::full;
      if (part.whole || alike) axis.kind = static_cast<Axis::Kind>(digit.kind);
      if (part.whole) axis.two_way_pair = digit.two_way_pair;
      probe(axis, stride, part.digit);
    }
    stride *= part.size;
  }
  // On a graph, one digit of the chips in the order of the file, the direct links tell which rings there are.
  if (axes_.size() == 1 && digits.size() == 1 && digits[0].kind == Digit::Kind::list)
    axes_[0].direct_links = direct_links_between(topology);
  if (axes_.empty()) {
    axes_.push_back({.size = 1, .kind = Axis::Kind::list, .level = Level::server, .rate = {}, .latency = {}});
    axis_digits_.push_back(no_digit);
  }
}

std::vector<std::uint32_t> RankGroups::direct_links_between(const Topology& topology) const {
  if (size_ > most_on_direct_links) return {};
  std::vector<Capacity> capacities(std::size_t{size_} * size_);
  Capacity least{~u128{0} >> 40};
  for (std::uint32_t a = 0; a < size_; ++a)
    for (std::uint32_t b = 0; b < size_; ++b) {
      if (a == b) continue;
      Route route;
      topology.route(chip(0, a), chip(0, b), 0, route);
      if (route.path[0].links.size() != 1) continue;
      Capacity& capacity = capacities[a * size_ + b];
      capacity = topology.capacity(route.path[0].links[0]);
      least = std::min(least, capacity);
    }
  std::vector<std::uint32_t> links(capacities.size());
  for (std::uint32_t a = 0; a < size_; ++a)
    for (std::uint32_t b = 0; b < size_; ++b) {
      // A cycle goes both ways round, so a pair has as many links as its weaker direction.
      const Capacity both = std::min(capacities[a * size_ + b], capacities[b * size_ + a]);
      links[a * size_ + b] = static_cast<std::uint32_t>(both.q20 / least.q20);
    }
  return links;
}

std::vector<RankGroups::DigitAxis> RankGroups::axis_parts() const {
  std::vector<DigitAxis> parts;
  for (const DigitAxis& part : inside_) {
    if (part.size > 1) parts.push_back(part);
  }
  return parts;
}

RankGroups RankGroups::block(ChipId at, std::span<const std::uint8_t> axes) const {
  const std::vector<DigitAxis> parts = axis_parts();
  RankGroups result;
  result.base_ = at;
  for (const std::uint8_t axis : axes) {
    const DigitAxis& part = parts[axis];
    // `at` is any member; the base has digit 0 here, and offset(coordinate) adds the wanted one.
    result.base_ -= at / part.stride % part.digit_size * part.stride;
    result.size_ *= part.size;
    result.inside_.push_back(part);
    result.axes_.push_back(axes_[axis]);
    result.axis_digits_.push_back(axis_digits_[axis]);
  }
  return result;
}

RankGroups RankGroups::boxes(const Topology& topology, ChipId base, std::vector<DigitAxis> inside,
                             std::vector<DigitAxis> outside) {
  return from_axes(topology, base, std::move(inside), std::move(outside));
}

RankGroups RankGroups::all(const Topology& topology) {
  return by_level(topology, Level::cluster);
}

RankGroups RankGroups::by_level(const Topology& topology, Level level) {
  std::vector<DigitAxis> inside, outside;
  const auto digits = topology.digits();
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    (digits[d].level <= level ? inside : outside).push_back(whole_axis(d, digits[d]));
  }
  return from_axes(topology, 0, std::move(inside), std::move(outside));
}

RankGroups RankGroups::with_stride(const Topology& topology, std::uint32_t stride) {
  const auto digits = topology.digits();
  const bool aligned =
      std::any_of(digits.begin(), digits.end(), [&](const Digit& d) { return d.stride == stride; });
  if (!aligned) {
    std::vector<std::vector<ChipId>> groups(stride);
    for (ChipId chip = 0; chip < topology.chips(); ++chip) groups[chip % stride].push_back(chip);
    return lists(topology, std::move(groups));
  }
  std::vector<DigitAxis> inside, outside;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    (digits[d].stride >= stride ? inside : outside).push_back(whole_axis(d, digits[d]));
  }
  return from_axes(topology, 0, std::move(inside), std::move(outside));
}

RankGroups RankGroups::of_size(const Topology& topology, std::uint32_t size) {
  const auto digits = topology.digits();
  const bool aligned =
      size == topology.chips() ||
      std::any_of(digits.begin(), digits.end(), [&](const Digit& d) { return d.stride == size; });
  if (!aligned) {
    std::vector<std::vector<ChipId>> groups(topology.chips() / size);
    for (ChipId chip = 0; chip < topology.chips(); ++chip) groups[chip / size].push_back(chip);
    return lists(topology, std::move(groups));
  }
  std::vector<DigitAxis> inside, outside;
  for (std::uint32_t d = 0; d < digits.size(); ++d) {
    (digits[d].stride < size ? inside : outside).push_back(whole_axis(d, digits[d]));
  }
  return from_axes(topology, 0, std::move(inside), std::move(outside));
}

// Whole inner digits, then a prefix of one digit; otherwise a list.
RankGroups RankGroups::first(const Topology& topology, std::uint32_t count) {
  if (count == topology.chips()) return all(topology);
  const auto digits = topology.digits();
  std::vector<DigitAxis> inside;
  std::uint32_t covered = 1;
  for (std::uint32_t d = 0; d < digits.size() && covered < count; ++d) {
    if (count % covered != 0) break;
    const std::uint32_t wanted = std::min(count / covered, digits[d].size);
    DigitAxis axis = whole_axis(d, digits[d]);
    axis.size = wanted;
    axis.whole = wanted == digits[d].size;
    inside.push_back(axis);
    covered *= wanted;
  }
  if (covered == count) return from_axes(topology, 0, std::move(inside), {});
  std::vector<ChipId> chips(count);
  for (ChipId chip = 0; chip < count; ++chip) chips[chip] = chip;
  return lists(topology, {std::move(chips)});
}

RankGroups RankGroups::lists(const Topology& topology, std::vector<std::vector<ChipId>> groups) {
  TAHOMA_ASSERT(!groups.empty(), "no groups");
  if (groups.size() == 1) {
    if (auto box = box_of(topology.digits(), groups[0])) {
      return from_axes(topology, 0, std::move(box->axes), {});
    }
  }
  RankGroups result;
  result.groups_ = static_cast<std::uint32_t>(groups.size());
  result.size_ = static_cast<std::uint32_t>(groups[0].size());
  for (const auto& group : groups) TAHOMA_ASSERT(group.size() == result.size_, "groups of unequal size");
  result.lists_ = std::move(groups);
  result.describe_axes(topology);
  return result;
}

}  // namespace tahoma
