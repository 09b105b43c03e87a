#include "scenarios/sweep/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/nearest.h"
#include "scenarios/assertion.h"
#include "scenarios/complaint.h"
#include "scenarios/decimal_text.h"
#include "scenarios/field.h"
#include "scenarios/keys.h"
#include "scenarios/quantity.h"
#include "scenarios/ranges.h"
#include "scenarios/shape_check.h"
#include "scenarios/yaml_tree.h"

namespace tahoma {

namespace {

constexpr std::int64_t interval_steps = 1'000;
constexpr std::size_t most_axis_values = 100'000;
constexpr std::uint64_t most_samples = 10'000'000;

template <Quantity quantity>
Decimal in_base_unit(std::string_view text) {
  return read_quantity(text, quantity);
}

Decimal whole_number(std::string_view text) {
  return normalized(i128{read_count(text)}, 0);
}

/// How the values of a key's type are numbers: the unit a range is written back in, and the column's.
struct NumberKind {
  ValueType type;
  ReadValue read;
  std::string_view base_unit;  // after a number in base units
  std::string_view suffix;     // of the column
  std::int32_t exponent;       // from the base unit to the column's
};
constexpr std::array number_kinds = {
    NumberKind{ValueType::bandwidth, in_base_unit<Quantity::bandwidth>, "B/s", "_GBps", -9},
    NumberKind{ValueType::size, in_base_unit<Quantity::size>, "B", "_bytes", 0},
    NumberKind{ValueType::sizes, in_base_unit<Quantity::size>, "B", "_bytes", 0},
    NumberKind{ValueType::time, in_base_unit<Quantity::time>, "ps", "_s", -12},
    NumberKind{ValueType::distance, in_base_unit<Quantity::distance>, "m", "_m", 0},
    NumberKind{ValueType::count, whole_number, "", "", 0},
    NumberKind{ValueType::index, whole_number, "", "", 0},
    NumberKind{ValueType::number, read_number, "", "", 0},
    NumberKind{ValueType::fraction, read_number, "", "", 0},
    NumberKind{ValueType::probability, read_number, "", "", 0},
};

const NumberKind* kind_of(ValueType type) {
  const auto found = std::find_if(number_kinds.begin(), number_kinds.end(),
                                  [&](const NumberKind& kind) { return kind.type == type; });
  return found == number_kinds.end() ? nullptr : &*found;
}

/// The type of the values at a path; those of an element of a list are its list's.
ValueType type_at(const std::string& path) {
  const Key* key = key_at(path);
  if (key == nullptr) key = key_at(path.substr(0, std::min(path.rfind('.'), path.size())));
  return key == nullptr ? ValueType::text : key->type;
}

bool is_range(std::string_view text) {
  return text.starts_with("log2(") || text.starts_with("range(") || text.find("..") != std::string_view::npos;
}

bool is_between(std::string_view text) {
  return text.starts_with("between(");
}

AxisValue value_of(Node node, const NumberKind* kind) {
  AxisValue value{one_line(node), {}, "", ""};
  value.node = std::move(node);
  if (kind == nullptr || !value.node.is_scalar()) return value;
  try {
    const Decimal number = kind->read(value.node.text);
    value.number = to_text(scaled(number, 1, kind->exponent));
  } catch (const BadText&) {  // "auto", a range of sizes: no number
  }
  return value;
}

/// The units that a number of a range may be written in.
struct WrittenUnit {
  std::string_view base_unit, name;
  std::uint64_t in_base = 1;  // of a binary unit
  std::int32_t exponent = 0;  // of a decimal one
};
constexpr std::array written_units = {
    WrittenUnit{"B/s", "GB/s", 1, 9}, WrittenUnit{"B/s", "MB/s", 1, 6}, WrittenUnit{"B/s", "B/s", 1, 0},
    WrittenUnit{"B", "GiB", 1 << 30}, WrittenUnit{"B", "MiB", 1 << 20}, WrittenUnit{"B", "KiB", 1 << 10},
    WrittenUnit{"B", "GB", 1, 9},     WrittenUnit{"B", "MB", 1, 6},     WrittenUnit{"B", "kB", 1, 3},
    WrittenUnit{"B", "B", 1, 0},      WrittenUnit{"ps", "s", 1, 12},    WrittenUnit{"ps", "ms", 1, 9},
    WrittenUnit{"ps", "us", 1, 6},    WrittenUnit{"ps", "ns", 1, 3},    WrittenUnit{"ps", "ps", 1, 0},
    WrittenUnit{"m", "km", 1, 3},     WrittenUnit{"m", "m", 1, 0},
};

/// The shortest way to write it: 1MiB, not 1048576B.
std::string shortest_quantity(Decimal number, std::string_view base_unit) {
  std::string best = to_text(number) + std::string(base_unit);
  for (const WrittenUnit& unit : written_units) {
    if (unit.base_unit != base_unit) continue;
    std::string text;
    if (unit.in_base == 1) {
      text = to_text(scaled(number, 1, -unit.exponent));
    } else {
      const Integral bytes = to_integral(number);
      if (!bytes.exact || !bytes.fits || bytes.nearest % unit.in_base != 0) continue;
      text = std::to_string(bytes.nearest / unit.in_base);
    }
    text += unit.name;
    if (text.size() < best.size()) best = std::move(text);
  }
  return best;
}

Node number_node(Decimal number, const NumberKind& kind, const Node& from) {
  return scalar_node(shortest_quantity(number, kind.base_unit), from.place, from.layer);
}

/// "between(50GB/s, 300GB/s)": both ends, and evenly between them.
std::vector<Decimal> interval(std::string_view text, ReadValue read) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || !text.ends_with(')'))
    throw BadText{"is not two ends", "between(first, last)", ""};
  const std::size_t start = text.find('(') + 1;
  const Decimal first = read(trimmed(text.substr(start, comma - start)));
  const Decimal last = read(trimmed(text.substr(comma + 1, text.size() - comma - 2)));
  if (compare(first, last) >= 0) throw BadText{"runs backwards", "the smaller end first", ""};
  const std::int32_t exponent = std::min(first.exponent, last.exponent);
  const auto aligned = [&](Decimal value) {
    i128 mantissa = value.mantissa;
    for (std::int32_t gap = value.exponent - exponent; gap > 0; --gap) {
      mantissa *= 10;
      if (mantissa > i128{1} << 90) throw BadText{"spans too many powers of ten", "ends closer together", ""};
    }
    return mantissa;
  };
  const i128 a = aligned(first) * interval_steps, span = aligned(last) - aligned(first);
  std::vector<Decimal> values;
  for (std::int64_t i = 0; i <= interval_steps; ++i) values.push_back(normalized(a + span * i, exponent - 3));
  return values;
}

/// Whole numbers of an interval stay whole: 1,001 steps of 3 to 10 are its eight numbers.
std::vector<Decimal> only_whole(const std::vector<Decimal>& values) {
  std::vector<Decimal> whole;
  for (const Decimal& value : values) {
    const Decimal rounded = normalized(i128{to_integral(value).nearest}, 0);
    if (whole.empty() || compare(whole.back(), rounded) != 0) whole.push_back(rounded);
  }
  return whole;
}

class AxisReader {
 public:
  explicit AxisReader(std::string path) : kind_(kind_of(type_at(path))), type_(type_at(path)) {
    axis_.path = std::move(path);
  }

  void add(const Node& node) {
    if (node.is_scalar() && (is_range(node.text) || is_between(node.text))) return add_range(node);
    check_shape_at(node, axis_.path);
    push(value_of(node, kind_));
  }

  SweepAxis take() {
    axis_.numeric = kind_ != nullptr && std::none_of(axis_.values.begin(), axis_.values.end(),
                                                     [](const AxisValue& v) { return v.number.empty(); });
    axis_.column = axis_.path + (axis_.numeric ? std::string(kind_->suffix) : "");
    return std::move(axis_);
  }

 private:
  void add_range(const Node& node) {
    const Field field{&node, axis_.path};
    if (kind_ == nullptr) refuse(field, {"is a range, but the key takes no numbers", "a list of values", ""});
    const auto values = read_field(field, [&](std::string_view text) {
      if (!is_between(text)) return expand_range(text, kind_->read);
      axis_.is_interval = true;
      const auto all = interval(text, kind_->read);
      const bool whole = type_ == ValueType::count || type_ == ValueType::index || type_ == ValueType::size ||
                         type_ == ValueType::sizes || type_ == ValueType::time;
      return whole ? only_whole(all) : all;
    });
    for (const Decimal& value : values) {
      Node one = number_node(value, *kind_, node);
      check_shape_at(one, axis_.path);
      push(value_of(std::move(one), kind_));
    }
  }

  void push(AxisValue value) {
    if (axis_.values.size() == most_axis_values) {
      refuse(Field{&value.node, axis_.path},
             {fmt::format("is past {} values of one path", most_axis_values), "fewer", ""});
    }
    if (!texts_.insert(value.text).second)
      refuse(Field{&value.node, axis_.path}, {"is listed twice", "each value once", ""});
    axis_.values.push_back(std::move(value));
  }

  const NumberKind* kind_;
  ValueType type_;
  SweepAxis axis_;
  std::set<std::string> texts_;
};

constexpr std::string_view own_keys[] = {"mode", "seed", "variants", "constraint", "objective"};

bool is_own(std::string_view key) {
  return std::find(std::begin(own_keys), std::end(own_keys), key) != std::end(own_keys);
}

SweepAxis axis_of(const std::string& path, const Node& values, const Place& place) {
  check_path(path, place);
  if (path == "extends" || path == "sweep" || path.starts_with("sweep."))
    refuse({place, joined("sweep", path), "", {"cannot be swept", "a path of the scenario", ""}});
  AxisReader reader(path);
  if (values.is_list()) {
    for (const Node& item : values.items) reader.add(item);
  } else if (values.kind != Node::Kind::empty) {
    reader.add(values);
  }
  SweepAxis axis = reader.take();
  if (axis.values.empty())
    refuse({place, joined("sweep", path), "", {"has no values", "a list such as [1, 2] or a range", ""}});
  return axis;
}

/// "a,b" at commas outside brackets and quotes.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      pieces.emplace_back();
      continue;
    }
    pieces.back() += c;
  }
  return pieces;
}

SweepAxis multiplied_axis(const std::string& text) {
  const Place place{"-m " + text, 0, 0};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    refuse({place,
            "",
            "",
            {"there is no path before an equals sign", "path=a,b such as cluster.count=4,8", ""}});
  }
  Node values;
  values.kind = Node::Kind::list;
  for (const std::string& piece : pieces_of(std::string_view(text).substr(equals + 1))) {
    const std::string one(trimmed(piece));
    if (is_range(one) || is_between(one)) {
      values.items.push_back(scalar_node(one, place, Layer::set));
    } else {
      Node value = parse_yaml({one, place.file, Layer::set, false});
      if (value.kind == Node::Kind::empty)
        refuse({place, text.substr(0, equals), "", {"has an empty value", "path=a,b", ""}});
      values.items.push_back(std::move(value));
    }
  }
  return axis_of(text.substr(0, equals), values, place);
}

std::uint64_t samples_of(const Field& mode, std::string_view text) {
  text.remove_prefix(text.find('(') + 1);
  if (!text.ends_with(')')) refuse(mode, {"has no closing bracket", "random(100)", ""});
  text.remove_suffix(1);
  const std::uint64_t samples = read_field(mode, [&](std::string_view) { return read_count(trimmed(text)); });
  if (samples == 0 || samples > most_samples)
    refuse(mode, {"draws too few or too many points", fmt::format("1 to {}", most_samples), ""});
  return samples;
}

void read_mode(const Field& mode, SweepSpec& spec) {
  if (!mode) return;
  const std::string& text = mode.text();
  if (text == "zip") {
    spec.mode = SweepSpec::Mode::zip;
  } else if (text.starts_with("random(") || text.starts_with("lhs(")) {
    spec.mode = text.starts_with("lhs(") ? SweepSpec::Mode::lhs : SweepSpec::Mode::random;
    spec.samples = samples_of(mode, text);
  } else if (text != "grid") {
    refuse(mode, {"is not a mode", "one of grid, zip, random(N) or lhs(N)", ""});
  }
}

void read_constraints(const Field& constraint, SweepSpec& spec) {
  for (const Field& one : each(constraint)) {
    Assertion read = read_field(one, parse_assertion);
    read.place = one.place();
    spec.constraints.push_back(std::move(read));
  }
}

void read_objectives(const Field& objective, SweepSpec& spec) {
  if (!objective) return;
  const std::vector<std::string> metrics = metric_names();
  for (const std::string_view way : {"minimize", "maximize"}) {
    for (const Field& metric : each(objective[way])) {
      const std::string& name = metric.text();
      if (std::find(metrics.begin(), metrics.end(), name) == metrics.end())
        refuse(metric,
               {"is not a metric", listed(metrics), nearest(name, std::span<const std::string>(metrics))});
      spec.objectives.push_back({name, way == "minimize"});
    }
  }
}

void add_axis(SweepSpec& spec, SweepAxis axis) {
  const auto same = std::find_if(spec.axes.begin(), spec.axes.end(),
                                 [&](const SweepAxis& other) { return other.path == axis.path; });
  if (same == spec.axes.end()) {
    spec.axes.push_back(std::move(axis));
  } else {
    *same = std::move(axis);
  }
}

SweepAxis variants_axis(const Node& variants) {
  SweepAxis axis;
  axis.path = axis.column = variant_axis;
  axis.numeric = false;
  for (const Entry& entry : variants.entries)
    axis.values.push_back(
        {entry.key, scalar_node(entry.key, entry.key_place, Layer::file), "", one_line(entry.value)});
  return axis;
}

void check_mode(const Node& sweep, const SweepSpec& spec) {
  const auto complain = [&](const std::string& because, const std::string& accepted) {
    refuse({sweep.place, "sweep", "", {because, accepted, ""}});
  };
  const bool draws = spec.mode == SweepSpec::Mode::random || spec.mode == SweepSpec::Mode::lhs;
  for (const SweepAxis& axis : spec.axes) {
    if (axis.is_interval && !draws)
      complain("draws from an interval: " + axis.path, "mode random(N) or lhs(N), or range(a, b, step)");
    if (spec.mode == SweepSpec::Mode::zip && axis.values.size() != spec.axes.front().values.size()) {
      complain(fmt::format("zips {} values of {} with {} of {}", spec.axes.front().values.size(),
                           spec.axes.front().path, axis.values.size(), axis.path),
               "lists of equal length, or mode grid");
    }
  }
}

}  // namespace

SweepSpec read_sweep(const Node& sweep, const std::vector<std::string>& multiplied) {
  SweepSpec spec;
  const Field top{&sweep, "sweep"};
  read_mode(top["mode"], spec);
  if (const Field seed = top["seed"]) spec.seed = read_field(seed, read_count);
  if (const Node* variants = sweep.find("variants"); variants != nullptr && !variants->entries.empty())
    add_axis(spec, variants_axis(*variants));
  for (const Entry& entry : sweep.entries) {
    if (!is_own(entry.key)) add_axis(spec, axis_of(entry.key, entry.value, entry.key_place));
  }
  for (const std::string& text : multiplied) add_axis(spec, multiplied_axis(text));
  read_constraints(top["constraint"], spec);
  read_objectives(top["objective"], spec);
  check_mode(sweep, spec);
  return spec;
}

}  // namespace tahoma
