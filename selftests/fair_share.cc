// SPDX-License-Identifier: GPL-2.0
// fair_share: with a few tasks more than CPUs, all get about the same CPU time.
//
// One and three always-running tasks more than CPUs (9 and 11 on 8): the tasks that share a CPU
// must change, or they get half of what the others get.
//
// Right:  in the long run the least CPU time of a task is 85 % of the most (threshold of the
// reports
//         on 2x4 CPUs, where 9 tasks got 78 and 11 got 66 % before); turns under way are allowed
//         for.
// Wrong:  the task in excess is never taken, or always the same one is: 50 %.
// CPU time and not work is judged: emulated CPUs are not equally fast, tasks alone on theirs show
// 48 to 85 % of each other's work.
// Seen failing on: 5.4.286, numa-2x4, three_more: 74.4, 72.5 and 67.6 % with seeds 1 to 3, limit
//         74.9 % (4 s); 76.9, 74.6 and 76.2 % in 8 s. 6.1.192: 82.3, 82.7 and 84.6 % in 4 s.
#include <numeric>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

Result run_fair(int more, const Context& context) {
    // Within one node groups are single CPUs, and 4 s gave 62 to 90 % on every kernel.
    if (context.topology.cpu_nodes().size() < 2) throw Skip("needs 2 NUMA nodes");
    require_whole_box(context);
    Scenario scenario = timed_scenario(context);
    scenario.measure_cpu_time = true;
    add_workers(scenario, context.topology.nr_cpus() + more, WorkerSpec());
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    check_idle_while_waiting(result, recording, context);
    double fair = min_max_percent(recording.cpu_ms);
    result.metrics.push_back({"cpu_time_min_max_pct", fair, "%", Better::higher});
    std::string text = "CPU time in ms";
    for (double ms : recording.cpu_ms) text += " " + std::to_string(static_cast<long>(ms));
    result.notes.push_back(text);
    double mean_ms = std::accumulate(recording.cpu_ms.begin(), recording.cpu_ms.end(), 0.0) /
                     static_cast<double>(recording.cpu_ms.size());
    double limit = fair_share_limit_pct(mean_ms, context.topology.nr_cpus());
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
