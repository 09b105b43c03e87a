// The digits of the chip number, which of them are symmetries, and which links each of them moves.
#pragma once

#include <vector>

#include "topology/exceptions.h"
#include "topology/geometry.h"
#include "topology/topology.h"

namespace tahoma {

struct ProductDigits {
  std::vector<Digit> digits;
  // Which digits the links of a kind depend on; a link's other digits are all alike.
  DigitMask of_chip = 0, of_leaf = 0, of_pod = 0, of_site = 0;

  ChipId fold(ChipId chip, DigitMask folded) const;
  std::uint64_t orbit(DigitMask folded) const;
};

/// Of the healthy network.
ProductDigits make_digits(const Geometry& geometry);

/// A fault voids the symmetries that move it: all of them for a chip's own link, since routes go round it
/// too; for a leaf's or pod's trunk only those that lead to another leaf or pod.
void break_symmetry(const Exceptions& exceptions, ProductDigits& digits);

}  // namespace tahoma
