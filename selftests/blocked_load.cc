// SPDX-License-Identifier: GPL-2.0
// blocked_load: CPUs that are idle but have much blocked load take tasks like any idle CPU.
//
// Hogs of nice -20 run on every CPU of one node and then go to sleep all at once; their load fades
// with a half-life of 32 ms, and for 400 ms it exceeds that of a task of nice 19. All CPUs of the
// other nodes are kept busy by pinned hogs.
//   fork   right then, tasks of nice 19 are forked elsewhere: one for each idle CPU. The hogs have
//          nice 19, too, so that their nodes look much less loaded
//   moved  right then, as many tasks of nice 19 wake up beside hogs of nice 0 on the nearest node,
//          free to go to the idle one
//
// Right:  the new tasks begin on the idle CPUs, the waiting ones are pulled there before the load
//         has faded.
// Wrong:  load is compared although CPUs are idle: those with blocked load look busiest, new tasks
//         queue behind the hogs and waiting ones are not pulled.
// Seen failing on: numa-4x4, seed 1. fork: 5.4.286 and step 10 of the series, 2 of 5 children began
//         on the idle node, where step 11 and 6.1.192 put 4.
//         moved: only without load balancing, a CPU idle for 780 ms.
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

constexpr int kHeavyNice = -20;  // weight 88761
constexpr int kLightNice = 19;   // weight 15

// Time for the heavy tasks' load to build up: 99 % of it after 7 half-lives, about 225 ms.
constexpr int kHeavyMs = 300;
// The blocked load is 2^12.5 light tasks at first, one of them 12.5 half-lives of 32 ms later.
constexpr int kFadedMs = 400;
constexpr int kRunMs = kHeavyMs + 2 * kFadedMs;

// The node whose load will be blocked: the last one with CPUs.
const Node& blocked_node(const std::vector<Node>& nodes) {
    if (nodes.size() < 2) throw Skip("needs 2 NUMA nodes");
    return nodes.back();
}

// Heavy tasks first; worker i of these goes to sleep at kHeavyMs.
Scenario heavy_scenario(const Node& node) {
    Scenario scenario;
    scenario.run_ms = kRunMs;
    scenario.judged_from_ms = kHeavyMs;
    WorkerSpec heavy;
    heavy.group = Group::background;
    heavy.nice = kHeavyNice;
    add_pinned_workers(scenario, node.cpus, heavy);
    for (size_t i = 0; i < node.cpus.size(); i++) scenario.holds.push_back({kHeavyMs, i, true});
    return scenario;
}

// Hogs on every CPU outside NODE but BUT.
void fill_others(Scenario& scenario, const Node& node, const Topology& topology, int but,
                 int nice) {
    WorkerSpec fill;
    fill.nice = nice;
    fill.group = Group::background;
    for (int cpu : topology.online) {
        if (cpu != but && !contains(node.cpus, cpu)) add_pinned_workers(scenario, {cpu}, fill);
    }
}

Result judge_blocked(const Recording& recording, const Node& node, int limit_ms,
                     const Context& context) {
    Result result = measured(recording, context);
    check_idle_while_waiting(result, recording, limit_ms);
    check_took_ms(result, "idle_node_filled_ms",
                  "node " + std::to_string(node.id) + " not filled after its load was blocked",
                  ms_until_all_busy(recording.samples, node.cpus, kHeavyMs * 1000000LL), limit_ms);
    return result;
}

Result run_fork(const Context& context) {
    require_whole_box(context);
    std::vector<Node> nodes = context.topology.cpu_nodes();
    const Node& node = blocked_node(nodes);
    Scenario scenario = heavy_scenario(node);
    // The forker has the first CPU; one child more than the idle node has CPUs fills that, too.
    int home = context.topology.online.front();
    fill_others(scenario, node, context.topology, home, kLightNice);
    size_t forker = scenario.workers.size();
    WorkerSpec spec;
    spec.group = Group::background;
    spec.nice = kLightNice;
    spec.held = true;
    spec.only_forks = true;
    add_workers(scenario, 1, spec);
    WorkerSpec child;
    child.forked_by = static_cast<int>(forker);
    add_workers(scenario, static_cast<int>(node.cpus.size()) + 1, child);
    scenario.holds.push_back({kHeavyMs, forker, false});
    Recording recording = run_scenario(scenario, context);
    Result result = judge_blocked(recording, node,
                                  idle_while_waiting_limit_ms(context.topology.nr_cpus()), context);
    double began = count_per_node(recording.first_cpus, context.topology.nodes).back();
    result.metrics.push_back({"forked_on_idle_node", began, "tasks", Better::higher});
    std::string text = decimal(began) + " of " + std::to_string(node.cpus.size() + 1) +
                       " children began on the idle node";
    result.notes.push_back(text);
    // A kernel thread may run on one of its CPUs just then.
    double least = static_cast<double>(node.cpus.size()) - 1;
    if (began < least) result.fail(text + ", least " + decimal(least));
    return result;
}

// An idle node pulls for one of its CPUs at a time, so the last one waits for the others.
int moved_limit_ms(const Node& node, int nr_cpus) {
    int others = static_cast<int>(node.cpus.size()) - 1;
    return idle_while_waiting_limit_ms(nr_cpus) + others * longest_idle_interval_ms(nr_cpus);
}

Result run_moved(const Context& context) {
    require_whole_box(context);
    std::vector<Node> nodes = context.topology.cpu_nodes();
    const Node& node = blocked_node(nodes);
    int limit_ms = moved_limit_ms(node, context.topology.nr_cpus());
    if (limit_ms >= kFadedMs) throw Skip("too many CPUs: blocked load fades before they balance");
    const Node& from = nodes[nodes.size() - 2];
    Scenario scenario = heavy_scenario(node);
    fill_others(scenario, node, context.topology, -1, 0);
    size_t first = scenario.workers.size();
    WorkerSpec mover;
    mover.nice = kLightNice;
    mover.held = true;
    // They fall asleep on the other node, so they wake up there.
    for (size_t i = 0; i < node.cpus.size(); i++) {
        add_pinned_workers(scenario, {from.cpus[i % from.cpus.size()]}, mover);
    }
    CpuList both = from.cpus;
    both.insert(both.end(), node.cpus.begin(), node.cpus.end());
    std::sort(both.begin(), both.end());
    release_workers(scenario, kHeavyMs, first, node.cpus.size(), both);
    for (size_t i = 0; i < node.cpus.size(); i++) {
        scenario.holds.push_back({kHeavyMs, first + i, false});
    }
    return judge_blocked(run_scenario(scenario, context), node, limit_ms, context);
}

std::vector<Case> cases(const Topology&) {
    return {{"fork", "new tasks go to idle CPUs with blocked load", run_fork},
            {"moved", "waiting tasks are pulled by idle CPUs with blocked load", run_moved}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv, {"blocked_load", "blocked load does not keep tasks from idle CPUs", cases});
}
