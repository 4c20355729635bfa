// SPDX-License-Identifier: GPL-2.0
#include "lib/analysis.h"

#include <gtest/gtest.h>

using namespace cfslb;

namespace {

constexpr int64_t kMs = 1000000;
constexpr int64_t kWindowMs = 10;

// Builds samples 10 ms apart. A row gives each worker's CPU (-1: has not run yet); RUNS says
// which of them made progress since the row before, SLEEPS which sleep now.
class Script {
  public:
    explicit Script(size_t workers) : samples(workers, 100), beats_(workers) {}
    Script& row(const std::vector<int>& cpus, const std::vector<bool>& runs = {},
                const std::vector<bool>& sleeps = {}) {
        int64_t time_ns = static_cast<int64_t>(samples.count()) * kWindowMs * kMs;
        WorkerSample* states = samples.append(time_ns);
        for (size_t w = 0; w < samples.workers(); w++) {
            bool runs_now = runs.empty() ? cpus[w] >= 0 : runs[w];
            beats_[w] += runs_now ? 100 : 0;
            states[w].beats = beats_[w];
            states[w].cpu = static_cast<int16_t>(cpus[w]);
            states[w].sleeping = !sleeps.empty() && sleeps[w];
        }
        return *this;
    }
    Samples samples;

  private:
    std::vector<uint64_t> beats_;
};

TrackedWorker anywhere() { return {true, 0, {{0, {}}}}; }
TrackedWorker pinned(int cpu) { return {true, 0, {{0, {cpu}}}}; }
TrackedWorker background(TrackedWorker worker) {
    worker.judged = false;
    return worker;
}
TrackedWorker realtime(TrackedWorker worker, int priority) {
    worker.realtime_priority = priority;
    return worker;
}

IdleWhileWaiting lost(const Script& script, const std::vector<TrackedWorker>& workers,
                      const CpuList& cpus = {0, 1}) {
    return idle_while_waiting(script.samples, workers, cpus, Span());
}

}  // namespace

TEST(IdleWhileWaiting, FoundWhenTwoShareACpuBesideAnIdleOne) {
    Script script(2);
    script.row({0, 0}).row({0, 0}).row({0, 0});
    IdleWhileWaiting found = lost(script, {anywhere(), anywhere()});
    EXPECT_DOUBLE_EQ(found.total_ms, 20);
    EXPECT_DOUBLE_EQ(found.longest_ms, 20);
    EXPECT_EQ(found.longest_cpu, 1);
}

TEST(IdleWhileWaiting, NoneWhenEveryCpuWorks) {
    Script script(3);
    script.row({0, 1, 1}).row({0, 1, 1});
    IdleWhileWaiting found = lost(script, {anywhere(), anywhere(), anywhere()});
    EXPECT_DOUBLE_EQ(found.total_ms, 0);
    EXPECT_EQ(found.longest_cpu, -1);
}

TEST(IdleWhileWaiting, NoneWhenNobodyWaits) {
    Script script(1);
    script.row({0}).row({0});
    EXPECT_DOUBLE_EQ(lost(script, {anywhere()}).total_ms, 0);
    EXPECT_DOUBLE_EQ(lost(script, {anywhere()}).longest_ms, 0);
}

TEST(IdleWhileWaiting, NoneWhenTheWaitersMayNotRunThere) {
    Script script(2);
    script.row({0, 0}).row({0, 0});
    EXPECT_DOUBLE_EQ(lost(script, {pinned(0), pinned(0)}).total_ms, 0);
    EXPECT_DOUBLE_EQ(lost(script, {pinned(0), anywhere()}).total_ms, 10);
}

TEST(IdleWhileWaiting, WidenedAffinityCountsFromItsTimeOn) {
    Script script(2);
    for (int i = 0; i < 5; i++) script.row({0, 0});
    TrackedWorker widened{true, 0, {{0, {0}}, {20 * kMs, {0, 1}}}};
    IdleWhileWaiting found = lost(script, {pinned(0), widened});
    EXPECT_DOUBLE_EQ(found.total_ms, 20);  // windows 20-30 and 30-40
}

TEST(IdleWhileWaiting, ActiveWorkerKeepsItsCpuBusyWithoutProgress) {
    // Worker 2 is on CPU 1 and starved by something that is not a worker.
    Script script(3);
    script.row({0, 0, 1}).row({0, 0, 1}, {true, true, false});
    EXPECT_DOUBLE_EQ(lost(script, {anywhere(), anywhere(), anywhere()}).total_ms, 0);
}

TEST(IdleWhileWaiting, StaleLocationEndsWithTheMove) {
    // Worker 1 runs on CPU 1 from the third sample on: that window has progress on CPU 1.
    Script script(2);
    script.row({0, 0}).row({0, 0}, {true, false}).row({0, 1}).row({0, 1});
    IdleWhileWaiting found = lost(script, {anywhere(), anywhere()});
    EXPECT_DOUBLE_EQ(found.total_ms, 10);
}

TEST(IdleWhileWaiting, CpuThatWasLeftDuringTheWindowWasNotIdle) {
    Script script(2);
    script.row({0, 1}).row({0, 0});
    EXPECT_DOUBLE_EQ(lost(script, {anywhere(), anywhere()}).total_ms, 0);
}

TEST(IdleWhileWaiting, SleepersNeitherWaitNorOccupy) {
    Script script(2);
    script.row({0, 0}, {}, {false, true}).row({0, 0}, {true, false}, {false, true});
    EXPECT_DOUBLE_EQ(lost(script, {anywhere(), anywhere()}).total_ms, 0);
    // The sleeper's CPU is idle, so two others that share one violate.
    Script three(3);
    three.row({0, 0, 1}, {}, {false, false, true})
        .row({0, 0, 1}, {true, true, false}, {false, false, true});
    EXPECT_DOUBLE_EQ(lost(three, {anywhere(), anywhere(), anywhere()}).total_ms, 10);
}

TEST(IdleWhileWaiting, SleeperAmongPinnedOnesIsNoWaiter) {
    // Two pinned workers share CPU 0; the third, which might run on CPU 1, sleeps there.
    Script script(3);
    script.row({0, 0, 0}, {}, {false, false, true})
        .row({0, 0, 0}, {}, {false, false, true})
        .row({0, 0, 0})   // woke within this window
        .row({0, 0, 0});  // and waits in this one
    EXPECT_DOUBLE_EQ(lost(script, {pinned(0), pinned(0), anywhere()}).longest_ms, 10);
}

TEST(IdleWhileWaiting, BurstOfASleeperKeepsItsNewCpuBusy) {
    // Worker 2 moved from CPU 2 to CPU 1, worked and sleeps again.
    Script script(3);
    script.row({0, 0, 2}, {}, {false, false, true})
        .row({0, 0, 1}, {true, true, true}, {false, false, true});
    EXPECT_DOUBLE_EQ(lost(script, {anywhere(), anywhere(), anywhere()}).longest_ms, 0);
}

TEST(IdleWhileWaiting, BurstOfASleeperKeepsItsCpuBusy) {
    Script script(3);
    script.row({0, 0, 1}, {}, {false, false, true})
        .row({0, 0, 1}, {true, true, true}, {false, false, true});
    EXPECT_DOUBLE_EQ(lost(script, {anywhere(), anywhere(), anywhere()}).total_ms, 0);
}

TEST(IdleWhileWaiting, OneThatNeverRanWaits) {
    Script script(2);
    script.row({0, -1}).row({0, -1});
    EXPECT_DOUBLE_EQ(lost(script, {pinned(0), anywhere()}).total_ms, 10);
    EXPECT_DOUBLE_EQ(lost(script, {pinned(0), pinned(0)}).total_ms, 0);
}

TEST(IdleWhileWaiting, TheRealtimeTaskRunsAndDoesNotWait) {
    Script script(2);
    script.row({0, 0}).row({0, 0}, {true, false});
    EXPECT_DOUBLE_EQ(lost(script, {realtime(anywhere(), 10), pinned(0)}).total_ms, 0);
    EXPECT_DOUBLE_EQ(lost(script, {realtime(pinned(0), 10), anywhere()}).total_ms, 10);
    // Two of the same priority: one of them waits.
    EXPECT_DOUBLE_EQ(lost(script, {realtime(anywhere(), 10), realtime(pinned(0), 10)}).total_ms,
                     10);
}

TEST(IdleWhileWaiting, TotalIsBoundedByTheTasksInExcess) {
    Script script(2);
    script.row({0, 0}).row({0, 0});
    IdleWhileWaiting found = lost(script, {anywhere(), anywhere()}, {0, 1, 2, 3});
    EXPECT_DOUBLE_EQ(found.total_ms, 10);  // three idle CPUs, one task too many
    EXPECT_EQ(found.longest_ms_per_cpu.size(), 3u);
    Script pile(4);
    pile.row({0, 0, 0, 0}).row({0, 0, 0, 0});
    std::vector<TrackedWorker> four(4, anywhere());
    EXPECT_DOUBLE_EQ(lost(pile, four, {0, 1, 2}).total_ms, 20);
}

TEST(IdleWhileWaiting, LongestRunIsUnbroken) {
    Script script(2);
    script.row({0, 0}).row({0, 0}).row({0, 0}).row({0, 1}).row({0, 0}).row({0, 0});
    IdleWhileWaiting found = lost(script, {anywhere(), anywhere()});
    EXPECT_DOUBLE_EQ(found.total_ms, 30);
    EXPECT_DOUBLE_EQ(found.longest_ms, 20);
}

TEST(IdleWhileWaiting, OnlyWindowsInsideTheSpan) {
    Script script(2);
    for (int i = 0; i < 6; i++) script.row({0, 0});
    std::vector<TrackedWorker> workers{anywhere(), anywhere()};
    Span span{20 * kMs, 40 * kMs};
    EXPECT_DOUBLE_EQ(idle_while_waiting(script.samples, workers, {0, 1}, span).total_ms, 20);
}

TEST(BoundedByIdleTime, CutsWhatTheKernelDidNotCountAsIdle) {
    IdleWhileWaiting raw;
    raw.total_ms = 300;
    raw.longest_ms = 200;
    raw.longest_cpu = 0;
    raw.longest_ms_per_cpu = {{0, 200}, {1, 100}};
    IdleWhileWaiting cut = bounded_by_idle_time(raw, {{0, 20}, {1, 500}}, 10);
    EXPECT_DOUBLE_EQ(cut.longest_ms, 100);
    EXPECT_EQ(cut.longest_cpu, 1);
    EXPECT_DOUBLE_EQ(cut.longest_ms_per_cpu[0], 30);
    EXPECT_DOUBLE_EQ(cut.total_ms, 300);  // 30 + 510 would allow more
    EXPECT_DOUBLE_EQ(bounded_by_idle_time(raw, {{0, 0}, {1, 0}}, 10).total_ms, 20);
    EXPECT_DOUBLE_EQ(bounded_by_idle_time(raw, {}, 10).longest_ms, 200);
}

TEST(MeanTasks, CountsActiveJudgedWorkers) {
    Script script(3);
    script.row({0, 1, 1}).row({0, 0, 1});
    std::vector<TrackedWorker> workers{anywhere(), anywhere(), background(anywhere())};
    EXPECT_EQ(mean_tasks_per_cpu(script.samples, workers, 2, Span(), Who::judged),
              (std::vector<double>{1.5, 0.5}));
    EXPECT_EQ(mean_tasks_per_cpu(script.samples, workers, 2, Span(), Who::all),
              (std::vector<double>{1.5, 1.5}));
}

TEST(MeanTasks, LeavesSleepersAndUnknownOut) {
    Script script(3);
    script.row({0, 1, -1}, {}, {false, true, false});
    std::vector<TrackedWorker> workers(3, anywhere());
    EXPECT_EQ(mean_tasks_per_cpu(script.samples, workers, 2, Span(), Who::all),
              (std::vector<double>{1, 0}));
}

TEST(MeanTasks, WithinTheSpan) {
    Script script(1);
    script.row({0}).row({1}).row({1});
    Span late{10 * kMs, INT64_MAX};
    EXPECT_EQ(mean_tasks_per_cpu(script.samples, {anywhere()}, 2, late, Who::all),
              (std::vector<double>{0, 1}));
    Span none{500 * kMs, INT64_MAX};
    EXPECT_EQ(mean_tasks_per_cpu(script.samples, {anywhere()}, 2, none, Who::all),
              (std::vector<double>{0, 0}));
}

TEST(PerNode, SumsItsCpus) {
    std::vector<Node> nodes{{0, {0, 2}, {}}, {1, {1, 3}, {}}, {2, {}, {}}};
    EXPECT_EQ(per_node({1, 2, 4, 8}, nodes), (std::vector<double>{5, 10}));
}

TEST(WorkShares, OfJudgedWorkersWithinTheSpan) {
    Script script(3);
    // Worker 0 runs in each window, worker 1 in every second one; worker 2 is not judged.
    script.row({0, 0, 1}, {true, true, true});
    for (int i = 0; i < 4; i++) script.row({0, 0, 1}, {true, i % 2 == 0, true});
    std::vector<TrackedWorker> workers{anywhere(), anywhere(), background(anywhere())};
    std::vector<double> shares = work_shares(script.samples, workers, Span());
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_NEAR(shares[0], 66.67, 0.01);
    EXPECT_NEAR(min_max_percent(shares), 50, 0.01);
    Span first{0, 10 * kMs};
    EXPECT_NEAR(min_max_percent(work_shares(script.samples, workers, first)), 100, 0.01);
}

TEST(WorkShares, EdgesOfMinMax) {
    EXPECT_DOUBLE_EQ(min_max_percent({}), 100);
    EXPECT_DOUBLE_EQ(min_max_percent({0, 0}), 0);
    EXPECT_DOUBLE_EQ(min_max_percent({0, 5}), 0);
    EXPECT_TRUE(work_shares(Samples(1, 1), {anywhere()}, Span()).empty());
}

TEST(ObservedMoves, CountsChangesOfCpu) {
    Script script(2);
    script.row({-1, 0}).row({0, 0}).row({1, 0}).row({1, 1}).row({0, 1});
    std::vector<TrackedWorker> workers{anywhere(), background(anywhere())};
    EXPECT_EQ(observed_moves(script.samples, workers, Span(), Who::judged), 2);
    EXPECT_EQ(observed_moves(script.samples, workers, Span(), Who::all), 3);
    Span late{30 * kMs, INT64_MAX};
    EXPECT_EQ(observed_moves(script.samples, workers, late, Who::all), 1);
}

TEST(Timeline, NewestSampleAtEachStep) {
    Script script(2);
    script.row({0, -1}).row({0, 1}).row({1, 1}).row({0, 0}).row({0, 1}, {}, {false, true});
    EXPECT_EQ(timeline(script.samples, 2, 20),
              (std::vector<std::vector<int>>{{1, 0}, {0, 2}, {1, 0}}));
    EXPECT_TRUE(timeline(Samples(1, 1), 2, 20).empty());
}

TEST(Timeline, RepeatsTheLastSampleWhenOnesAreLate) {
    Samples samples(1, 2);
    samples.append(0)[0].cpu = 0;
    samples.append(50 * kMs)[0].cpu = 1;
    EXPECT_EQ(timeline(samples, 2, 20), (std::vector<std::vector<int>>{{1, 0}, {1, 0}, {1, 0}}));
}
