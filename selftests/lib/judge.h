// SPDX-License-Identifier: GPL-2.0
// From a recording to metrics and a verdict. Drivers pick the checks that their behaviour needs.
#ifndef CFSLB_JUDGE_H
#define CFSLB_JUDGE_H

#include <optional>
#include <string>
#include <vector>

#include "driver.h"
#include "result.h"
#include "scenario.h"

namespace cfslb {

// The figures that every case reports: idle time, the invariant, work shares, moves, tasks per
// node and CPU, the timeline. The verdict is "pass" so far.
Result measured(const Recording& recording, const Context& context);

// Fails RESULT when a CPU stayed idle while a task waited for longer than
// idle_while_waiting_limit_ms() in one stretch.
void check_idle_while_waiting(Result& result, const Recording& recording, const Context& context);
// The same with a limit of the caller's.
void check_idle_while_waiting(Result& result, const Recording& recording, int limit_ms);

// Fewest and most tasks that a node of NODE_CPUS out of NR_CPUS holds when TASKS are spread
// evenly: the share rounded down and up.
struct EvenShare {
    double least = 0;
    double most = 0;
};
EvenShare even_share(int tasks, int node_cpus, int nr_cpus);

// Text that names every node whose mean lies outside its even share by more than SLACK tasks;
// empty when there is none. PER_NODE and NODES (those with CPUs) run in parallel.
std::string uneven_nodes(const std::vector<double>& per_node, const std::vector<Node>& nodes,
                         int tasks, double slack);

// Fails RESULT when uneven_nodes() names any. WHAT says whose mean PER_NODE is.
void check_even_nodes(Result& result, const std::string& what, const std::vector<double>& per_node,
                      const Context& context, int tasks, double slack);

// Text that names two nodes of which one runs over kNumaImbalance tasks more than the other, scaled
// to their CPUs, and could give one away; empty when there are none. Where nodes differ in
// distance, each stands for those nearer to it than the other one is. ALL counts every task on a
// node, MOVABLE those that the balancer may move, both means in parallel with NODES. SLACK is in
// tasks: means blur by that much.
std::string misplaced_task(const std::vector<double>& all, const std::vector<double>& movable,
                           const std::vector<Node>& nodes, double slack);

// Fails RESULT when misplaced_task() names any.
void check_no_task_misplaced(Result& result, const std::vector<double>& all,
                             const std::vector<double>& movable, const Context& context,
                             double slack);

// Means over the nodes of every worker, whichever its group; result.tasks_per_node has the judged
// ones only.
std::vector<double> all_tasks_per_node(const Recording& recording, const Context& context);

// Skips (throws Skip) unless this process may run on every online CPU.
void require_whole_box(const Context& context);
void require_cpus(const Context& context, int cpus);

// COUNT specs alike.
void add_workers(Scenario& scenario, int count, const WorkerSpec& spec);

// One worker pinned to each of CPUS.
void add_pinned_workers(Scenario& scenario, const CpuList& cpus, WorkerSpec spec);

// Background tasks pinned to CPU that take 80 % of it together, one after the other: while one runs
// the others sleep. Their load is 0.8 of a weight of 4904, nearly that of four tasks of nice 0;
// what runnable load counts of it, that of the one that runs, is an eighth, 490.
void add_sleepers_in_turns(Scenario& scenario, int cpu);

// Adds a change that lets workers FIRST to FIRST + COUNT - 1 run on CPUS from AT_MS on.
void release_workers(Scenario& scenario, int64_t at_ms, size_t first, size_t count,
                     const CpuList& cpus);

// Adds a metric in ms, lower is better, of how long something took; fails RESULT with
// "WHAT: after TOOK_MS ms" when that is over LIMIT_MS or, without a value, it never happened.
void check_took_ms(Result& result, const std::string& metric, const std::string& what,
                   const std::optional<double>& took_ms, int limit_ms);

// Adds a metric of how often workers 0 to COUNT - 1 changed nodes in the judged part, lower is
// better; fails RESULT when that is over MOST.
void check_node_moves(Result& result, const Recording& recording, const Context& context,
                      size_t count, long most);

// VALUE with two decimals.
std::string decimal(double value);

}  // namespace cfslb

#endif
