// SPDX-License-Identifier: GPL-2.0
// balance_interval: pinned tasks that are gone no longer delay the balancer.
//
// Every CPU of a node but one has a hog of its own, and one of them a second one, pinned, too: all
// that the idle CPU finds is pinned, and it looks less and less often. Then the second hog sleeps,
// and the idle CPU finds nothing for a while. Last, a hog wakes up beside the one of the busy CPU
// and may run on the idle one. Each node but the first is tried, one after the other.
//
// Right:  the idle CPU takes it within the intervals that its domains are made for.
// Wrong:  the interval stays where the pinned tasks have left it until something is pulled, and a
//         task waits up to 512 ms beside an idle CPU long after they have gone.
// Seen failing on: numa-4x4, seeds 1 to 3, limit 100 ms: 5.4.286 120, 490, 500; v5.4 series before
//         "forget the interval of pinned tasks" 280, 270, 280, after it 0; 6.1.192 269, 269, 280,
//         with that patch 0. Also on uma-8 and smt-2x2x2.
#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/levels.h"
#include "lib/limits.h"
#include "lib/pairs.h"
#include "lib/sampler.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

// From a few milliseconds the interval doubles up to kMaxPinnedIntervalMs: twice that in all.
constexpr int64_t kPinnedMs = 2 * kMaxPinnedIntervalMs + 100;
// Until the idle CPU has looked once after that.
constexpr int64_t kGoneMs = kPinnedMs + kMaxPinnedIntervalMs + 100;
// Between the nodes: no fraction of the interval, so that each is tried in another phase of it.
constexpr int64_t kNextNodeMs = 130;
// A task that wakes up pinned is released with the next sample.
constexpr int64_t kStartedMs = kSampleMs;
constexpr int64_t kTriedMs = kMaxPinnedIntervalMs + 100;

// Adds one node's part of the scenario; the hog that wakes up does so at AT_MS. The busy CPU and
// the idle one are the first and the last, so that they are no threads of one core.
void add_node(Scenario& scenario, const CpuList& cpus, int64_t at_ms) {
    int busy = cpus.front();
    int idle = cpus.back();
    WorkerSpec keeper;
    keeper.group = Group::background;
    add_pinned_workers(scenario, CpuList(cpus.begin(), cpus.end() - 1), keeper);
    scenario.holds.push_back({kPinnedMs, scenario.workers.size(), true});
    add_pinned_workers(scenario, {busy}, keeper);
    WorkerSpec late;
    late.affinity = {busy};
    late.held = true;
    size_t worker = scenario.workers.size();
    add_workers(scenario, 1, late);
    scenario.holds.push_back({at_ms, worker, false});
    release_workers(scenario, at_ms + kStartedMs, worker, 1, {busy, idle});
}

// The nodes to try: all of three CPUs and more but the first, which keeps the time; that, too, when
// it is the only one.
std::vector<Node> nodes_to_try(const Topology& topology) {
    std::vector<Node> nodes;
    for (const Node& node : topology.cpu_nodes()) {
        if (node.cpus.size() >= 3) nodes.push_back(node);
    }
    if (nodes.empty()) throw Skip("needs a node of 3 CPUs");
    if (nodes.size() > 1) nodes.erase(nodes.begin());
    return nodes;
}

Result run_after_pinned(const Context& context) {
    require_whole_box(context);
    // With CPUs of different capacity idle ones are not asked to look unless a task waits, so that
    // they look for the first time after the pinned tasks when the hog wakes up, pinned, too.
    if (cpu_sizes(context.topology)) throw Skip("needs CPUs of one capacity");
    Scenario scenario;
    CpuList tried;
    int64_t at_ms = kGoneMs;
    int limit_ms = 0;
    for (const Node& node : nodes_to_try(context.topology)) {
        int cpus = static_cast<int>(node.cpus.size());
        add_node(scenario, node.cpus, at_ms);
        tried.insert(tried.end(), node.cpus.begin(), node.cpus.end());
        limit_ms = std::max(limit_ms, idle_while_waiting_limit_ms(cpus));
        at_ms += kNextNodeMs;
    }
    std::sort(scenario.holds.begin(), scenario.holds.end(),
              [](const HoldChange& a, const HoldChange& b) { return a.at_ms < b.at_ms; });
    scenario.sampler_cpu = cpu_away_from(context.topology, tried);
    scenario.run_ms = at_ms + kTriedMs;
    scenario.judged_from_ms = kGoneMs;
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    check_idle_while_waiting(result, recording, limit_ms);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"after_pinned", "an idle CPU looks as often as before it met pinned tasks",
             run_after_pinned}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv,
        {"balance_interval", "pinned tasks that are gone no longer delay the balancer", cases});
}
