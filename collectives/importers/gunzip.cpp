#include "collectives/importers/gunzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

#include "core/errors.h"

namespace tahoma {

bool is_gzip(std::string_view content) {
  return content.starts_with("\x1f\x8b");
}

std::string gunzip(std::string_view content, const std::string& file, std::size_t most) {
  z_stream stream{};
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw MachineError("no memory to unpack " + file);
  std::string unpacked;
  std::array<char, 1 << 16> block;
  int state = Z_OK;
  // The library does not change what it reads.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  while (state == Z_OK && unpacked.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    state = inflate(&stream, Z_NO_FLUSH);
    unpacked.append(block.data(), block.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (unpacked.size() > most)
    throw ScenarioError(fmt::format("{}: is larger than {} MiB when unpacked", file, most >> 20));
  if (state != Z_STREAM_END) {
    throw ScenarioError(fmt::format("{}: byte {}: the packed file is broken or cut off", file,
                                    content.size() - stream.avail_in));
  }
  return unpacked;
}

}  // namespace tahoma
