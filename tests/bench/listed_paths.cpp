#include "tests/bench/listed_paths.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/errors.h"

namespace tahoma::bench {

namespace {

// Words and numbers of a text, one after another; a stream would take seconds for a million flows.
class Words {
 public:
  explicit Words(const std::string& name) : name_(name) {
    std::ifstream file(name, std::ios::binary);
    if (!file) throw std::runtime_error(name + ": cannot be read");
    text_.assign(std::istreambuf_iterator<char>(file), {});
    at_ = text_.c_str();
  }

  std::string word() {
    skip();
    const char* begin = at_;
    while (*at_ > ' ') ++at_;
    return {begin, at_};
  }

  std::uint64_t number() {
    skip();
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(at_, &end, 10);
    if (end == at_) fail("a number");
    at_ = end;
    return value;
  }

  std::uint64_t number_after(const std::string& key) {
    if (word() != key) fail("'" + key + "'");
    return number();
  }

  [[noreturn]] void fail(const std::string& wanted) const {
    throw std::runtime_error(name_ + ": " + wanted + " is missing at byte " +
                             std::to_string(at_ - text_.c_str()));
  }

 private:
  void skip() {
    while (*at_ == ' ' || *at_ == '\n') ++at_;
  }
  std::string name_, text_;
  const char* at_ = nullptr;
};

}  // namespace

FlowFile read_flow_file(const std::string& name) {
  Words words(name);
  FlowFile file;
  if (words.word() != "program") words.fail("'program'");
  const std::string program = words.word();
  if (program != "ring" && program != "shot") words.fail("'ring' or 'shot'");
  file.ring = program == "ring";
  file.steps = static_cast<std::uint32_t>(words.number_after("steps"));
  file.bytes = words.number_after("bytes");
  file.capacity.resize(words.number_after("links"));
  for (std::uint64_t& capacity : file.capacity) capacity = words.number();
  const std::uint64_t flows = words.number_after("flows");
  file.first.reserve(flows + 1);
  file.first.push_back(0);
  for (std::uint64_t f = 0; f < flows; ++f) {
    for (std::uint64_t left = words.number(); left > 0; --left) {
      const std::uint64_t link = words.number();
      if (link >= file.capacity.size()) words.fail("a link that exists");
      file.links.push_back(static_cast<std::uint32_t>(link));
    }
    file.first.push_back(static_cast<std::uint32_t>(file.links.size()));
  }
  return file;
}

ListedPaths::ListedPaths(const FlowFile& file) : file_(file), tiers_{{"listed"}} {
  Digit digit;
  digit.name = "flow";
  digit.size = file.flows();
  digit.level = Level::cluster;
  digits_.push_back(digit);
}

void ListedPaths::route(ChipId src, ChipId dst, std::uint32_t, Route& route) const {
  TAHOMA_ASSERT(dst == (src + 1) % file_.flows(), "a pair that the file has no path for");
  route.ways = 1;
  route.path[0].clear();
  for (std::uint32_t i = file_.first[src]; i < file_.first[src + 1]; ++i) {
    route.path[0].links.push_back({file_.links[i]});
  }
}

Capacity ListedPaths::capacity(LinkId link) const {
  return {u128{file_.capacity[link.value]} * rate_unit_per_byte_per_second};
}

std::string ListedPaths::chip_name(ChipId chip) const {
  return "c" + std::to_string(chip);
}
std::string ListedPaths::link_name(LinkId link) const {
  return "link" + std::to_string(link.value);
}

std::vector<LinkId> ListedPaths::all_links() const {
  std::vector<LinkId> links;
  for (std::uint64_t l = 0; l < link_count(); ++l) links.push_back({l});
  return links;
}

}  // namespace tahoma::bench
