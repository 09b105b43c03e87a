#include "scenarios/stack_text.h"

#include <algorithm>

#include "core/errors.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_counted = 1u << 16;

// One reader per type of a figure.
bool read_as(bool /*type*/, std::string_view text) {
  if (text == "yes" || text == "true") return true;
  if (text == "no" || text == "false") return false;
  throw BadText{"is neither yes nor no", "yes or no", ""};
}
Bytes read_as(Bytes /*type*/, std::string_view text) {
  return read_bytes(text);
}
Duration read_as(Duration /*type*/, std::string_view text) {
  return read_time(text);
}
Capacity read_as(Capacity /*type*/, std::string_view text) {
  return capacity_of({read_bandwidth(text)});
}
Decimal read_as(Decimal /*type*/, std::string_view text) {
  const Decimal value = read_number(text);
  if (value.mantissa == 0) throw BadText{"is zero", "", ""};
  if (compare(value, {1, 0}) > 0) throw BadText{"is more than 1", "", ""};
  return value;
}
std::uint32_t read_as(std::uint32_t /*type*/, std::string_view text) {
  const std::uint64_t value = read_count(text);
  if (value == 0 || value > most_counted) throw BadText{"is out of range", "from 1 to 65536", ""};
  return static_cast<std::uint32_t>(value);
}

}  // namespace

std::string accepted_text(const StackFigure& figure) {
  constexpr std::string_view yes_no = "yes or no", fraction = "a number above 0 and up to 1, or a percentage",
                             count = "a whole number from 1";
  const std::string by_type[] = {
      std::string(yes_no),           accepted_text(Quantity::size),      std::string(fraction),
      accepted_text(Quantity::time), accepted_text(Quantity::bandwidth), std::string(count)};
  return by_type[figure.field.index()];
}

void read_figure(const StackFigure& figure, std::string_view text, StackFigures& into) {
  std::visit([&](auto field) { into.*field = read_as(into.*field, text); }, figure.field);
}

StackFigures figures_of(const StackCase& of, const StackWork& work, const StackPlatform& platform) {
  const std::vector<StackParameter> rows = stack_parameters(work.name);
  StackFigures figures;
  for (const StackFigure& figure : stack_figures()) {
    const std::vector<std::string> names = parameter_names(of, figure.name);
    const StackWork::Overruled* own = nullptr;
    for (std::size_t n = 0; n < names.size() && own == nullptr; ++n) {
      const auto named =
          std::find_if(work.parameters.begin(), work.parameters.end(),
                       [&](const StackWork::Overruled& parameter) { return parameter.name == names[n]; });
      if (named != work.parameters.end()) own = &*named;
    }
    const StackParameter* row = deciding_row(rows, of, figure.name, platform);
    if (own != nullptr) {
      read_figure(figure, own->value, figures);
    } else if (row != nullptr) {
      read_figure(figure, row->value, figures);
    }
  }
  return figures;
}

StackPlatform platform_of(const Scenario& scenario, const StackWork& work) {
  return {scenario.chip, scenario.preset, work.version};
}

}  // namespace tahoma
