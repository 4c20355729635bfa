// SPDX-License-Identifier: GPL-2.0
// sched_idle_fill: SCHED_IDLE tasks fill every CPU that a normal task leaves, after Nikhil Rao's
// report (16 soakers and one normal task on 16 CPUs: 18 % idle).
//
// Right:  with as many runnable tasks as CPUs or one more, no CPU is ever idle.
// Wrong:  the normal task's weight makes its group look busiest for good, idle CPUs pull nothing.
// Seen failing on: 5.4.286, numa-4x4, seed 1: soakers_n 6.2 % idle, soakers_n_minus_1 3.3 %, a CPU
//         idle for seconds beside a waiting task. 6.1.192 passes.
#include <cstdio>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kMinCpus = 2;

// With a task more than CPUs tasks take turns, and a CPU that gave one away idles until its next
// look, a tick of 4 ms at most. 300 moves in 3.5 s on 16 CPUs were seen, which is up to 2 %; most
// looks come at once, when the CPU goes idle. 0 to 0.46 % were seen, against 6 % where it fails.
constexpr double kTakingTurnsPct = 1.0;

Result run_fill(int soakers, const Context& context) {
    require_cpus(context, kMinCpus);
    require_whole_box(context);
    Scenario scenario = timed_scenario(context);
    WorkerSpec soaker;
    soaker.policy = Policy::idle;
    add_workers(scenario, soakers, soaker);
    WorkerSpec normal;
    normal.group = Group::background;
    add_workers(scenario, 1, normal);
    scenario.measure_cpu_use = true;
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    // As in the report, whose table this makes comparable.
    result.notes.push_back("mpstat " + mpstat_header());
    for (size_t i = 1; i < recording.cpu_use.size(); i++) {
        result.notes.push_back("mpstat " + mpstat_line(static_cast<int>(i),
                                                       recording.cpu_use[i - 1],
                                                       recording.cpu_use[i]));
    }
    // 0.0 within what /proc/stat can tell: each CPU's idle time is printed in USER_HZ ticks, so
    // the difference of two readings may show one tick a CPU that was not idle.
    double limit_pct = recording.idle_resolution_pct;
    if (soakers >= context.topology.nr_cpus()) limit_pct += kTakingTurnsPct;
    if (recording.idle_pct > limit_pct) {
        char reason[128];
        snprintf(reason, sizeof(reason), "%.2f %% idle with a task for every CPU, limit %.2f %%",
                 recording.idle_pct, limit_pct);
        result.fail(reason);
    }
    check_idle_while_waiting(result, recording, context);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {
        {"soakers_n", "a SCHED_IDLE soaker per CPU and 1 normal task leave no CPU idle",
         [](const Context& context) { return run_fill(context.topology.nr_cpus(), context); }},
        {"soakers_n_minus_1", "one soaker fewer: still a task for every CPU, none idle",
         [](const Context& context) { return run_fill(context.topology.nr_cpus() - 1, context); }}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv,
        {"sched_idle_fill", "SCHED_IDLE tasks fill the CPUs beside a normal task", cases});
}
