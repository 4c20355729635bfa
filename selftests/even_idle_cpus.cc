// SPDX-License-Identifier: GPL-2.0
// even_idle_cpus: a lone idle CPU takes the task that waits in a neighbouring group.
//
// Every CPU has a hog pinned to it but q, which has none, and p, which has two; then these two may
// also run on q. Between two groups of two CPUs that is 1/0 and 2/1. There is one case for each
// level of q's scheduling domains, with p where q finds it at that level only.
//
// Right:  q takes one of the two the next time it looks: 1/1 and 1/1. It looks seldom after it has
//         met none but pinned tasks for a while: 6.1.192 takes 20 ms in a guest's first case, 61 to
//         360 ms in later ones.
// Wrong:  the balancer evens out idle CPUs, one against none, and halves the difference to 0,
//         although a task waits: q stays idle until some other rule fires.
// Seen failing on: only without load balancing, numa-4x4, seed 1: q idle to the end.
#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/levels.h"
#include "lib/limits.h"
#include "lib/placement.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kRunMs = 1500;
constexpr size_t kStacked = 2;

Result run_gap(const Gap& gap, const Context& context) {
    require_whole_box(context);
    const Topology& topology = context.topology;
    Scenario scenario;
    scenario.run_ms = std::min(kRunMs, context.options.seconds * 1000);
    scenario.judged_from_ms = kConfinedMs;
    scenario.sampler_cpu = topology.online.front() == gap.q ? -1 : topology.online.front();
    WorkerSpec stacked;
    stacked.affinity = {gap.p};
    add_workers(scenario, kStacked, stacked);
    WorkerSpec fill;
    fill.group = Group::background;
    for (int cpu : topology.online) {
        if (cpu != gap.p && cpu != gap.q) add_pinned_workers(scenario, {cpu}, fill);
    }
    CpuList both{std::min(gap.p, gap.q), std::max(gap.p, gap.q)};
    release_workers(scenario, kConfinedMs, 0, kStacked, both);
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    result.notes.push_back("two hogs on CPU " + std::to_string(gap.p) + ", CPU " +
                           std::to_string(gap.q) + " idle, groups of " +
                           std::to_string(gap.group_cpus) +
                           (gap.spreads ? " that spread tasks" : " CPUs"));
    int limit_ms = after_pinned_limit_ms(topology.nr_cpus());
    check_took_ms(result, "idle_cpu_filled_ms",
                  "CPU " + std::to_string(gap.q) + " idle beside a waiting task",
                  ms_until_all_busy(recording.samples, {gap.q}, kConfinedMs * 1000000LL), limit_ms);
    return result;
}

// Not CPU 0, which keeps the time: the first CPU of the second node, or the second CPU.
int idle_cpu(const Topology& topology) {
    std::vector<Node> nodes = topology.cpu_nodes();
    return nodes.size() > 1 ? nodes[1].cpus.front() : topology.online[1];
}

std::vector<Case> cases(const Topology& topology) {
    if (topology.nr_cpus() < 2) {
        return {{"any", "the idle CPU takes a waiting task",
                 [](const Context&) -> Result { throw Skip("needs 2 CPUs"); }}};
    }
    int q = idle_cpu(topology);
    std::vector<Gap> gaps = gaps_of(q, read_domains(q));
    // Nothing is known of the domains, or there are none.
    if (gaps.empty()) {
        Gap any;
        any.name = "any";
        any.q = q;
        any.p = topology.online.back() == q ? topology.online.front() : topology.online.back();
        gaps.push_back(any);
    }
    std::vector<Case> table;
    for (const Gap& gap : gaps) {
        table.push_back({gap.name, "the idle CPU takes a task that waits: level " + gap.name,
                         [gap](const Context& context) { return run_gap(gap, context); }});
    }
    return table;
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(argc, argv,
                              {"even_idle_cpus", "a lone idle CPU takes a waiting task", cases});
}
