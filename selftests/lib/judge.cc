// SPDX-License-Identifier: GPL-2.0
#include "judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "affinity.h"
#include "errors.h"
#include "limits.h"
#include "placement.h"

namespace cfslb {

namespace {

// Bursts that the tick (4 ms at 250 Hz) does not cut, long enough for the cost of the timers not to
// matter.
constexpr int kSleepers = 8;
constexpr int kSleeperNice = -7;
constexpr int64_t kSleeperRunUs = 2000;
constexpr int64_t kSleeperPeriodUs = 20000;

// The timeline keeps every second sample: enough for a picture, half of the file.
constexpr int64_t kTimelineStepMs = 2 * kSampleMs;

std::string joined(const std::vector<double>& values) {
    std::string text;
    for (double value : values) text += (text.empty() ? "" : " ") + decimal(value);
    return text;
}

// The nodes that are nearer to NODE than OTHER is, itself included: the balancer compares these as
// a whole before it looks at single ones.
struct Neighbours {
    double tasks = 0;
    double cpus = 0;
    std::string name;
};

Neighbours neighbours(const std::vector<double>& tasks, const std::vector<Node>& nodes, size_t node,
                      size_t other) {
    Neighbours found;
    int count = 0;
    const std::vector<int>& distances = nodes[node].distances;
    for (size_t n = 0; n < nodes.size(); n++) {
        if (n != node && (distances.empty() || distances[n] >= distances[other])) continue;
        found.tasks += tasks[n];
        found.cpus += static_cast<double>(nodes[n].cpus.size());
        found.name += " " + std::to_string(nodes[n].id);
        count++;
    }
    found.name = (count == 1 ? "node" + found.name + " runs " : "nodes" + found.name + " run ");
    return found;
}

// Reports WASTE_MS when the module counted it, and fails RESULT when it is over MOST_MS.
void judge_waste(Result& result, std::optional<double> waste_ms, std::optional<int> most_ms) {
    if (!waste_ms) {
        if (most_ms) throw Skip("needs cfslb.ko at level 2 and its files (--most-waste)");
        return;
    }
    result.metrics.push_back({"waste_ms", *waste_ms, "ms", Better::lower});
    result.notes.push_back("cfslb.ko counted " + decimal(*waste_ms) + " ms of waste");
    if (!most_ms || *waste_ms <= *most_ms) return;
    result.fail(decimal(*waste_ms) + " ms of waste, limit " + std::to_string(*most_ms) + " ms");
}

}  // namespace

void check_node_moves(Result& result, const Recording& recording, const Context& context,
                      size_t count, long most) {
    long moves = 0;
    for (size_t worker = 0; worker < count; worker++) {
        moves += node_moves_of(recording.samples, worker, context.topology, recording.judged);
    }
    result.metrics.push_back({"node_moves", static_cast<double>(moves), "count", Better::lower});
    std::string text =
        std::to_string(count) + " tasks changed nodes " + std::to_string(moves) + " times";
    result.notes.push_back(text);
    if (moves > most) result.fail(text + ", most " + std::to_string(most));
}

std::string decimal(double value) {
    char text[64];
    snprintf(text, sizeof(text), "%.2f", value);
    return text;
}

Result measured(const Recording& recording, const Context& context) {
    const Topology& topology = context.topology;
    Result result;
    const IdleWhileWaiting& idle = recording.lost;
    double fair =
        min_max_percent(work_shares(recording.samples, recording.workers, recording.judged));
    long moves = observed_moves(recording.samples, recording.workers, recording.judged, Who::all);
    result.metrics = {{"idle_while_waiting_ms", idle.total_ms, "ms", Better::lower},
                      {"longest_idle_while_waiting_ms", idle.longest_ms, "ms", Better::lower},
                      {"idle_pct", recording.idle_pct, "%", Better::lower},
                      {"work_min_max_pct", fair, "%", Better::higher},
                      {"moves", static_cast<double>(moves), "count", Better::none}};
    judge_waste(result, recording.waste_ms, context.options.most_waste_ms);
    result.tasks_per_cpu = mean_tasks_per_cpu(recording.samples, recording.workers,
                                              topology.cpu_limit(), recording.judged, Who::judged);
    result.tasks_per_node = per_node(result.tasks_per_cpu, topology.nodes);
    result.timeline_step_ms = kTimelineStepMs;
    result.timeline = timeline(recording.samples, topology.cpu_limit(), kTimelineStepMs);
    result.notes.push_back("tasks per node " + joined(result.tasks_per_node) + ", idle " +
                           decimal(recording.idle_pct) + " %, idle while waiting " +
                           decimal(idle.total_ms) + " ms, longest " + decimal(idle.longest_ms) +
                           " ms, least/most work " + decimal(fair) + " %, moves " +
                           std::to_string(moves));
    if (!recording.realtime_sampler) {
        result.notes.push_back("no SCHED_FIFO for the sampler: samples may come late");
    }
    if (!cpu_number_is_cheap()) {
        result.notes.push_back("reading the CPU number is a system call here");
    }
    return result;
}

void check_idle_while_waiting(Result& result, const Recording& recording, const Context& context) {
    check_idle_while_waiting(result, recording,
                             idle_while_waiting_limit_ms(context.topology.nr_cpus()));
}

void check_idle_while_waiting(Result& result, const Recording& recording, int limit_ms) {
    const IdleWhileWaiting& idle = recording.lost;
    if (idle.longest_ms <= limit_ms) return;
    result.fail("CPU " + std::to_string(idle.longest_cpu) + " idle for " +
                decimal(idle.longest_ms) + " ms while a task waited, limit " +
                std::to_string(limit_ms) + " ms");
}

EvenShare even_share(int tasks, int node_cpus, int nr_cpus) {
    double share = static_cast<double>(tasks) * node_cpus / nr_cpus;
    return {std::floor(share), std::ceil(share)};
}

std::string uneven_nodes(const std::vector<double>& per_node, const std::vector<Node>& nodes,
                         int tasks, double slack) {
    int nr_cpus = 0;
    for (const Node& node : nodes) nr_cpus += static_cast<int>(node.cpus.size());
    std::string text;
    for (size_t n = 0; n < nodes.size() && n < per_node.size(); n++) {
        EvenShare share = even_share(tasks, static_cast<int>(nodes[n].cpus.size()), nr_cpus);
        if (per_node[n] >= share.least - slack && per_node[n] <= share.most + slack) continue;
        text += (text.empty() ? "" : ", ") + ("node " + std::to_string(nodes[n].id)) + " has " +
                decimal(per_node[n]) + ", even is " + decimal(share.least) + " to " +
                decimal(share.most);
    }
    return text;
}

void check_even_nodes(Result& result, const std::string& what, const std::vector<double>& per_node,
                      const Context& context, int tasks, double slack) {
    std::string uneven = uneven_nodes(per_node, context.topology.cpu_nodes(), tasks, slack);
    if (!uneven.empty()) result.fail(what + ": " + uneven + " (+-" + decimal(slack) + ")");
}

std::string misplaced_task(const std::vector<double>& all, const std::vector<double>& movable,
                           const std::vector<Node>& nodes, double slack) {
    for (size_t from = 0; from < nodes.size(); from++) {
        if (movable[from] < 1 - slack) continue;
        for (size_t to = 0; to < nodes.size(); to++) {
            if (to == from) continue;
            Neighbours busy = neighbours(all, nodes, from, to);
            Neighbours idler = neighbours(all, nodes, to, from);
            if (busy.tasks / busy.cpus <=
                (idler.tasks + kNumaImbalance) / idler.cpus + slack / busy.cpus)
                continue;
            return busy.name + decimal(busy.tasks) + " tasks, " + idler.name + decimal(idler.tasks);
        }
    }
    return "";
}

void check_no_task_misplaced(Result& result, const std::vector<double>& all,
                             const std::vector<double>& movable, const Context& context,
                             double slack) {
    std::string misplaced = misplaced_task(all, movable, context.topology.cpu_nodes(), slack);
    if (!misplaced.empty()) result.fail(misplaced + " (+-" + decimal(slack) + ")");
}

std::vector<double> all_tasks_per_node(const Recording& recording, const Context& context) {
    return per_node(mean_tasks_per_cpu(recording.samples, recording.workers,
                                       context.topology.cpu_limit(), recording.judged, Who::all),
                    context.topology.nodes);
}

void require_whole_box(const Context& context) {
    CpuList mine = own_affinity();
    for (int cpu : context.topology.online) {
        if (contains(mine, cpu)) continue;
        throw Skip("needs all online CPUs " + format_cpu_list(context.topology.online) +
                   ", may run on " + format_cpu_list(mine));
    }
}

void require_cpus(const Context& context, int cpus) {
    if (context.topology.nr_cpus() >= cpus) return;
    throw Skip("needs " + std::to_string(cpus) + " CPUs, the box has " +
               std::to_string(context.topology.nr_cpus()));
}

void add_workers(Scenario& scenario, int count, const WorkerSpec& spec) {
    for (int i = 0; i < count; i++) scenario.workers.push_back(spec);
}

void add_pinned_workers(Scenario& scenario, const CpuList& cpus, WorkerSpec spec) {
    for (int cpu : cpus) {
        spec.affinity = {cpu};
        scenario.workers.push_back(spec);
    }
}

void add_sleepers_in_turns(Scenario& scenario, int cpu) {
    WorkerSpec spec;
    spec.group = Group::background;
    spec.affinity = {cpu};
    spec.nice = kSleeperNice;
    spec.run_us = kSleeperRunUs;
    spec.period_us = kSleeperPeriodUs;
    for (int i = 0; i < kSleepers; i++) {
        spec.start_us = kSleeperPeriodUs * i / kSleepers;
        scenario.workers.push_back(spec);
    }
}

void release_workers(Scenario& scenario, int64_t at_ms, size_t first, size_t count,
                     const CpuList& cpus) {
    for (size_t i = 0; i < count; i++) scenario.changes.push_back({at_ms, first + i, cpus});
}

void check_took_ms(Result& result, const std::string& metric, const std::string& what,
                   const std::optional<double>& took_ms, int limit_ms) {
    if (took_ms) result.metrics.push_back({metric, *took_ms, "ms", Better::lower});
    if (took_ms && *took_ms <= limit_ms) return;
    result.fail(what + (took_ms ? ": after " + decimal(*took_ms) + " ms" : ": not to the end") +
                ", limit " + std::to_string(limit_ms) + " ms");
}

}  // namespace cfslb
