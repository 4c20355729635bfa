// SPDX-License-Identifier: GPL-2.0
// mixed_class: CFS tasks are spread with an eye on the CPUs that SCHED_FIFO tasks occupy.
//
// Half as many CFS tasks as CPUs and a quarter as many SCHED_FIFO tasks, all spinning; the latter
// are free to lie anywhere, or pinned to the CPUs of as few nodes as hold them.
//
// Right:  no node that has a CFS task runs over two tasks more than another one, both kinds
//         counted: wherever the real-time tasks lie, the CFS ones fill up around them. No CPU
//         idles while a task waits.
// Wrong:  the balancer counts CFS tasks only: nodes with many FIFO tasks get as many CFS tasks
//         as the others.
// Seen failing on: 5.4.286, numa-4x4, seed 1, fifo_packed: CPU 0 idle for 510 ms while a CFS task
//         waited behind a real-time one. 6.1.192 passes.
#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kMinCpus = 4;
// Above the default and below the sampler (kSamplerPriority).
constexpr int kFifoPriority = 10;

enum class Fifo { free, packed };

Result run_mixed(Fifo placement, const Context& context) {
    require_cpus(context, kMinCpus);
    require_whole_box(context);
    require_realtime();
    const Topology& topology = context.topology;
    int cfs_tasks = topology.nr_cpus() / 2;
    int fifo_tasks = topology.nr_cpus() / 4;
    Scenario scenario = timed_scenario(context);
    WorkerSpec fifo;
    fifo.group = Group::background;
    fifo.policy = Policy::fifo;
    fifo.priority = kFifoPriority;
    for (int i = 0; i < fifo_tasks; i++) {
        // Nodes are filled from the last one: CPU 0 keeps the time.
        if (placement == Fifo::packed) {
            fifo.affinity = {topology.online[topology.online.size() - 1 - static_cast<size_t>(i)]};
        }
        add_workers(scenario, 1, fifo);
    }
    add_workers(scenario, cfs_tasks, WorkerSpec());
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    std::vector<double> both = all_tasks_per_node(recording, context);
    auto [least, most] = std::minmax_element(both.begin(), both.end());
    result.metrics.push_back({"least_tasks_on_a_node", *least, "tasks", Better::higher});
    result.metrics.push_back({"most_tasks_on_a_node", *most, "tasks", Better::lower});
    check_no_task_misplaced(result, both, result.tasks_per_node, context, kNodeSlack);
    check_idle_while_waiting(result, recording, context);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"fifo_free", "CFS tasks spread around spinning SCHED_FIFO tasks",
             [](const Context& c) { return run_mixed(Fifo::free, c); }},
            {"fifo_packed", "CFS tasks keep off CPUs that SCHED_FIFO tasks are pinned to",
             [](const Context& c) { return run_mixed(Fifo::packed, c); }}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(argc, argv,
                              {"mixed_class", "CFS tasks spread around real-time tasks", cases});
}
