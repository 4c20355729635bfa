// SPDX-License-Identifier: GPL-2.0
// even_spread: spinning tasks of equal weight spread evenly at half load, one short of full, full
// and a quarter over.
//
// Right:  no node runs over two tasks more than another one (fewer than a task off the share when
//         there are more tasks than CPUs); with SMT every core its share at half load; no CPU
//         idles while a task waits.
// Wrong:  a node or core piles up while another has room.
// How fair the work is divided (least/most) is reported and not judged: with 5 tasks on 4 CPUs
// it depends on how long the run is.
// Seen failing on: only without load balancing (harness/no_balance.sh, smt-2x2x2).
#include <cstdio>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/levels.h"
#include "lib/limits.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kMinCpus = 2;

// A core may hold a task too many for half of the judged time, as a node may.
constexpr double kCoreSlack = kNodeSlack;

void check_cores(Result& result, const Context& context, int tasks) {
    const Topology& topology = context.topology;
    for (const Cpu& cpu : topology.cpus) {
        if (cpu.threads.size() < 2 || cpu.threads.front() != cpu.id) continue;
        double sum = 0;
        for (int thread : cpu.threads) sum += result.tasks_per_cpu[static_cast<size_t>(thread)];
        EvenShare share =
            even_share(tasks, static_cast<int>(cpu.threads.size()), topology.nr_cpus());
        if (sum <= share.most + kCoreSlack) continue;
        char reason[128];
        snprintf(reason, sizeof(reason), "the core of CPU %d runs %.2f tasks, even is %.0f", cpu.id,
                 sum, share.most);
        result.fail(reason);
    }
}

Result run_even(int tasks, const Context& context) {
    require_cpus(context, kMinCpus);
    require_whole_box(context);
    int nr_cpus = context.topology.nr_cpus();
    Scenario scenario = timed_scenario(context);
    add_workers(scenario, tasks, WorkerSpec());
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    if (tasks > nr_cpus) {
        size_t nodes_with_cpus = context.topology.cpu_nodes().size();
        double share = static_cast<double>(tasks) / static_cast<double>(nodes_with_cpus);
        check_even_nodes(result, "tasks", result.tasks_per_node, context, tasks,
                         overloaded_slack(share, numa_levels(context.topology)));
    } else {
        check_no_task_misplaced(result, result.tasks_per_node, result.tasks_per_node, context,
                                kNodeSlack);
    }
    if (tasks <= nr_cpus / 2) check_cores(result, context, tasks);
    check_idle_while_waiting(result, recording, context);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"half", "a task for every second CPU: nodes and cores even",
             [](const Context& c) { return run_even(c.topology.nr_cpus() / 2, c); }},
            {"all_but_one", "one task fewer than CPUs: nodes even",
             [](const Context& c) { return run_even(c.topology.nr_cpus() - 1, c); }},
            {"full", "a task for every CPU: nodes even, no CPU idle beside two tasks",
             [](const Context& c) { return run_even(c.topology.nr_cpus(), c); }},
            {"quarter_over", "five tasks for four CPUs: nodes even",
             [](const Context& c) { return run_even(c.topology.nr_cpus() * 5 / 4, c); }}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv, {"even_spread", "equal tasks spread evenly over nodes and cores", cases});
}
