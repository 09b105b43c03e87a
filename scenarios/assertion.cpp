#include "scenarios/assertion.h"

#include <fmt/format.h>

#include <array>

#include "core/nearest.h"
#include "scenarios/complaint.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

/// What the metric is counted in: the right side may carry a unit and is brought to it.
enum class Measure { seconds, gigabytes_per_second, share, bytes, count, number };
struct Metric {
  std::string_view name;
  Measure measure;
};
constexpr std::array metrics = {
    Metric{"time_s", Measure::seconds},
    Metric{"start_s", Measure::seconds},
    Metric{"lower_bound_s", Measure::seconds},
    Metric{"algbw_GBps", Measure::gigabytes_per_second},
    Metric{"busbw_GBps", Measure::gigabytes_per_second},
    Metric{"efficiency", Measure::share},
    Metric{"bytes", Measure::bytes},
    Metric{"ranks", Measure::count},
    Metric{"flows", Measure::count},
    Metric{"classes", Measure::count},
    Metric{"device_s", Measure::seconds},
    Metric{"communication_s", Measure::seconds},
    Metric{"exposed_communication_s", Measure::seconds},
};
constexpr std::array training_metric_table = {
    Metric{"step_time_s", Measure::seconds}, Metric{"tokens_per_s", Measure::count},
    Metric{"mfu", Measure::share},           Metric{"mem_headroom", Measure::share},
    Metric{"days", Measure::number},
};

struct RelationSign {
  std::string_view sign;
  Assertion::Relation relation;
};
constexpr std::array signs = {
    RelationSign{"<=", Assertion::Relation::less_equal},
    RelationSign{">=", Assertion::Relation::greater_equal},
    RelationSign{"==", Assertion::Relation::equal},
    RelationSign{"<", Assertion::Relation::less},
    RelationSign{">", Assertion::Relation::greater},
};
constexpr std::string_view form = "METRIC < VALUE, with < <= > >= or ==, such as \"time_s < 20ms\"";

bool is_bare(std::string_view text) {
  return leading_number(text).rest.empty();
}

Decimal value_of(std::string_view text, Measure measure) {
  switch (measure) {
    case Measure::seconds:
      return is_bare(text) ? read_number(text) : scaled(read_quantity(text, Quantity::time), 1, -12);
    case Measure::gigabytes_per_second:
      return is_bare(text) ? read_number(text) : scaled(read_quantity(text, Quantity::bandwidth), 1, -9);
    case Measure::bytes:
      return is_bare(text) ? read_number(text) : read_quantity(text, Quantity::size);
    case Measure::count:
      return normalized(static_cast<i128>(read_count(text)), 0);
    case Measure::share:
    case Measure::number:
      return read_number(text);
  }
  return {};
}

}  // namespace

std::vector<std::string> training_metric_names() {
  std::vector<std::string> names;
  for (const Metric& metric : training_metric_table) names.emplace_back(metric.name);
  return names;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.emplace_back(metric.name);
  for (std::string& name : training_metric_names()) names.push_back(std::move(name));
  return names;
}

Assertion parse_assertion(std::string_view text) {
  const std::size_t at = text.find_first_of("<>=!");
  if (at == std::string_view::npos) throw BadText{"has no relation", std::string(form), ""};
  const std::string_view name = trimmed(text.substr(0, at));
  Assertion assertion;
  assertion.text = text;
  assertion.metric = name;
  const Metric* metric = nullptr;
  for (const Metric& candidate : metrics) {
    if (candidate.name == name) metric = &candidate;
  }
  for (const Metric& candidate : training_metric_table) {
    if (candidate.name == name) metric = &candidate;
  }
  if (!metric) {
    const std::vector<std::string> names = metric_names();
    throw BadText{fmt::format("asks for the metric '{}', which no result has", name), listed(names),
                  nearest(name, std::span<const std::string>(names))};
  }
  for (const RelationSign& sign : signs) {
    if (!text.substr(at).starts_with(sign.sign)) continue;
    assertion.relation = sign.relation;
    try {
      assertion.value = to_double(value_of(trimmed(text.substr(at + sign.sign.size())), metric->measure));
    } catch (BadText& bad) {
      bad.because = "has a right side that " + bad.because;
      if (bad.accepted.empty()) bad.accepted = form;
      throw;
    }
    return assertion;
  }
  throw BadText{"has no relation that is known", std::string(form), ""};
}

}  // namespace tahoma
