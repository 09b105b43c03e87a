#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "collectives/importers/goal.h"
#include "core/errors.h"

namespace tahoma {

namespace {

constexpr std::uint64_t most_goal_ranks = 1 << 16, most_goal_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t most_goal_nanos =
    9'000'000'000'000'000;  // 104 days, all a clock of picoseconds reaches
constexpr std::uint64_t most_goal_cpu = 255;
constexpr std::size_t most_goal_ops = 20'000'000;

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Words of the text with their places. Comments go from // to the line's end, or from /* to */.
class GoalText {
 public:
  GoalText(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  struct Token {
    std::string_view text;  // "" at the end; "\n" where a line ends
    std::uint32_t line = 1, column = 1;
  };

  Token peek() {
    if (!ahead_) ahead_ = scan();
    return *ahead_;
  }
  Token take() {
    const Token token = peek();
    ahead_.reset();
    return token;
  }
  void skip_line_ends() {
    while (peek().text == "\n") take();
  }

  [[noreturn]] void refuse(const Token& token, const std::string& what) const {
    const std::string_view shown = token.text.empty()   ? "the end of the file"
                                   : token.text == "\n" ? "the end of the line"
                                                        : token.text.substr(0, 40);
    std::string plain(shown);
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    throw ScenarioError(fmt::format("{}:{}:{}: '{}' {}", file_, token.line, token.column, plain, what));
  }

  void expect(std::string_view word) {
    const Token token = take();
    if (token.text != word) refuse(token, fmt::format("stands where '{}' belongs", word));
  }

  std::uint64_t number(std::uint64_t most, std::string_view what) {
    const Token token = take();
    std::uint64_t value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto [at, error] = std::from_chars(token.text.data(), end, value);
    if (token.text.empty() || !is_digit(token.text[0]) || error != std::errc{} || at != end || value > most)
      refuse(token, fmt::format("is no {}; accepted: a whole number from 0 to {}", what, most));
    return value;
  }

 private:
  Token scan() {
    for (;;) {
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
      const std::string_view left = text_.substr(at_);
      if (left.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (left.starts_with("/*")) {
        const Token opened{left.substr(0, 2), line_, column()};
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) refuse(opened, "opens a comment that is never closed");
        for (; at_ < end + 2; ++at_) {
          if (text_[at_] == '\n') next_line();
        }
      } else {
        break;
      }
    }
    Token token{{}, line_, column()};
    if (at_ == text_.size()) return token;
    std::size_t end = at_ + 1;
    if (text_[at_] == '\n') {
      token.text = text_.substr(at_, 1);
      next_line();
      ++at_;
      return token;
    }
    if (is_digit(text_[at_]) || (text_[at_] == '-' && end < text_.size() && is_digit(text_[end]))) {
      while (end < text_.size() && is_digit(text_[end])) ++end;
    } else if (is_word_letter(text_[at_])) {
      while (end < text_.size() && is_word_letter(text_[end])) ++end;
    }
    token.text = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }
  void next_line() {
    ++line_;
    line_start_ = at_ + 1;
  }
  std::uint32_t column() const { return static_cast<std::uint32_t>(at_ - line_start_ + 1); }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1;
  std::optional<Token> ahead_;
};

using Token = GoalText::Token;

class GoalReader {
 public:
  GoalReader(std::string_view content, const std::string& file) : text_(content, file), file_(file) {}

  std::vector<ChakraTrace> read() {
    text_.skip_line_ends();
    text_.expect("num_ranks");
    const Token head = text_.peek();
    const std::uint64_t ranks = text_.number(most_goal_ranks, "number of ranks");
    if (ranks == 0) text_.refuse(head, "is no number of ranks; accepted: at least 1");
    traces_.resize(ranks);
    for (ChakraTrace& trace : traces_) trace.file = file_;
    std::vector<bool> seen(ranks, false);
    for (text_.skip_line_ends(); !text_.peek().text.empty(); text_.skip_line_ends()) {
      text_.expect("rank");
      const Token name = text_.peek();
      const std::uint64_t rank = text_.number(ranks - 1, "rank");
      if (seen[rank]) text_.refuse(name, "is there twice");
      seen[rank] = true;
      text_.expect("{");
      block(static_cast<std::uint32_t>(rank));
    }
    return std::move(traces_);
  }

 private:
  struct Need {
    Token of, on;
    bool of_start;
  };

  void block(std::uint32_t rank) {
    labels_.clear();
    std::vector<Need> needs;
    for (text_.skip_line_ends(); text_.peek().text != "}"; text_.skip_line_ends()) {
      const Token first = text_.take();
      if (first.text == "send" || first.text == "recv" || first.text == "calc") {
        operation(rank, first, {});
        continue;
      }
      if (first.text.empty() || !is_word_letter(first.text[0]) || is_digit(first.text[0]))
        text_.refuse(first,
                     "begins no operation; accepted: LABEL:, send, recv, calc, or LABEL requires LABEL");
      const Token second = text_.take();
      if (second.text == ":") {
        operation(rank, text_.take(), first);
      } else if (second.text == "requires" || second.text == "irequires") {
        needs.push_back({first, text_.take(), second.text == "irequires"});
        end_line();
      } else {
        text_.refuse(second, "stands where ':', 'requires' or 'irequires' belongs");
      }
    }
    text_.take();
    resolve(rank, needs);
  }

  void end_line() {
    const Token token = text_.peek();
    if (token.text != "\n" && token.text != "}" && !token.text.empty())
      text_.refuse(token, "is not understood here");
  }

  void operation(std::uint32_t rank, const Token& word, const Token& label) {
    if (++ops_ > most_goal_ops)
      text_.refuse(word, fmt::format("is one operation too many: {} are the limit", most_goal_ops));
    ChakraNode node;
    node.id = word.line;
    node.place = word.line;
    node.name = std::string(label.text.empty() ? word.text : label.text);
    if (word.text == "calc") {
      node.type = ChakraNode::Type::compute;
      node.picos = text_.number(most_goal_nanos, "number of nanoseconds") * 1000;
      node.has_duration = true;
    } else if (word.text == "send" || word.text == "recv") {
      message(rank, node, word.text == "send");
    } else {
      text_.refuse(word, "is no operation; accepted: send, recv, calc");
    }
    for (Token option = text_.peek(); option.text == "cpu" || option.text == "nic"; option = text_.peek()) {
      text_.take();
      const Token value = text_.peek();
      const std::uint64_t number = text_.number(most_goal_cpu, "number of a cpu or nic");
      if (option.text == "cpu") {
        node.cpu = static_cast<std::uint32_t>(number);
      } else if (number != 0) {
        text_.refuse(value, "is another nic than 0; which NIC is used is for the network to say here");
      }
    }
    end_line();
    auto& nodes = traces_[rank].nodes;
    if (!nodes.empty() && nodes.back().id == node.id) text_.refuse(word, "is a second operation on one line");
    if (!label.text.empty() && !labels_.emplace(label.text, nodes.size()).second)
      text_.refuse(label, "labels two operations");
    nodes.push_back(std::move(node));
  }

  void message(std::uint32_t rank, ChakraNode& node, bool sends) {
    node.type = sends ? ChakraNode::Type::send : ChakraNode::Type::receive;
    node.comm_size = text_.number(most_goal_bytes, "number of bytes");
    text_.expect("b");
    text_.expect(sends ? "to" : "from");
    const Token peer = text_.peek();
    if (peer.text == "-1")
      text_.refuse(peer, "receives from anybody: who comes first would be the answer, not the question");
    const std::uint64_t number = text_.number(traces_.size() - 1, "rank");
    if (number == rank) text_.refuse(peer, "is the rank itself");
    (sends ? node.target : node.source) = number;
    if (text_.peek().text != "tag") return;
    text_.take();
    const Token tag = text_.peek();
    if (tag.text == "-1")
      text_.refuse(tag, "takes any tag: who comes first would be the answer, not the question");
    node.tag = text_.number(0xffff'fffe, "tag");
  }

  std::size_t labelled(const Token& token) const {
    const auto at = labels_.find(token.text);
    if (at == labels_.end()) text_.refuse(token, "labels no operation of this rank");
    return at->second;
  }

  // What begins with another operation waits for what that one waits for.
  void resolve(std::uint32_t rank, const std::vector<Need>& needs) {
    auto& nodes = traces_[rank].nodes;
    std::vector<std::vector<std::size_t>> starts(nodes.size());
    for (const Need& need : needs) {
      const std::size_t of = labelled(need.of), on = labelled(need.on);
      if (!need.of_start) {
        nodes[of].needs.push_back(nodes[on].id);
        continue;
      }
      if (nodes[on].type == ChakraNode::Type::compute)
        text_.refuse(need.on,
                     "is a computation, whose beginning may have to wait for its cpu; accepted: send, recv");
      starts[of].push_back(on);
    }
    std::vector<std::uint8_t> state(nodes.size(), 0);  // 1: being looked at, 2: done
    for (std::size_t i = 0; i < nodes.size(); ++i) start_of(rank, i, starts, state);
    for (ChakraNode& node : nodes) {
      std::sort(node.needs.begin(), node.needs.end());
      node.needs.erase(std::unique(node.needs.begin(), node.needs.end()), node.needs.end());
    }
  }

  // Without recursion: chains of `irequires` may be as long as the file.
  void start_of(std::uint32_t rank, std::size_t first, const std::vector<std::vector<std::size_t>>& starts,
                std::vector<std::uint8_t>& state) {
    auto& nodes = traces_[rank].nodes;
    std::vector<std::pair<std::size_t, std::size_t>> stack{{first, 0}};
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (state[node] == 2 || next == starts[node].size()) {
        state[node] = 2;
        const std::size_t done = node;
        stack.pop_back();
        if (!stack.empty()) {
          auto& needs = nodes[stack.back().first].needs;
          inherited_ += nodes[done].needs.size();
          if (inherited_ > most_goal_ops)
            throw ScenarioError(
                fmt::format("{}:{}: what operations of rank {} wait for through irequires is more "
                            "than {}",
                            file_, nodes[done].id, rank, most_goal_ops));
          needs.insert(needs.end(), nodes[done].needs.begin(), nodes[done].needs.end());
        }
        continue;
      }
      state[node] = 1;
      const std::size_t on = starts[node][next++];
      if (state[on] == 1)
        throw ScenarioError(fmt::format("{}:{}: '{}' of rank {} begins with itself through irequires", file_,
                                        nodes[on].id, nodes[on].name, rank));
      stack.emplace_back(on, 0);
    }
  }

  GoalText text_;
  const std::string& file_;
  std::vector<ChakraTrace> traces_;
  std::unordered_map<std::string_view, std::size_t> labels_;  // of this rank
  std::size_t ops_ = 0, inherited_ = 0;
};

}  // namespace

bool is_goal(std::string_view content) {
  // Comments may stand before the first word.
  for (;;) {
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    content.remove_prefix(first);
    const bool line = content.starts_with("//"), range = content.starts_with("/*");
    if (!line && !range) return content.starts_with("num_ranks");
    const std::size_t end = content.find(line ? "\n" : "*/");
    if (end == std::string_view::npos) return false;
    content.remove_prefix(end + (line ? 1 : 2));
  }
}

std::vector<ChakraTrace> read_goal(std::string_view content, const std::string& file) {
  return GoalReader(content, file).read();
}

}  // namespace tahoma
