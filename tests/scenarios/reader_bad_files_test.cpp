// Files that are no scenarios, and files made to hurt.
#include "tests/scenarios/reader_bad_input.h"

using namespace tahoma;

namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// a: &a [x,x,..]; b: &b [*a,*a,..]; ... : 9^12 values if someone walks it.
std::string anchor_bomb() {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + below + repeated("," + below, 8) +
            "]\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a file that is no scenario is refused quickly") {
  const std::vector<BadInput> table = {
      {"empty", "", 2, "x.yaml:1:1: the file is empty", {"accepted:"}},
      {"only a comment", "^# nothing\n", 2, "the file is empty", {}},
      {"a word", "^hello\n", 2, "the file is a single value", {}},
      {"a list", "^- a\n- b\n", 2, "the file is a list", {}},
      {"binary",
       std::string("\x7f"
                   "ELF\x02\x01\0\0\0",
                   9),
       2,
       "x.yaml:1:1:",
       {"0x7f", "is it text?"}},
      {"a NUL byte", std::string("name: a\0b\n", 10), 2, "x.yaml:1:8:", {"0x00"}},
      {"not UTF-8", "name: \xff\xfe\n", 2, "x.yaml:1:7:", {"not UTF-8"}},
      {"an overlong UTF-8 form", "name: \xc0\xaf\n", 2, "x.yaml:1:7:", {"not UTF-8"}},
      {"truncated in a map", "^cluster: {count: 1", 2, "", {"not closed"}},
      {"truncated in a quote", "name: ^\"abc\ncluster: {count: 1}\n", 2, "", {"quote"}},
      {"truncated in a list", "extends: [trn2-server\n", 2, "x.yaml:", {"not closed"}},
      {"a tab", "cluster:\n\tcount^: 1\n", 2, "", {"tab"}},
      {"two documents", ring_of_eight + "^---\nname: b\n", 2, "", {"more than one YAML document"}},
      {"a second colon", "name: a^: b\n", 2, "", {"second ':'"}},
      {"an anchor", "name: ^&a b\n", 2, "", {"anchors"}},
      {"a merge key", "cluster: {^<<: {count: 1}}\n", 2, "", {"merge keys"}},
      {"a tag", "name: ^!!python/object a\n", 2, "", {"tags"}},
      {"an anchor bomb", anchor_bomb(), 2, "x.yaml:1:5:", {"anchors"}},
      {"5,000 lists deep",
       "name: " + repeated("[", 5000) + repeated("]", 5000) + "\n",
       2,
       "x.yaml:1:",
       {"nested"}},
      {"5,000 maps deep", repeated("{a: ", 5000), 2, "x.yaml:1:", {}},
      {"5,000 dashes deep", repeated("- ", 5000) + "a\n", 2, "x.yaml:1:", {"nested"}},
      {"a list as a key", "? ^[a, b]\n: c\n", 2, "", {"where a key belongs"}},
  };
  for (const BadInput& bad : table) check(bad);
}
