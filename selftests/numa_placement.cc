// SPDX-License-Identifier: GPL-2.0
// numa_placement: NUMA placement and load balancing want the same.
//
// A task of nice -20 alone on a node, and on another one a task of nice 0 for each CPU, with its
// memory there. Then these may also run on the first node. Other nodes have one idle CPU each.
//
// Right:  tasks of the full node go to the idle CPUs of the other one until both run as many, but
//         for one, and stay there.
// Wrong:  the node of the heavy task looks overloaded, so NUMA placement brings each task back to
//         its memory that load balancing has just pulled away, and so on.
// Seen failing on: step 20 of the v5.4 series: numa-4x4, seeds 1 to 5, 46 or 47 changes of node;
//         numa-2x4 46 and smt-2x2x2 44 with seed 1; from step 21 on none. 5.4.286, seed 1: the full
//         node keeps all, since the one of the heavy task looks busier. 6.1.192 passes.
#include <climits>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/numa_memory.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kHeavyNice = -20;
// A task that NUMA placement fetches and the balancer pulls goes both ways ten times a second.
constexpr long kMostMoves = 4;
// With quick scans a task has a preferred node after about half a second.
constexpr int64_t kReleasedMs = 1000;
// Half of a run at most passes between that and what is judged.
constexpr int64_t kLeastRunMs = 3 * kReleasedMs;

// The last one of those nearest to HOME: CPU 0 keeps the time.
const Node& nearest_to(const Node& home, const std::vector<Node>& nodes) {
    const Node* nearest = nullptr;
    int least = INT_MAX;
    for (size_t i = 0; i < nodes.size(); i++) {
        if (nodes[i].id == home.id || home.distances[i] > least) continue;
        nearest = &nodes[i];
        least = home.distances[i];
    }
    return *nearest;
}

Result run_heavy_node(const Context& context) {
    require_whole_box(context);
    std::vector<Node> nodes = context.topology.cpu_nodes();
    if (nodes.size() < 2) throw Skip("needs 2 NUMA nodes");
    const Node& home = nodes[1];
    const Node& heavy = nearest_to(home, nodes);
    if (home.cpus.size() < 3 || heavy.cpus.size() < 3) throw Skip("needs nodes of 3 CPUs");
    require_numa_balancing();
    if (context.options.seconds * 1000 < kLeastRunMs) throw Skip("needs --seconds 3");
    QuickScans scans;
    Scenario scenario;
    scenario.run_ms = context.options.seconds * 1000;
    scenario.judged_from_ms =
        kReleasedMs + settle_ms(context.topology.nr_cpus(), static_cast<int>(scenario.run_ms));
    WorkerSpec spec;
    spec.body = burn_with_memory;
    add_pinned_workers(scenario, home.cpus, spec);
    spec.group = Group::background;
    spec.nice = kHeavyNice;
    add_pinned_workers(scenario, {heavy.cpus.back()}, spec);
    // Other nodes have room for nobody: with one idle CPU they are even with the full one.
    WorkerSpec hog;
    hog.group = Group::background;
    for (const Node& node : nodes) {
        if (node.id == home.id || node.id == heavy.id) continue;
        add_pinned_workers(scenario, CpuList(node.cpus.begin() + 1, node.cpus.end()), hog);
    }
    CpuList both = home.cpus;
    both.insert(both.end(), heavy.cpus.begin(), heavy.cpus.end());
    release_workers(scenario, kReleasedMs, 0, home.cpus.size(), both);
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    std::vector<double> all = all_tasks_per_node(recording, context);
    check_no_task_misplaced(result, all, result.tasks_per_node, context, kNodeSlack);
    check_node_moves(result, recording, context, home.cpus.size(), kMostMoves);
    check_idle_while_waiting(result, recording, context);
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"heavy_node", "tasks away from their memory stay where the balancer put them",
             run_heavy_node}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv,
        {"numa_placement", "NUMA placement does not undo what the load balancer does", cases});
}
