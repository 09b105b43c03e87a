// The same flows in SimGrid: runs a case, and writes what it ran (tests/bench/listed_paths.h) and when each
// flow, or each rank of a ring, had finished.
//
// Not built by CMake: scripts/bench unpacks SimGrid's headers beside the system's and compiles this file with
// them. Where they are not to be had there is no comparison.
//
// To be the same model: links without latency (with one, SimGrid's shares depend on it), network/model:CM02,
// cross-traffic and TCP-gamma 0. In a ring each rank is an actor; its mailbox has a permanent receiver, so
// that a message starts when its sender is ready and not only when the receiver asks for it.
//
//   simgrid_side TOPOLOGY WORKLOAD STEPS BYTES FLOWS FINISHES [--cfg=...]      a line of JSON
//     TOPOLOGY   torus:XxYxZ | fat_tree:M (3 levels, M^3 hosts, full bisection)
//     WORKLOAD   ring | random_ring | permutation | all_to_all
#include <time.h>
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;
using NetPoints = std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>;

constexpr double bandwidth = 50e9;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Case {
  std::string topology, workload;
  unsigned steps = 1;
  std::uint64_t bytes = 0;
  bool ring = false;
  std::vector<s4u::Host*> hosts;
  std::vector<std::pair<unsigned, unsigned>> flows;  // of a ring: flow i is from position i to i + 1
  std::vector<double> finish;
  std::vector<s4u::Mailbox*> mailboxes;  // of a ring, by position
};

void build(Case& c) {
  const auto host = [&c](s4u::NetZone* zone, const std::vector<unsigned long>&,
                         unsigned long id) -> NetPoints {
    auto* made = zone->create_host("h" + std::to_string(id), 1e9)->seal();
    if (c.hosts.size() <= id) c.hosts.resize(id + 1);
    c.hosts[id] = made;
    return {made->get_netpoint(), nullptr};
  };
  const s4u::ClusterCallbacks callbacks(host);
  const auto duplex = s4u::Link::SharingPolicy::SPLITDUPLEX;
  const std::string shape = c.topology.substr(c.topology.find(':') + 1);
  s4u::NetZone* zone = nullptr;
  if (c.topology.rfind("torus:", 0) == 0) {
    unsigned long x = 0, y = 0, z = 0;
    if (std::sscanf(shape.c_str(), "%lux%lux%lu", &x, &y, &z) != 3) std::exit(1);
    zone = s4u::create_torus_zone("network", nullptr, {x, y, z}, callbacks, bandwidth, 0, duplex);
  } else {
    const auto m = static_cast<unsigned>(std::atoi(shape.c_str()));
    const s4u::FatTreeParams parameters(3, {m, m, m}, {1, m, m}, {1, 1, 1});
    zone = s4u::create_fatTree_zone("network", nullptr, parameters, callbacks, bandwidth, 0, duplex);
  }
  zone->seal();
}

std::vector<unsigned> shuffled(unsigned n) {
  std::vector<unsigned> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::uint64_t state = 12345;
  for (unsigned i = n - 1; i > 0; --i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    std::swap(order[i], order[(state >> 33) % (i + 1)]);
  }
  return order;
}

void choose_flows(Case& c) {
  const auto n = static_cast<unsigned>(c.hosts.size());
  const std::vector<unsigned> order = shuffled(n);
  for (unsigned i = 0; i < n; ++i) {
    if (c.workload == "ring") c.flows.emplace_back(i, (i + 1) % n);
    if (c.workload == "random_ring") c.flows.emplace_back(order[i], order[(i + 1) % n]);
    if (c.workload == "permutation" && order[i] != i) c.flows.emplace_back(i, order[i]);
    for (unsigned k = 1; k < n && c.workload == "all_to_all"; ++k) c.flows.emplace_back(i, (i + k) % n);
  }
  c.ring = c.workload == "ring" || c.workload == "random_ring";
  c.finish.assign(c.flows.size(), 0);
}

void write_flows(const Case& c, const char* name) {
  std::map<const s4u::Link*, std::size_t> numbers;  // looked up only; the order is that of first use
  std::vector<std::uint64_t> capacity;
  std::string lines;
  for (const auto& [from, to] : c.flows) {
    std::vector<s4u::Link*> links;
    double latency = 0;
    c.hosts[from]->route_to(c.hosts[to], links, &latency);
    lines += std::to_string(links.size());
    for (const s4u::Link* link : links) {
      const auto [at, fresh] = numbers.try_emplace(link, capacity.size());
      if (fresh) capacity.push_back(static_cast<std::uint64_t>(link->get_bandwidth()));
      lines += ' ' + std::to_string(at->second);
    }
    lines += '\n';
  }
  std::ofstream out(name);
  out << "program " << (c.ring ? "ring" : "shot") << "\nsteps " << c.steps << "\nbytes " << c.bytes;
  out << "\nlinks " << capacity.size() << '\n';
  for (const std::uint64_t value : capacity) out << value << '\n';
  out << "flows " << c.flows.size() << '\n' << lines;
}

void rank_of_ring(Case& c, std::size_t position) {
  static int nothing;
  s4u::Mailbox* in = c.mailboxes[position];
  s4u::Mailbox* next = c.mailboxes[(position + 1) % c.mailboxes.size()];
  for (unsigned k = 0; k < c.steps; ++k) {
    const s4u::CommPtr send = next->put_async(&nothing, c.bytes);
    in->get<int>();
    send->wait();
  }
  c.finish[position] = s4u::Engine::get_clock();
}

void all_at_once(Case& c) {
  std::vector<s4u::CommPtr> sends;
  sends.reserve(c.flows.size());
  for (const auto& [from, to] : c.flows) {
    sends.push_back(s4u::Comm::sendto_async(c.hosts[from], c.hosts[to], c.bytes));
  }
  for (const auto& send : sends) send->wait();
  for (std::size_t f = 0; f < sends.size(); ++f) c.finish[f] = sends[f]->get_finish_time();
}

void create_actors(Case& c) {
  if (!c.ring) {
    s4u::Actor::create("all", c.hosts[0], [&c] { all_at_once(c); });
    return;
  }
  for (std::size_t p = 0; p < c.flows.size(); ++p) {
    c.mailboxes.push_back(s4u::Mailbox::by_name("m" + std::to_string(p)));
  }
  for (std::size_t p = 0; p < c.flows.size(); ++p) {
    c.mailboxes[p]->set_receiver(
        s4u::Actor::create("rank", c.hosts[c.flows[p].first], [&c, p] { rank_of_ring(c, p); }));
  }
}

}  // namespace

int main(int count, char** words) {
  const double start = cpu_seconds();
  s4u::Engine engine(&count, words);  // takes the --cfg options away
  if (count < 7) {
    std::fprintf(stderr, "usage: simgrid_side TOPOLOGY WORKLOAD STEPS BYTES FLOWS FINISHES [--cfg=...]\n");
    return 1;
  }
  Case c;
  c.topology = words[1];
  c.workload = words[2];
  c.steps = static_cast<unsigned>(std::atoi(words[3]));
  c.bytes = std::strtoull(words[4], nullptr, 10);
  build(c);
  const double built = cpu_seconds();
  choose_flows(c);
  write_flows(c, words[5]);
  const double written = cpu_seconds();
  create_actors(c);
  const double before = cpu_seconds();
  engine.run();
  const double run_s = cpu_seconds() - before;
  std::ofstream out(words[6]);
  out << std::setprecision(17);
  for (const double finish : c.finish) out << finish << '\n';
  std::printf("{\"flows\":%zu,\"setup_s\":%.6f,\"run_s\":%.6f}\n", c.flows.size() * c.steps,
              built - start + before - written, run_s);
  return 0;
}
