#include "scenarios/trace_json.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/errors.h"
#include "scenarios/number_text.h"

namespace tahoma {

namespace {

std::string micros(std::int64_t ps) {
  return fmt::format("{}.{:06}", ps / 1'000'000, ps % 1'000'000);
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

// "us0.s1.c3" -> "us0.s1", "c3"; a name without a dot is a group of its own.
std::pair<std::string, std::string> split(const std::string& chip) {
  const std::size_t dot = chip.rfind('.');
  if (dot == std::string::npos) return {chip, chip};
  return {chip.substr(0, dot), chip.substr(dot + 1)};
}

class Writer {
 public:
  Writer(const Trace& trace, const Topology& topology, const std::vector<const Schedule*>& schedules)
      : trace_(trace), topology_(topology), schedules_(schedules) {}

  std::string write() {
    text_ =
        "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"schema\": \"tahoma.trace/1\", \"ranks_alike\": " +
        std::to_string(trace_.alike) + "},\n\"traceEvents\": [";
    for (std::size_t m = 0; m < trace_.messages.size(); ++m) message(m);
    for (const TracedTier& tier : trace_.tiers) counter(tier);
    text_ += "\n]}\n";
    return std::move(text_);
  }

 private:
  void event(const std::string& body) {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    text_ += "{" + body + "}";
  }

  struct Thread {
    std::size_t pid, tid;
  };

  // Numbers in order of appearance; named when they appear.
  Thread thread_of(const TracedMessage& message) {
    const auto [group, rank] = split(topology_.chip_name(message.from));
    const auto [process, new_process] = pids_.try_emplace(group, pids_.size() + 1);
    const std::size_t pid = process->second;
    if (new_process) {
      event(fmt::format(R"("ph": "M", "name": "process_name", "pid": {}, "args": {{"name": {}}})", pid,
                        quoted(group)));
    }
    const std::string name =
        fmt::format("{} channel {}{}", rank, message.channel,
                    schedules_.size() > 1 ? fmt::format(" job {}", message.program) : "");
    const auto [thread, new_thread] = tids_.try_emplace({pid, name}, tids_.size() + 1);
    if (new_thread) {
      event(fmt::format(R"("ph": "M", "name": "thread_name", "pid": {}, "tid": {}, "args": {{"name": {}}})",
                        pid, thread->second, quoted(name)));
    }
    return {pid, thread->second};
  }

  void message(std::size_t number) {
    const TracedMessage& m = trace_.messages[number];
    TAHOMA_ASSERT(m.end != Time::never(), "a message never ended");
    const Thread at = thread_of(m);
    threads_.push_back(at);
    const std::string phase = quoted(schedules_[m.program]->phases[m.phase].name);
    event(fmt::format(
        R"("ph": "X", "name": {}, "cat": "message", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{"to": {}, "bytes": {}, "arrives_us": {}}})",
        phase, at.pid, at.tid, micros(m.start.ps), micros((m.left - m.start).ps),
        quoted(topology_.chip_name(m.to)), m.bytes, micros(m.end.ps)));
    if (m.cause == EngineTrace::none) return;
    const TracedMessage& cause = trace_.messages[m.cause];
    const Thread from = threads_[m.cause];
    event(
        fmt::format(R"("ph": "s", "name": "then", "cat": "cause", "id": {}, "pid": {}, "tid": {}, "ts": {})",
                    number, from.pid, from.tid, micros(cause.start.ps)));
    event(fmt::format(
        R"("ph": "f", "bp": "e", "name": "then", "cat": "cause", "id": {}, "pid": {}, "tid": {}, "ts": {})",
        number, at.pid, at.tid, micros(m.start.ps)));
  }

  void counter(const TracedTier& tier) {
    const std::string name = quoted(topology_.tiers()[tier.tier].name + ", % busy");
    for (std::size_t s = 0; s < tier.busy.size(); ++s) {
      event(fmt::format(R"("ph": "C", "name": {}, "pid": 0, "ts": {}, "args": {{"busy": {}}})", name,
                        micros(trace_.slice.ps * static_cast<std::int64_t>(s)),
                        shortest(static_cast<double>(static_cast<std::int64_t>(tier.busy[s] * 1e5)) / 1e3)));
    }
  }

  const Trace& trace_;
  const Topology& topology_;
  const std::vector<const Schedule*>& schedules_;
  std::string text_;
  bool first_ = true;
  std::map<std::string, std::size_t> pids_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> tids_;
  std::vector<Thread> threads_;  // of each message
};

}  // namespace

std::string trace_json(const Trace& trace, const Topology& topology,
                       const std::vector<const Schedule*>& schedules) {
  return Writer(trace, topology, schedules).write();
}

}  // namespace tahoma
