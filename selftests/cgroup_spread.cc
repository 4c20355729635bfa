// SPDX-License-Identifier: GPL-2.0
// cgroup_spread: tasks of one cgroup spread evenly over the nodes beside tasks of other cgroups.
//
// N tasks of one cgroup are judged; two more run either in the same cgroup (normal) or each alone
// in its own (group). A task alone in a cgroup weighs as much as all N together, so a balancer
// that compares loads leaves its node short of tasks and CPUs idle. Sizes: three quarters of the
// CPUs (12 of 16), and 8 and 4 CPUs short of the box, which on 160 CPUs are the 152 and 156
// threads of Phil Auld's report (95 % and 97.5 %).
//
// Right:  no node runs over two tasks more than another one, and no CPU idles while a task waits.
//         Which of them a node runs is free: both single tasks may share a node. So the verdict
//         counts all tasks; the means of the N alone are reported as the reports do.
// Wrong:  a node of the single tasks runs two or more tasks too few for most of the run.
// Seen failing on: step 3 of the v5.4 series, numa-4x4, seed 1: group_8 and group_12, a CPU idle
// for
//         3500 and 940 ms while a task waited. 5.4.286 fails group_12 there.
#include <algorithm>
#include <set>

#include "lib/cgroup.h"
#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kSingles = 2;
constexpr int kMinCpus = 4;

enum class Grouping { normal, group };

// Numbers of judged tasks for a box, ascending, each once; at least two tasks, and room for the
// singles.
std::set<int> sizes(int nr_cpus) {
    std::set<int> counts;
    for (int count :
         {std::min(nr_cpus - nr_cpus / 4, nr_cpus - kSingles), nr_cpus - 8, nr_cpus - 4}) {
        if (count >= 2) counts.insert(count);
    }
    return counts;
}

Result run_spread(int tasks, Grouping grouping, const Context& context) {
    require_cpus(context, kMinCpus);
    require_whole_box(context);
    CpuController controller = find_cpu_controller();
    // Before the workers, who must have left when these are removed.
    Cgroup judged_group(controller, "judged");
    Cgroup single_0(controller, "single-0");
    Cgroup single_1(controller, "single-1");
    Scenario scenario = timed_scenario(context);
    WorkerSpec judged;
    judged.cgroup_procs = judged_group.procs();
    add_workers(scenario, tasks, judged);
    for (const Cgroup* own : {&single_0, &single_1}) {
        WorkerSpec single;
        single.group = Group::background;
        single.cgroup_procs = grouping == Grouping::group ? own->procs() : judged_group.procs();
        add_workers(scenario, 1, single);
    }
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    auto [least, most] =
        std::minmax_element(result.tasks_per_node.begin(), result.tasks_per_node.end());
    result.metrics.push_back({"least_tasks_on_a_node", *least, "tasks", Better::higher});
    result.metrics.push_back({"most_tasks_on_a_node", *most, "tasks", Better::lower});
    std::vector<double> all = all_tasks_per_node(recording, context);
    check_no_task_misplaced(result, all, all, context, kNodeSlack);
    check_idle_while_waiting(result, recording, context);
    return result;
}

std::vector<Case> cases(const Topology& topology) {
    std::vector<Case> table;
    std::set<int> counts = sizes(topology.nr_cpus());
    if (counts.empty()) counts.insert(topology.nr_cpus());
    for (int tasks : counts) {
        std::string count = std::to_string(tasks);
        table.push_back({"normal_" + count, count + " tasks and 2 more in one cgroup spread evenly",
                         [tasks](const Context& context) {
                             return run_spread(tasks, Grouping::normal, context);
                         }});
        table.push_back({"group_" + count,
                         count + " tasks of one cgroup spread evenly beside 2 alone in theirs",
                         [tasks](const Context& context) {
                             return run_spread(tasks, Grouping::group, context);
                         }});
    }
    return table;
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv,
        {"cgroup_spread", "tasks of one cgroup spread evenly beside heavier groups", cases});
}
