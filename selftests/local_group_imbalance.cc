// SPDX-License-Identifier: GPL-2.0
// local_group_imbalance: a pile pinned beside an idle CPU must not keep that CPU from pulling.
//
// A pile of hogs is pinned to CPU p. As many others start on a neighbouring group, which has one
// CPU fewer than there are of them, and are then allowed on q and p too, where q is p's neighbour.
// With groups of two: three hogs on p, three on the pair (a, b), then on (a, b, q, p).
//
// Right:  q pulls one of the hogs that share the neighbouring group, so that no CPU stays idle.
// Wrong:  the pile makes q's own group look overloaded or imbalanced, the balancer finds no
//         busier group, and q stays idle while a hog waits that may run there.
// Seen failing on: 6.1.192, smt_pairs on smt-2x2x2 and whole_nodes on numa-4x4: q idle to the end.
//         5.4.286, whole_nodes on numa-4x4: the same.
#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/pairs.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

// Time on the start pair before the widening: load averages reach 99 % of their full value after
// 7 half-lives of 32 ms, about 225 ms; twice that.
constexpr int64_t kConfinedMs = 500;

// How long q may stay idle after the widening: before it, every look of q at the other group met
// only pinned tasks, so the next one may be the whole backoff away; then the usual limit.
int limit_ms(const Context& context) {
    return kMaxPinnedIntervalMs + idle_while_waiting_limit_ms(context.topology.nr_cpus());
}

Scenario scenario_for(const Pairs& pairs, const Context& context) {
    Scenario scenario;
    scenario.run_ms = context.options.seconds * 1000;
    int64_t widen_at_ms = std::min(kConfinedMs, scenario.run_ms / 2);
    scenario.judged_from_ms = widen_at_ms;
    scenario.sampler_cpu = cpu_away_from(context.topology, pairs.widened());
    WorkerSpec pile;
    pile.group = Group::background;
    pile.affinity = {pairs.p};
    int each = static_cast<int>(pairs.start.size()) + 1;
    add_workers(scenario, each, pile);
    WorkerSpec free;
    free.affinity = pairs.start;
    add_workers(scenario, each, free);
    for (int i = 0; i < each; i++) {
        scenario.changes.push_back({widen_at_ms, static_cast<size_t>(each + i), pairs.widened()});
    }
    return scenario;
}

Result run_pairs(const std::optional<Pairs>& pairs, const char* missing, const Context& context) {
    if (!pairs) throw Skip(missing);
    require_whole_box(context);
    Recording recording = run_scenario(scenario_for(*pairs, context), context);
    Result result = measured(recording, context);
    result.notes.push_back("pile on CPU " + std::to_string(pairs->p) + ", free hogs from " +
                           format_cpu_list(pairs->start) + " to " +
                           format_cpu_list(pairs->widened()));
    double longest = 0;
    auto at = recording.lost.longest_ms_per_cpu.find(pairs->q);
    if (at != recording.lost.longest_ms_per_cpu.end()) longest = at->second;
    if (longest > limit_ms(context)) {
        result.fail("CPU " + std::to_string(pairs->q) + " idle for " +
                    std::to_string(static_cast<long>(longest)) +
                    " ms while a hog waited that may run there, limit " +
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
            {"whole_nodes", "the idle CPU beside a pile pulls from a full node",
             [](const Context& context) {
                 return run_pairs(whole_nodes(context.topology), "needs 2 NUMA nodes of 2 CPUs",
                                  context);
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
