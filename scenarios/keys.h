// Every key a scenario file may hold, as one table of rows. It drives the check of the shape, "did you mean",
// the defaults, the warnings about keys that change nothing, and the reference page.
//
// A path is dotted; `*` stands for any place in a list: "fabric.scale_up.*.bandwidth". Two families share
// their rows: a job takes what `workload` takes, and a `scale_out` entry takes what a `scale_up` entry takes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tahoma {

/// What one value must be; the check of the shape reads it as that.
enum class ValueType : std::uint8_t {
  text,    // anything
  name,    // letters, digits, _ and -: it becomes part of a selector
  choice,  // one of Key::accepted
  boolean,
  count,        // whole, at least 1
  index,        // whole, at least 0
  number,       // at least 0
  fraction,     // above 0, at most 1
  probability,  // at least 0, below 1
  bandwidth,
  size,
  sizes,  // a range of sizes
  time,
  distance,
  anything,  // of keys that are not read yet
};

/// Which kinds of node may stand there.
using Forms = std::uint8_t;
inline constexpr Forms as_one = 1, as_list = 2, as_map = 4;

enum class Status : std::uint8_t { supported, later };

struct Key {
  std::string_view path;
  Forms forms = as_one;
  ValueType type = ValueType::text;
  std::string_view accepted =
      {};  // of `choice`: "ring|torus|!dragonfly", `!` marks a name that is not built yet
  std::string_view fallback = {};  // filled in where the key is left out and `when` holds
  std::string_view when = {};      // "kind=ring|torus", "collective|program": it matters only beside such a
                                   // key; "" = always
  std::string_view meaning = {};
  Status status = Status::supported;
};

/// In the order of the reference page and of resolved.yaml.
std::span<const Key> keys();

/// The row of a concrete path ("workload.jobs.0.sizes") or pattern; nullptr if there is none.
const Key* key_at(std::string_view path);

/// The rows below a map ("fabric.scale_up.0", "" = the top) as (name, row), in table order.
struct Child {
  std::string_view name;
  const Key* key;
};
std::span<const Child> children_of(std::string_view path);

/// The names of a `choice` that are built, and those that are only known.
std::vector<std::string> built_names(const Key& key);
std::vector<std::string> known_names(const Key& key);

/// A value of this key is taken over as a whole by a later layer, never merged key by key.
bool is_whole(const Key& key);

/// The keys below this one have names of their own, which its reader checks.
bool is_free(const Key& key);
/// Whether a path leads below such a key.
bool is_below_free(std::string_view path);

/// "a bandwidth such as 50GB/s (...)", "one of ring, torus or mesh", ...
std::string accepted_text(const Key& key);

}  // namespace tahoma
