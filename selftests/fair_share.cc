// SPDX-License-Identifier: GPL-2.0
// fair_share: with a few tasks more than CPUs, all get about the same CPU time.
//
// One and three always-running tasks more than CPUs (9 and 11 on 8): the tasks that share a CPU
// must change, or they get half of what the others get.
//
// Right:  the least CPU time of a task is no further from the most than a draw would leave it that
//         settles after every busy interval who shares next (lib/turns.h).
// Wrong:  the task in excess is never taken, or always the same one is: 50 %.
// CPU time and not work is judged: emulated CPUs are not equally fast, tasks alone on theirs show
// 48 to 85 % of each other's work.
// Seen failing on: the v5.4 series, numa-2x4, seed 1, 8 s, balancing frozen after 1 s
//         (harness/freeze_balance.sh 1 fair_share --case one_more): 51.9 %, limit 82.1 %. 5.4.286,
//         smt-2x2x2, 10 s: 80.4 % for one and 59.3 % for three more, limits 83.8 and 77.0 %.
//         6.1.192 gives 89.9 and 87.9 % on numa-2x4 in 8 s, the v5.4 series 85.9 and 90.6 %.
#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/scenario.h"
#include "lib/turns.h"

namespace {

using namespace cfslb;

// Turns that never change leave 50 %; a limit below this one would not tell them from chance.
constexpr double kLeastLimitPct = 60;

Result run_fair(int more, const Context& context) {
    // Within one node groups are single CPUs, and 4 s gave 62 to 90 % on every kernel.
    if (context.topology.cpu_nodes().size() < 2) throw Skip("needs 2 NUMA nodes");
    require_whole_box(context);
    int nr_cpus = context.topology.nr_cpus();
    Scenario scenario = timed_scenario(context);
    double judged_ms = static_cast<double>(scenario.run_ms - scenario.judged_from_ms);
    double limit = turns_limit_pct(nr_cpus + more, nr_cpus, judged_ms, busy_interval_ms(nr_cpus));
    if (limit < kLeastLimitPct) throw Skip("too short for turns on so many CPUs: more --seconds");
    scenario.measure_cpu_time = true;
    add_workers(scenario, nr_cpus + more, WorkerSpec());
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    check_idle_while_waiting(result, recording, context);
    double fair = min_max_percent(recording.cpu_ms);
    result.metrics.push_back({"cpu_time_min_max_pct", fair, "%", Better::higher});
    std::string text = "CPU time in ms";
    for (double ms : recording.cpu_ms) text += " " + std::to_string(static_cast<long>(ms));
    result.notes.push_back(text);
    text = "least/most CPU time " + decimal(fair) + " %, limit " + decimal(limit) + " %";
    result.notes.push_back(text);
    if (fair < limit) result.fail(text);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"one_more", "one task more than CPUs: all get the same CPU time",
             [](const Context& c) { return run_fair(1, c); }},
            {"three_more", "three tasks more than CPUs: all get the same CPU time",
             [](const Context& c) { return run_fair(3, c); }}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv, {"fair_share", "a few tasks more than CPUs get equal CPU time", cases});
}
