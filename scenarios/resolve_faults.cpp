// What is broken, and what must hold.
#include "scenarios/assertion.h"
#include "scenarios/decimal_text.h"
#include "scenarios/quantity.h"
#include "scenarios/resolve.h"

namespace tahoma {

namespace {

FaultEvent event_of(const Field& event) {
  FaultEvent fault;
  fault.place = event.place();
  if (const Field at = event["at"]; read_field(at, read_time).ps != 0) {
    throw InfeasibleError(
        sentence({at.place(),
                  at.path,
                  at.text(),
                  {"is during the run, and faults during a run are not supported yet", "0s", ""}}));
  }
  const Field fail = event["fail"], degrade = event["degrade"], factor = event["factor"];
  if (fail && degrade) refuse(degrade, {"stands beside 'fail'", "one of the two", ""});
  if (!fail && !degrade) required(event, "fail");
  if (fail && factor)
    refuse(factor, {"stands beside 'fail', which leaves nothing", "`degrade` with a factor", ""});
  fault.fail = static_cast<bool>(fail);
  fault.element = fail ? fail.text() : degrade.text();
  if (degrade) fault.factor = read_field(required(event, "factor"), read_number);
  return fault;
}

std::uint32_t how_many(const Field& counts, std::string_view key) {
  const Field count = counts[key];
  return count ? read_count32(count) : 0;
}

RandomFaults random_of(const Field& random, std::uint64_t seed) {
  RandomFaults faults;
  faults.place = random.place();
  const Field fail = random["fail"], degrade = random["degrade"];
  if (!fail && !degrade) required(random, "fail");
  faults.fail_links = how_many(fail, "links");
  faults.fail_nics = how_many(fail, "nics");
  faults.fail_uplinks = how_many(fail, "uplinks");
  faults.degrade_links = how_many(degrade, "links");
  faults.degrade_nics = how_many(degrade, "nics");
  faults.degrade_uplinks = how_many(degrade, "uplinks");
  if (degrade) faults.factor = read_field(degrade["factor"], read_number);
  faults.seed = random["seed"] ? read_field(random["seed"], read_count) : seed;
  return faults;
}

}  // namespace

void resolve_faults(const Field& faults, Scenario& scenario) {
  for (const Field& event : each(faults["events"])) scenario.faults.events.push_back(event_of(event));
  if (const Field random = faults["random"]) scenario.faults.random = random_of(random, scenario.seed);
  for (const Field& straggler : each(faults["stragglers"])) {
    const Field chips = required(straggler, "chips");
    scenario.faults.stragglers.push_back(
        {chips.text(), read_field(required(straggler, "delay"), read_time), chips.place()});
  }
}

void resolve_assertions(const Field& assertions, Scenario& scenario) {
  for (const Field& one : each(assertions)) {
    Assertion assertion = read_field(one, parse_assertion);
    assertion.place = one.place();
    scenario.assertions.push_back(std::move(assertion));
  }
}

}  // namespace tahoma
