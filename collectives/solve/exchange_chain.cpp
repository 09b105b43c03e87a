#include "collectives/solve/exchange_chain.h"

#include <optional>

#include "core/errors.h"

namespace tahoma {

namespace {

class Walk {
 public:
  Walk(const ExchangeProgram& program, const ExchangeNetwork& network, std::span<const Time> ready,
       std::span<const std::int64_t> arrival)
      : program_(program), network_(network), ready_(ready), arrival_(arrival) {}

  struct Message {
    std::uint32_t level, from;
    bool by_arrival;  // what this one caused waited for its arrival
  };

  bool sends(std::uint32_t level, std::uint32_t rank) const {
    return program_.to(level, rank) != ExchangeProgram::nobody;
  }
  bool receives(std::uint32_t level, std::uint32_t rank) const {
    return program_.from(level, rank) != ExchangeProgram::nobody;
  }
  Time arrival(std::uint32_t level, std::uint32_t rank) const {
    return Time{arrival_[std::size_t{level} * program_.ranks + rank]};
  }
  Time drained(std::uint32_t level, std::uint32_t rank) const {
    const std::uint16_t way = network_.way[program_.levels[level].pattern][rank];
    return arrival(level, program_.to(level, rank)) - network_.ways[way].latency;
  }

  // What ended at this rank and time, the latest level first: what came in before what went out.
  std::optional<Message> ended(std::uint32_t rank, Time at) const {
    for (auto level = static_cast<std::uint32_t>(program_.levels.size()); level-- > 0;) {
      if (receives(level, rank) && arrival(level, rank) == at)
        return Message{level, program_.from(level, rank), true};
    }
    for (auto level = static_cast<std::uint32_t>(program_.levels.size()); level-- > 0;) {
      if (sends(level, rank) && drained(level, rank) == at) return Message{level, rank, false};
    }
    return std::nullopt;
  }

  // Sets `begin`, and gives the message that had to end first.
  std::optional<Message> before(const Message& message, Time& begin) const {
    std::optional<Message> cause;
    begin = ready_[message.from];
    std::uint32_t own = message.level;
    while (own > 0 && !sends(own - 1, message.from)) --own;
    if (own > 0 && drained(own - 1, message.from) >= begin) {
      begin = drained(own - 1, message.from);
      cause = Message{own - 1, message.from, false};
    }
    const std::uint32_t wait = program_.levels[message.level].wait;
    if (wait != ExchangeProgram::nobody && receives(wait, message.from) &&
        arrival(wait, message.from) >= begin) {
      begin = arrival(wait, message.from);
      cause = Message{wait, program_.from(wait, message.from), true};
    }
    return cause;
  }

 private:
  const ExchangeProgram& program_;
  const ExchangeNetwork& network_;
  std::span<const Time> ready_;
  std::span<const std::int64_t> arrival_;
};

}  // namespace

std::uint32_t chain_in_exchange(const ExchangeProgram& program, const ExchangeNetwork& network,
                                std::span<const Time> ready, std::span<const std::int64_t> arrival,
                                std::uint32_t rank, Time finish,
                                const std::function<void(const ExchangeMessage&)>& add) {
  const Walk walk(program, network, ready, arrival);
  auto message = walk.ended(rank, finish);
  TAHOMA_ASSERT(message || finish == ready[rank], "a finish without a cause");
  Time end = finish;
  while (message) {
    rank = message->from;
    Time begin;
    const auto cause = walk.before(*message, begin);
    add({message->from, program.to(message->level, message->from), begin, end, message->by_arrival});
    end = begin;
    message = cause;
  }
  return rank;
}

}  // namespace tahoma
