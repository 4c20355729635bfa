// SPDX-License-Identifier: GPL-2.0
// asym_packing: tasks move to the CPUs that the architecture prefers, while these are idle.
//
// Needs a guest with the module of selftests/itmt: among the CPUs of a node, the higher a CPU's
// number, the more it is preferred. Hogs start on the last node's least preferred CPUs and
// are then free to use all of its CPUs.
//   lone   one hog
//   half   half as many hogs as CPUs
//   full   as many hogs as CPUs, two on each CPU of the lesser half
//
// Right:  the hogs reach the most preferred CPUs soon and stay there; when there are enough of
//         them, no CPU idles: packing fills CPUs by preference, it does not pile tasks up.
// Wrong:  hogs stay on lesser CPUs beside idle better ones; or the group that should be packed
//         elsewhere is chosen, but nothing to move is computed.
// Seen failing on: 5.4.286, numa-4x4, seed 1, without load balancing: the hogs stay on CPUs 12 and
//         13; full: CPU 14 idle for 1670 ms. With it, 5.4.286, step 1 of the series and all of the
//         series pack within 30, 20 and 20 ms.
#include <unistd.h>

#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/pairs.h"
#include "lib/placement.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kRunMs = 2000;
constexpr int64_t kNsPerMs = 1000000;
constexpr size_t kMinCpus = 4;
const char kModule[] = "/sys/module/cfslb_itmt";
// Once there, a hog may be pushed aside for a moment, not settle elsewhere.
constexpr double kLeastPackedPct = 90;

// CPUs of one last level cache, the least preferred first.
CpuList ranked_cpus(const Context& context) {
    if (access(kModule, F_OK) != 0) {
        throw Skip("needs the module of selftests/itmt, which gives CPUs priorities");
    }
    require_whole_box(context);
    if (context.topology.has_smt()) throw Skip("needs cores of one thread");
    std::vector<Node> nodes = context.topology.cpu_nodes();
    // CPU 0 keeps the time and runs the sampler.
    if (nodes.size() < 2 || nodes.back().cpus.size() < kMinCpus) {
        throw Skip("needs 2 NUMA nodes of 4 CPUs");
    }
    return nodes.back().cpus;
}

Scenario packing_scenario(const CpuList& cpus, const CpuList& start, const Context& context) {
    Scenario scenario;
    scenario.run_ms = std::min(kRunMs, context.options.seconds * 1000);
    int limit_ms = after_pinned_limit_ms(context.topology.nr_cpus());
    scenario.judged_from_ms = std::min<int64_t>(kConfinedMs + limit_ms, scenario.run_ms / 2);
    scenario.sampler_cpu = cpu_away_from(context.topology, cpus);
    add_pinned_workers(scenario, start, WorkerSpec());
    release_workers(scenario, kConfinedMs, 0, start.size(), cpus);
    return scenario;
}

// HOGS start on the least of CPUS and must end on the most preferred ones.
Result run_packed(size_t hogs, const CpuList& cpus, const Context& context) {
    CpuList start(cpus.begin(), cpus.begin() + static_cast<long>(hogs));
    CpuList best(cpus.end() - static_cast<long>(hogs), cpus.end());
    Recording recording = run_scenario(packing_scenario(cpus, start, context), context);
    Result result = measured(recording, context);
    check_took_ms(result, "packed_ms", "CPUs " + format_cpu_list(best) + " are not filled",
                  ms_until_all_busy(recording.samples, best, kConfinedMs * kNsPerMs),
                  after_pinned_limit_ms(context.topology.nr_cpus()));
    std::vector<size_t> all;
    for (size_t i = 0; i < hogs; i++) all.push_back(i);
    double packed = percent_on(recording.samples, all, best, recording.judged);
    result.metrics.push_back({"packed_pct", packed, "%", Better::higher});
    std::string text = "hogs from CPUs " + format_cpu_list(start) + " on CPUs " +
                       format_cpu_list(best) + " for " + decimal(packed) + " % of the time";
    result.notes.push_back(text);
    if (packed < kLeastPackedPct) {
        result.fail(text + ", least " + decimal(kLeastPackedPct) + " %");
    }
    return result;
}

Result run_lone(const Context& context) { return run_packed(1, ranked_cpus(context), context); }

Result run_half(const Context& context) {
    CpuList cpus = ranked_cpus(context);
    return run_packed(cpus.size() / 2, cpus, context);
}

Result run_full(const Context& context) {
    CpuList cpus = ranked_cpus(context);
    CpuList start;
    for (size_t i = 0; i < cpus.size(); i++) start.push_back(cpus[i / 2]);
    Recording recording = run_scenario(packing_scenario(cpus, start, context), context);
    Result result = measured(recording, context);
    check_took_ms(result, "filled_ms", "CPUs " + format_cpu_list(cpus) + " are not filled",
                  ms_until_all_busy(recording.samples, cpus, kConfinedMs * kNsPerMs),
                  after_pinned_limit_ms(context.topology.nr_cpus()));
    check_idle_while_waiting(result, recording, context);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"lone", "a hog moves to the most preferred CPU and stays", run_lone},
            {"half", "hogs for half of the CPUs move to the preferred half", run_half},
            {"full", "hogs for all CPUs leave none of them idle", run_full}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(argc, argv,
                              {"asym_packing", "tasks move to the CPUs that are preferred", cases});
}
