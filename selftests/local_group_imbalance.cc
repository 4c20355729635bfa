// SPDX-License-Identifier: GPL-2.0
// local_group_imbalance: a pile pinned beside an idle CPU must not keep that CPU from pulling.
//
// Three hogs are pinned to CPU p. Three others start on the pair (a, b) of a neighbouring group
// and are then allowed on (a, b, q, p), where q is p's neighbour.
//
// Right:  q pulls one of the three that share a and b, so that all four CPUs run.
// Wrong:  the pile makes q's own group look overloaded or imbalanced, the balancer finds no
//         busier group, and q stays idle while three hogs share two CPUs.
// Seen failing on: 6.1.192, 16 CPUs on 4 nodes, pairs (2,3) and (4,5): CPU 4 idle for the whole
//         run. 5.4.286 fills it.
#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/pairs.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kPile = 3;
constexpr int kFree = 3;

// Time on the start pair before the widening: load averages reach 99 % of their full value after
// 7 half-lives of 32 ms, about 225 ms; twice that.
constexpr int64_t kConfinedMs = 500;

// How long q may stay idle after the widening. q looks for work at least every
// longest_idle_interval_ms(); a waiting hog is taken after kAttemptsToPull at most, and one round
// is lost to the cost estimate of newly idle balancing. idle_while_waiting_limit_ms() is that.
int limit_ms(const Context& context) {
    return idle_while_waiting_limit_ms(context.topology.nr_cpus());
}

Scenario scenario_for(const Pairs& pairs, const Context& context) {
    Scenario scenario;
    scenario.run_ms = context.options.seconds * 1000;
    int64_t widen_at_ms = std::min(kConfinedMs, scenario.run_ms / 2);
    scenario.judged_from_ms = widen_at_ms;
    WorkerSpec pile;
    pile.group = Group::background;
    pile.affinity = {pairs.p};
    add_workers(scenario, kPile, pile);
    WorkerSpec free;
    free.affinity = pairs.start();
    add_workers(scenario, kFree, free);
    for (int i = 0; i < kFree; i++) {
        scenario.changes.push_back({widen_at_ms, static_cast<size_t>(kPile + i), pairs.widened()});
    }
    return scenario;
}

Result run_pairs(const std::optional<Pairs>& pairs, const char* missing, const Context& context) {
    if (!pairs) throw Skip(missing);
    require_whole_box(context);
    Recording recording = run_scenario(scenario_for(*pairs, context), context);
    Result result = measured(recording, context);
    result.notes.push_back("pile on CPU " + std::to_string(pairs->p) + ", free hogs from " +
                           format_cpu_list(pairs->start()) + " to " +
                           format_cpu_list(pairs->widened()));
    double longest = 0;
    auto at = recording.lost.longest_ms_per_cpu.find(pairs->q);
    if (at != recording.lost.longest_ms_per_cpu.end()) longest = at->second;
    if (longest > limit_ms(context)) {
        result.fail("CPU " + std::to_string(pairs->q) + " idle for " +
                    std::to_string(static_cast<long>(longest)) +
                    " ms while three hogs shared two CPUs, limit " +
                    std::to_string(limit_ms(context)) + " ms");
    }
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"pairs_cross_node", "the idle CPU beside a pile pulls from the nearest node",
             [](const Context& context) {
                 return run_pairs(pairs_cross_node(context.topology),
                                  "needs 2 NUMA nodes of 2 CPUs", context);
             }},
            {"pairs_same_node", "the idle CPU beside a pile pulls from CPUs of its own node",
             [](const Context& context) {
                 return run_pairs(pairs_same_node(context.topology), "needs a node of 4 cores",
                                  context);
             }},
            {"smt_pairs", "the idle thread beside a pile pulls from another core",
             [](const Context& context) {
                 return run_pairs(pairs_smt(context.topology),
                                  "needs 2 cores with 2 threads in a node", context);
             }}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv,
        {"local_group_imbalance", "a pile pinned to one CPU must not blind its neighbour", cases});
}
