// The wire format of protocol buffers, read field by field.
//
// Two message types with a dozen fields do not need a compiler and a run-time library; and this reader says
// at which byte a file is broken. Format: a field is a varint (number << 3 | type) and a value: type 0 a
// varint, 1 eight bytes, 2 a length and so many bytes, 5 four bytes (protobuf.dev, "Encoding").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

class ProtobufFields {
 public:
  struct Field {
    std::uint32_t number = 0;
    std::uint8_t type = 0;
    std::uint64_t value = 0;  // of types 0, 1 and 5, as it stands there
    std::string_view bytes;   // of type 2
    std::size_t offset = 0;   // in the file
  };

  /// `offset`: where `data` stands in the file, for messages.
  ProtobufFields(std::string_view data, const std::string& file, std::size_t offset)
      : data_(data), file_(file), offset_(offset) {}

  bool at_end() const { return at_ == data_.size(); }
  Field next();
  /// A length and so many bytes: how a file holds several messages.
  Field next_message();
  std::uint64_t varint();

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::string_view take(std::uint64_t count);
  std::string_view data_;
  const std::string& file_;
  std::size_t offset_, at_ = 0;
};

/// All numbers of a repeated field, which may be packed.
void append_numbers(const ProtobufFields::Field& field, const std::string& file,
                    std::vector<std::uint64_t>& numbers);

}  // namespace tahoma
