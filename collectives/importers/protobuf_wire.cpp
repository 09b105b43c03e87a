#include "collectives/importers/protobuf_wire.h"

#include <fmt/format.h>

#include "core/errors.h"

namespace tahoma {

void ProtobufFields::refuse(const std::string& what) const {
  throw ScenarioError(fmt::format("{}: byte {}: {}", file_, offset_ + at_, what));
}

std::uint64_t ProtobufFields::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_end()) refuse("the file ends within a number");
    const auto byte = static_cast<unsigned char>(data_[at_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  refuse("a number is longer than 64 bits");
}

std::string_view ProtobufFields::take(std::uint64_t count) {
  if (count > data_.size() - at_)
    refuse(fmt::format("{} bytes should follow, and there are {}", count, data_.size() - at_));
  const std::string_view bytes = data_.substr(at_, count);
  at_ += count;
  return bytes;
}

ProtobufFields::Field ProtobufFields::next() {
  Field field;
  const std::uint64_t tag = varint();
  field.number = static_cast<std::uint32_t>(tag >> 3);
  field.type = static_cast<std::uint8_t>(tag & 7);
  if (tag >> 3 == 0 || tag >> 32 != 0) refuse("no field has such a number");
  switch (field.type) {
    case 0:
      field.value = varint();
      break;
    case 1:
    case 5: {
      const std::string_view bytes = take(field.type == 1 ? 8 : 4);
      for (std::size_t i = bytes.size(); i-- > 0;)
        field.value = field.value << 8 | static_cast<unsigned char>(bytes[i]);
      break;
    }
    case 2: {
      const std::uint64_t length = varint();
      field.offset = offset_ + at_;
      field.bytes = take(length);
      break;
    }
    default:
      refuse(fmt::format("field {} is of a type, {}, that is not read", field.number, field.type));
  }
  return field;
}

ProtobufFields::Field ProtobufFields::next_message() {
  Field field;
  field.type = 2;
  const std::uint64_t length = varint();
  field.offset = offset_ + at_;
  field.bytes = take(length);
  return field;
}

void append_numbers(const ProtobufFields::Field& field, const std::string& file,
                    std::vector<std::uint64_t>& numbers) {
  if (field.type != 2) {
    numbers.push_back(field.value);
    return;
  }
  ProtobufFields packed(field.bytes, file, field.offset);
  while (!packed.at_end()) numbers.push_back(packed.varint());
}

}  // namespace tahoma
