#include "scenarios/field.h"

#include "scenarios/keys.h"

namespace tahoma {

Field Field::operator[](std::string_view key) const {
  return {node ? node->find(key) : nullptr, joined(path, key)};
}

void refuse(const Field& field, BadText trouble) {
  refuse({field.place(), field.path, field.node->is_scalar() ? field.text() : one_line(*field.node),
          std::move(trouble)});
}

Field required(const Field& map, std::string_view key) {
  Field field = map[key];
  if (field) return field;
  const Key* row = key_at(field.path);
  refuse({map.place(), field.path, "", {"is missing", row ? accepted_text(*row) : "", ""}});
}

std::vector<Field> each(const Field& field) {
  std::vector<Field> fields;
  if (!field) return fields;
  if (!field.node->is_list()) return {field};
  for (std::size_t i = 0; i < field.size(); ++i) fields.push_back(field[i]);
  return fields;
}

}  // namespace tahoma
