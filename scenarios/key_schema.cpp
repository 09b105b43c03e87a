#include "scenarios/key_schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/keys.h"
#include "scenarios/quantity.h"

namespace tahoma {

namespace {

using Json = nlohmann::ordered_json;

Json text_like(const std::string& pattern) {
  return {{"type", "string"}, {"pattern", pattern}};
}

// "50GB/s", " 1.5 us "; the mark of a number is left to the reader.
Json quantity_schema(Quantity quantity) {
  std::string units;
  for (const std::string_view unit : unit_names(quantity))
    units += (units.empty() ? "" : "|") + std::string(unit);
  return text_like("^\\s*[0-9.][0-9.eE+_]*\\s*(" + units + ")\\s*$");
}

Json whole_number(std::uint64_t least) {
  return {{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", least}},
                                 text_like("^\\s*[0-9]+([.][0-9]+)?\\s*(K|M|G|T|Ki|Mi|Gi)?\\s*$")})}};
}

Json share() {
  return {{"anyOf", Json::array({Json{{"type", "number"}, {"minimum", 0}, {"maximum", 1}},
                                 text_like("^\\s*[0-9.]+\\s*%?\\s*$")})}};
}

Json one_value(const Key& key) {
  switch (key.type) {
    case ValueType::text:
    case ValueType::name:
      return {{"type", Json::array({"string", "number", "boolean"})}};
    case ValueType::choice:
      return {{"enum", built_names(key)}};
    case ValueType::boolean:
      return {{"type", "boolean"}};
    case ValueType::count:
      return whole_number(1);
    case ValueType::index:
      return whole_number(0);
    case ValueType::number:
      return {{"type", Json::array({"number", "string"})}};
    case ValueType::fraction:
    case ValueType::probability:
      return share();
    case ValueType::bandwidth:
      return quantity_schema(Quantity::bandwidth);
    case ValueType::size:
      return quantity_schema(Quantity::size);
    case ValueType::sizes:
      return {{"type", "string"}};
    case ValueType::time:
      return quantity_schema(Quantity::time);
    case ValueType::distance:
      return quantity_schema(Quantity::distance);
    case ValueType::anything:
      return Json::object();
  }
  return Json::object();
}

Json schema_of(const std::string& path, const Key& key);

Json map_schema(const std::string& path) {
  // A variant is a scenario of its own, laid over this one.
  if (path == "sweep.variants") return {{"type", "object"}, {"additionalProperties", {{"$ref", "#"}}}};
  if (const Key* key = key_at(path); key != nullptr && is_free(*key)) return {{"type", "object"}};
  Json properties = Json::object();
  for (const Child& child : children_of(path)) {
    if (child.key->status == Status::later) continue;
    const std::string below = path.empty() ? std::string(child.name) : path + "." + std::string(child.name);
    properties[std::string(child.name)] = schema_of(below, *child.key);
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  // Paths of the scenario with the values they take.
  if (path == "sweep")
    schema["patternProperties"] = {{"[.]|^sites$|^cluster$|^fabric$|^workload$|^faults$", Json::object()}};
  return schema;
}

// A null stands for a key that is written without a value, as YAML has it; the reader has its own word on it.
Json schema_of(const std::string& path, const Key& key) {
  const std::string entry = path + ".0";
  const bool of_maps = key_at(entry) != nullptr;
  Json forms = Json::array();
  if ((key.forms & as_one) != 0) {
    forms.push_back(one_value(key));
    if (key.accepted.ends_with("auto")) forms.push_back({{"const", "auto"}});
  }
  if ((key.forms & as_list) != 0) {
    Json items = of_maps ? map_schema(entry) : one_value(key);
    // Groups of ranks are lists of lists.
    if (key.type == ValueType::text && !of_maps) items = Json::object();
    if (key.type == ValueType::choice && (key.forms & as_map) != 0)  // algorithms to compare
      items = {{"anyOf", Json::array({std::move(items), map_schema(path)})}};
    forms.push_back({{"type", "array"}, {"items", std::move(items)}});
  }
  if ((key.forms & as_map) != 0) forms.push_back(map_schema(path));
  Json schema = forms.size() == 1 ? forms[0] : Json{{"anyOf", std::move(forms)}};
  if (!key.meaning.empty()) schema["description"] = std::string(key.meaning);
  if (!key.fallback.empty()) schema["default"] = std::string(key.fallback);
  return schema;
}

}  // namespace

std::string key_schema() {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Tahoma scenario"},
              {"description", "apiVersion tahoma/v1; see docs/scenario-reference.md"}};
  schema.update(map_schema(""));
  return schema.dump(2) + "\n";
}

}  // namespace tahoma
