// What a preset's name stands for when it is compared with measurements: which systems are near each other,
// which transport and which communication software it comes with.
#pragma once

#include <span>
#include <string_view>

namespace tahoma {

struct PresetFamily {
  std::string_view preset;
  std::string_view family;     // presets of one family have the same chips and the same scale-up fabric
  std::string_view transport;  // of its own scale-out, "" = none of the three
  std::string_view stack;      // the software that runs collectives on it
};

std::span<const PresetFamily> preset_families();

/// Of NAME or NAME@VARIANT; nullptr if the preset has no row.
const PresetFamily* family_of(std::string_view preset);

}  // namespace tahoma
