// What communication software adds to the hardware, as data: ways of working and what each costs.
//
// Problem: a collective on ideal hardware needs bytes / bandwidth and a few microseconds. What is measured is
// a library: a launch, a cost per step that depends on its protocol, a ceiling of that protocol, and its own
// choice among a handful of algorithms. Idea: a *way* is one thing the library can do (an algorithm per level
// with a protocol); its *figures* say what that costs. A way changes only values that exist already: the
// network (what is left of a link, latency per message), the chip (overhead per message, rate of adding), and
// when a rank begins. So every solver stays exact, and the engine knows nothing of software. Which way is
// taken is found by solving all that fit: the intent of the libraries' own tuners.
// Limit: a way's figures hold for all of its messages; a figure for one step of an algorithm cannot be said.
// Figures: rows of parameters*.cpp with their sources; all can be overruled by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collectives/collective.h"
#include "core/units.h"

namespace tahoma {

/// What one way of working costs, and when it is offered.
struct StackFigures {
  bool offered = true;
  Bytes least, most{~std::uint64_t{0}};                  // sizes it is offered for ...
  Bytes least_of_rank, most_of_rank{~std::uint64_t{0}};  // ... and sizes divided by the ranks
  Decimal factor_up{1, 0};      // what is left of a link's bandwidth, inside a scale-up domain ...
  Decimal factor_out{1, 0};     // ... and between domains
  Decimal factor_chip{1, 0};    // ... and of a rank's port inside a chip
  Duration step_up;             // added to a message's latency inside a domain ...
  Duration step_out;            // ... and between domains
  Duration overhead;            // added to the chip's, per message: it occupies the lane
  Duration floor;               // before the first send of every rank, once ...
  Duration floor_per_doubling;  // ... and for each doubling of the ranks
  Duration floor_per_domain;    // ... and for each domain after the first
  Duration floor_per_rank;      // ... and for each other rank
  Duration least_time;          // the host starts one after another no faster than this
  Capacity copy_rate;           // of a rank's part of the buffer, before its first send; 0: costs nothing
  Capacity reduction_rate;      // at which a rank adds what it receives; 0: costs nothing
  std::uint32_t chunks = 1;     // at most so many of the buffer follow each other through the levels
  Bytes chunk;                  // and none smaller than this; 0 bytes: no limit
  std::uint32_t channels = 1;   // copies of the schedule side by side
  Capacity channel_rate;        // that the thread block of a channel moves; 0: more than any link
};

/// Where a figure is kept; its type says how its text is read (a Decimal is a fraction, a number a count).
using FigureField =
    std::variant<bool StackFigures::*, Bytes StackFigures::*, Decimal StackFigures::*,
                 Duration StackFigures::*, Capacity StackFigures::*, std::uint32_t StackFigures::*>;
struct StackFigure {
  std::string_view name;
  FigureField field;
  std::string_view meaning;
};
std::span<const StackFigure> stack_figures();

enum class Provenance : std::uint8_t { published, measured, fitted, assumed };
std::string_view name_of(Provenance provenance);

/// A row: the value of a figure for some ways of a stack on some platform.
///
/// `name` is [COLLECTIVE.][WAY.][PROTOCOL.]FIGURE; the row holds for every way that the parts it names fit.
/// Of several that fit, the one that names more wins (collective before way before protocol); then the one
/// whose platform is a preset, then a chip; then the newest one not newer than the version asked for.
struct StackParameter {
  std::string_view stack;
  std::string_view since;     // "2.19": from this version on; "" always
  std::string_view platform;  // "h100|h200": chips or presets; "" any
  std::string_view name;
  std::string_view value;
  Provenance provenance;
  std::string_view source;
};
std::vector<StackParameter> stack_parameters(std::string_view stack);

/// Over how many scale-up domains a group of ranks is spread.
enum class Spread : std::uint8_t { one_domain, several_domains, any };
std::string_view name_of(Spread spread);

/// In place of an algorithm of ours: the operations of a file (collectives/program/).
inline constexpr std::string_view listed_program = "program";

/// One thing that the software can do.
struct StackWay {
  std::string_view stack;
  std::string_view name;         // "ring"
  std::string_view protocols;    // "ll|ll128|simple": as many ways; "" if the stack knows none
  std::string_view collectives;  // "all_reduce|all_gather"
  Spread spread = Spread::any;
  std::string_view algorithm;  // over all ranks, or inside a domain if `between` is named
  std::string_view between;    // between domains
  std::string_view meaning;
};
std::span<const StackWay> stack_ways();

/// Whose software it is, and for which chips (names as in `cluster.chip.name`, or how they begin).
struct Stack {
  std::string_view name;
  std::string_view chips;  // "v100|a100|tpu-"
  std::string_view meaning;
};
std::span<const Stack> stacks();
const Stack* stack_named(std::string_view name);
/// False only for a chip that belongs to the software of others: what nobody knows may be anything.
bool runs_on(const Stack& stack, std::string_view chip);

/// A way with one of its protocols, for one collective: what parameters are looked up for.
struct StackCase {
  const StackWay* way = nullptr;
  std::string_view protocol;
  Collective collective = Collective::all_reduce;
};
/// What a stack can do of a collective on groups spread like that, in the order of the table.
std::vector<StackCase> stack_cases(std::string_view stack, Collective collective, Spread spread);
std::vector<std::string> protocols_of(std::string_view stack);

/// Full names under which a figure of a case may be given, the most particular one first.
std::vector<std::string> parameter_names(const StackCase& of, std::string_view figure);

/// On what the software runs.
struct StackPlatform {
  std::string chip, preset;
  std::string version;  // "" the newest
};
/// The row that decides a figure of a case, if any does.
const StackParameter* deciding_row(std::span<const StackParameter> rows, const StackCase& of,
                                   std::string_view figure, const StackPlatform& platform);

/// Why a text is no version ("" if it is one): numbers with dots.
bool is_version(std::string_view text);

/// The words of "a|b|c".
std::vector<std::string_view> words_of(std::string_view names);

}  // namespace tahoma
