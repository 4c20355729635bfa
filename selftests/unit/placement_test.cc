// SPDX-License-Identifier: GPL-2.0
#include "lib/placement.h"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace cfslb;

namespace {

constexpr int64_t kMs = 1000000;

// Rows 10 ms apart; each worker's CPU, or kAsleep + CPU for a sleeping one.
constexpr int kAsleep = 100;

Samples rows(const std::vector<std::vector<int>>& cpus) {
    Samples samples(cpus.front().size(), cpus.size());
    for (size_t k = 0; k < cpus.size(); k++) {
        WorkerSample* row = samples.append(static_cast<int64_t>(k) * 10 * kMs);
        for (size_t w = 0; w < cpus[k].size(); w++) {
            row[w].sleeping = cpus[k][w] >= kAsleep;
            row[w].cpu = static_cast<int16_t>(cpus[k][w] % kAsleep);
        }
    }
    return samples;
}

Topology two_nodes_of_2() {
    Topology t;
    for (int id = 0; id < 4; id++) {
        Cpu cpu;
        cpu.id = id;
        cpu.node = id / 2;
        t.cpus.push_back(cpu);
        t.online.push_back(id);
    }
    t.nodes = {{0, {0, 1}, {10, 20}}, {1, {2, 3}, {20, 10}}};
    return t;
}

}  // namespace

TEST(WeightOfNice, IsTheKernelsTable) {
    EXPECT_EQ(weight_of_nice(-20), 88761);
    EXPECT_EQ(weight_of_nice(-5), 3121);
    EXPECT_EQ(weight_of_nice(0), 1024);
    EXPECT_EQ(weight_of_nice(19), 15);
    EXPECT_THROW(weight_of_nice(20), std::out_of_range);
    EXPECT_THROW(weight_of_nice(-21), std::out_of_range);
}

TEST(MeanWeight, SumsActiveWorkers) {
    Samples samples = rows({{0, 1, kAsleep + 1}, {0, 0, 1}});
    EXPECT_EQ(mean_weight_per_cpu(samples, {10, 20, 40}, 2, Span()), (std::vector<double>{20, 30}));
    Span none{500 * kMs, INT64_MAX};
    EXPECT_EQ(mean_weight_per_cpu(samples, {10, 20, 40}, 2, none), (std::vector<double>{0, 0}));
}

TEST(MsUntilOn, CountsFromTheGivenTime) {
    Samples samples = rows({{2}, {0}, {kAsleep + 2}, {2}});
    EXPECT_EQ(ms_until_on(samples, 0, {2, 3}, 0), 0);
    EXPECT_EQ(ms_until_on(samples, 0, {2, 3}, 5 * kMs), 25);  // asleep there does not count
    EXPECT_EQ(ms_until_on(samples, 0, {1}, 0), std::nullopt);
}

TEST(MsUntilAllBusy, NeedsEveryCpuAtOnce) {
    Samples samples = rows({{0, 0}, {1, 1}, {0, 1}});
    EXPECT_EQ(ms_until_all_busy(samples, {0, 1}, 0), 20);
    EXPECT_EQ(ms_until_all_busy(samples, {0}, 0), 0);
    EXPECT_EQ(ms_until_all_busy(samples, {0, 1, 2}, 0), std::nullopt);
}

TEST(PercentOn, OfActiveSamples) {
    Samples samples = rows({{0, 2}, {2, kAsleep + 2}, {2, 2}, {0, kAsleep}});
    EXPECT_DOUBLE_EQ(percent_on(samples, {0}, {2, 3}, Span()), 50);
    EXPECT_DOUBLE_EQ(percent_on(samples, {1}, {2, 3}, Span()), 100);
    EXPECT_DOUBLE_EQ(percent_on(samples, {0, 1}, {2}, Span()), 100 * 4.0 / 6);
    EXPECT_DOUBLE_EQ(percent_on(samples, {}, {2}, Span()), 0);
}

TEST(PercentBeside, OnlyBesideActiveHosts) {
    Samples samples = rows({{0, 0}, {0, 1}, {0, kAsleep}, {kAsleep, 0}});
    EXPECT_NEAR(percent_beside(samples, {0}, {1}, Span()), 100.0 / 3, 0.01);
    EXPECT_DOUBLE_EQ(percent_beside(samples, {0}, {}, Span()), 0);
    Span first{0, 0};
    EXPECT_DOUBLE_EQ(percent_beside(samples, {0}, {1}, first), 100);
}

TEST(PercentTogether, OnTheSameNode) {
    Samples samples = rows({{0, 1}, {0, 2}, {3, 2}, {kAsleep, 1}});
    EXPECT_DOUBLE_EQ(percent_together(samples, 0, 1, two_nodes_of_2(), Span()), 75);
    EXPECT_DOUBLE_EQ(percent_together(Samples(2, 1), 0, 1, two_nodes_of_2(), Span()), 0);
}

TEST(MovesOf, OneWorkerWithinTheSpan) {
    Samples samples = rows({{0, 0}, {1, 0}, {1, 1}, {0, 0}});
    EXPECT_EQ(moves_of(samples, 0, Span()), 2);
    EXPECT_EQ(moves_of(samples, 0, Span{10 * kMs, INT64_MAX}), 1);
}

TEST(OnBefore, OnlyUntilTheOtherCame) {
    Samples samples = rows({{0, 0, 0}, {0, kAsleep + 2, 0}, {3, 2, 0}, {3, 2, 2}});
    EXPECT_TRUE(on_before(samples, 1, 0, {2, 3}));
    EXPECT_FALSE(on_before(samples, 2, 0, {2, 3}));
    EXPECT_FALSE(on_before(samples, 0, 0, {2, 3}));
    EXPECT_TRUE(on_before(samples, 0, 2, {2, 3}));
}

TEST(NodeMovesOf, OneWorkerWithinTheSpan) {
    Samples samples = rows({{0}, {1}, {2}, {kAsleep + 3}, {1}});
    EXPECT_EQ(node_moves_of(samples, 0, two_nodes_of_2(), Span()), 2);
    EXPECT_EQ(node_moves_of(samples, 0, two_nodes_of_2(), Span{20 * kMs, INT64_MAX}), 1);
}

TEST(CountPerNode, LeavesUnknownOut) {
    std::vector<Node> nodes = two_nodes_of_2().nodes;
    nodes.push_back({2, {}, {}});
    EXPECT_EQ(count_per_node({0, -1, 1, 2, 0}, nodes), (std::vector<double>{3, 1}));
}
