// SPDX-License-Identifier: GPL-2.0
#include "lib/judge.h"

#include <gtest/gtest.h>

#include "lib/errors.h"
#include "lib/limits.h"

using namespace cfslb;

namespace {

std::vector<Node> nodes_of_4(int count) {
    std::vector<Node> nodes;
    for (int n = 0; n < count; n++) {
        nodes.push_back({n, {4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3}, {}});
    }
    return nodes;
}

Context box_of(int nodes) {
    Context context;
    context.topology.nodes = nodes_of_4(nodes);
    for (int cpu = 0; cpu < 4 * nodes; cpu++) {
        Cpu c;
        c.id = cpu;
        context.topology.cpus.push_back(c);
        context.topology.online.push_back(cpu);
    }
    return context;
}

Recording recording_with(double longest_ms) {
    Recording recording{Samples(0, 1), {}, {}, {}, {}, 0, 0, true, {}, {}, {}, {}};
    recording.lost.longest_ms = longest_ms;
    recording.lost.longest_cpu = 3;
    return recording;
}

}  // namespace

TEST(EvenShare, RoundsDownAndUp) {
    EXPECT_EQ(even_share(12, 4, 16).least, 3);
    EXPECT_EQ(even_share(12, 4, 16).most, 3);
    EXPECT_EQ(even_share(15, 4, 16).least, 3);
    EXPECT_EQ(even_share(15, 4, 16).most, 4);
}

TEST(UnevenNodes, NamesTheOnesOutside) {
    EXPECT_EQ(uneven_nodes({3, 3.4, 2.6, 3}, nodes_of_4(4), 12, 0.5), "");
    std::string text = uneven_nodes({3, 2, 4, 3}, nodes_of_4(4), 12, 0.5);
    EXPECT_NE(text.find("node 1 has 2.00"), std::string::npos);
    EXPECT_NE(text.find("node 2 has 4.00"), std::string::npos);
    EXPECT_EQ(text.find("node 0"), std::string::npos);
    EXPECT_EQ(uneven_nodes({4.95, 5.69, 4.59, 4.78}, nodes_of_4(4), 20, 1.0), "");
}

TEST(UnevenNodes, SharesFollowTheNodesSize) {
    std::vector<Node> nodes{{0, {0, 1, 2, 3, 4, 5}, {}}, {1, {6, 7}, {}}};
    EXPECT_EQ(uneven_nodes({3, 1}, nodes, 4, 0.1), "");
    EXPECT_NE(uneven_nodes({2, 2}, nodes, 4, 0.1), "");
}

TEST(CheckEvenNodes, FailsTheResult) {
    Result result;
    check_even_nodes(result, "tasks", {3, 3, 3, 3}, box_of(4), 12, kNodeSlack);
    EXPECT_EQ(result.verdict, Verdict::pass);
    check_even_nodes(result, "tasks", {3, 2, 4, 3}, box_of(4), 12, kNodeSlack);
    EXPECT_EQ(result.verdict, Verdict::fail);
    EXPECT_NE(result.reason.find("tasks: node 1"), std::string::npos);
}

TEST(MisplacedTask, NamesAMoveThatWouldHelp) {
    std::vector<double> two_more{4, 2, 4, 3};
    EXPECT_EQ(misplaced_task(two_more, two_more, nodes_of_4(4), 0.5), "");
    std::vector<double> three_more{4, 1, 4, 3};
    EXPECT_EQ(misplaced_task(three_more, three_more, nodes_of_4(4), 0.5),
              "node 0 runs 4.00 tasks, node 1 runs 1.00");
    // The same totals, but what is too much cannot move: real-time tasks.
    EXPECT_EQ(misplaced_task({4, 1, 3, 3}, {0, 1, 3, 3}, nodes_of_4(4), 0.5), "");
}

TEST(MisplacedTask, CountsPerCpu) {
    std::vector<Node> nodes{{0, {0, 1, 2, 3, 4, 5}, {}}, {1, {6, 7}, {}}};
    EXPECT_EQ(misplaced_task({6, 2}, {6, 2}, nodes, 0.5), "");
    EXPECT_EQ(misplaced_task({4, 4}, {4, 4}, nodes, 0.5),
              "node 1 runs 4.00 tasks, node 0 runs 4.00");
}
TEST(MisplacedTask, FarNodesStandForTheirNeighbours) {
    std::vector<Node> nodes = nodes_of_4(4);
    nodes[0].distances = {10, 12, 20, 20};
    nodes[1].distances = {12, 10, 20, 20};
    nodes[2].distances = {20, 20, 10, 12};
    nodes[3].distances = {20, 20, 12, 10};
    // Real-time tasks on node 3: the halves are even, though node 2 runs three fewer than node 0.
    EXPECT_EQ(misplaced_task({4, 3, 1, 4}, {4, 3, 1, 0}, nodes, 0.5), "");
    EXPECT_EQ(misplaced_task({4, 3, 0, 4}, {4, 3, 0, 0}, nodes, 0.5),
              "nodes 0 1 run 7.00 tasks, nodes 2 3 run 4.00");
    EXPECT_EQ(misplaced_task({4, 1, 2, 3}, {4, 1, 2, 3}, nodes, 0.5),
              "node 0 runs 4.00 tasks, node 1 runs 1.00");
}

TEST(CheckNoTaskMisplaced, FailsTheResult) {
    Result result;
    check_no_task_misplaced(result, {4, 2, 4, 3}, {4, 2, 4, 3}, box_of(4), kNodeSlack);
    EXPECT_EQ(result.verdict, Verdict::pass);
    check_no_task_misplaced(result, {4, 1, 4, 4}, {4, 1, 4, 4}, box_of(4), kNodeSlack);
    EXPECT_EQ(result.verdict, Verdict::fail);
}

TEST(CheckIdleWhileWaiting, OnlyBeyondTheLimit) {
    Context context = box_of(4);
    int limit = idle_while_waiting_limit_ms(16);
    EXPECT_EQ(limit, 128);
    Result result;
    check_idle_while_waiting(result, recording_with(limit), context);
    EXPECT_EQ(result.verdict, Verdict::pass);
    check_idle_while_waiting(result, recording_with(limit + 1), context);
    EXPECT_EQ(result.verdict, Verdict::fail);
    EXPECT_NE(result.reason.find("CPU 3"), std::string::npos);
}

TEST(Limits, ScaleWithTheBox) {
    EXPECT_EQ(idle_while_waiting_limit_ms(2), 100);
    EXPECT_EQ(idle_while_waiting_limit_ms(64), 512);
    EXPECT_EQ(settle_ms(16, 4000), 500);
    EXPECT_EQ(settle_ms(32, 4000), 1536);
    EXPECT_EQ(settle_ms(64, 4000), 2000);
    EXPECT_EQ(settle_ms(64, 14000), 6144);
    EXPECT_EQ(settle_ms(160, 4000), 2000);
    EXPECT_EQ(settle_ms(160, 2000), 1000);
    EXPECT_EQ(after_confinement_limit_ms(16, kConfinedMs), 228);
    EXPECT_EQ(after_confinement_limit_ms(16, 2000), kMaxPinnedIntervalMs + 128);
    EXPECT_EQ(after_pinned_limit_ms(16), kMaxPinnedIntervalMs + 128);
    EXPECT_EQ(busy_interval_ms(8), 128);
    EXPECT_EQ(overloaded_slack(5, 1), 1);
    EXPECT_DOUBLE_EQ(overloaded_slack(10, 3), 2.55);
}

TEST(Requirements, NameWhatIsMissing) {
    Context context = box_of(1);
    EXPECT_NO_THROW(require_cpus(context, 4));
    EXPECT_THROW(require_cpus(context, 5), Skip);
    context.topology.online.push_back(kMaxCpus - 1);
    EXPECT_THROW(require_whole_box(context), Skip);
}

Recording two_workers() {
    return {
        Samples(2, 3), std::vector<TrackedWorker>(2), {}, {}, {}, 1.5, 0.3, true, {}, {}, {}, {}};
}

TEST(Measured, ReportsWhatWasRecorded) {
    Context context = box_of(1);
    Recording recording = two_workers();
    for (int k = 0; k < 3; k++) {
        WorkerSample* row = recording.samples.append(k * 10000000LL);
        for (int w = 0; w < 2; w++) {
            row[w].cpu = static_cast<int16_t>(w);
            row[w].beats = static_cast<uint64_t>(k * (w + 1));
        }
    }
    recording.lost.total_ms = 7;
    Result result = measured(recording, context);
    EXPECT_EQ(result.verdict, Verdict::pass);
    EXPECT_EQ(result.tasks_per_cpu, (std::vector<double>{1, 1, 0, 0}));
    EXPECT_EQ(result.tasks_per_node, (std::vector<double>{2}));
    ASSERT_EQ(result.metrics.size(), 5u);
    EXPECT_EQ(result.metrics[0].value, 7);
    EXPECT_EQ(result.metrics[2].value, 1.5);
    EXPECT_EQ(result.metrics[3].value, 50);
    EXPECT_EQ(result.timeline.size(), 2u);
    EXPECT_EQ(result.timeline_step_ms, 20);
}

TEST(Measured, WasteOfTheModule) {
    Context context = box_of(1);
    Recording recording = two_workers();
    context.options.most_waste_ms = 20;
    EXPECT_THROW(measured(recording, context), Skip);
    recording.waste_ms = 20;
    Result result = measured(recording, context);
    EXPECT_EQ(result.verdict, Verdict::pass);
    EXPECT_EQ(result.metrics.back().name, "waste_ms");
    EXPECT_EQ(result.metrics.back().value, 20);
    recording.waste_ms = 20.5;
    EXPECT_EQ(measured(recording, context).reason, "20.50 ms of waste, limit 20 ms");
    context.options.most_waste_ms.reset();
    EXPECT_EQ(measured(recording, context).verdict, Verdict::pass);
}

TEST(CheckTookMs, FailsWhenLateOrNever) {
    Result result;
    check_took_ms(result, "filled_ms", "CPU 3 stays idle", 100, 100);
    EXPECT_EQ(result.verdict, Verdict::pass);
    ASSERT_EQ(result.metrics.size(), 1u);
    EXPECT_EQ(result.metrics[0].value, 100);
    check_took_ms(result, "filled_ms", "CPU 3 stays idle", 100.5, 100);
    EXPECT_EQ(result.reason, "CPU 3 stays idle: after 100.50 ms, limit 100 ms");
    Result never;
    check_took_ms(never, "filled_ms", "CPU 3 stays idle", std::nullopt, 100);
    EXPECT_EQ(never.reason, "CPU 3 stays idle: not to the end, limit 100 ms");
    EXPECT_TRUE(never.metrics.empty());
}

TEST(AddPinnedWorkers, OnePerCpuAndReleased) {
    Scenario scenario;
    add_workers(scenario, 1, WorkerSpec());
    add_pinned_workers(scenario, {2, 3, 3}, WorkerSpec());
    ASSERT_EQ(scenario.workers.size(), 4u);
    EXPECT_TRUE(scenario.workers[0].affinity.empty());
    EXPECT_EQ(scenario.workers[3].affinity, (CpuList{3}));
    release_workers(scenario, 50, 1, 2, {0, 1});
    ASSERT_EQ(scenario.changes.size(), 2u);
    EXPECT_EQ(scenario.changes[1].worker, 2u);
    EXPECT_EQ(scenario.changes[1].at_ms, 50);
}
