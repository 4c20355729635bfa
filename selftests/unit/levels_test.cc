// SPDX-License-Identifier: GPL-2.0
#include "lib/levels.h"

#include <gtest/gtest.h>

using namespace cfslb;

namespace {

CpuList first_cpus(int count) {
    CpuList cpus;
    for (int cpu = 0; cpu < count; cpu++) cpus.push_back(cpu);
    return cpus;
}

}  // namespace

TEST(Gaps, OneForEachLevel) {
    std::vector<Domain> domains{{"MC", {"SD_PREFER_SIBLING"}, {4, 5, 6, 7}},
                                {"NUMA", {"SD_NUMA"}, first_cpus(8)},
                                {"NUMA", {"SD_NUMA"}, first_cpus(16)}};
    std::vector<Gap> gaps = gaps_of(4, domains);
    ASSERT_EQ(gaps.size(), 3u);
    EXPECT_EQ(gaps[0].name, "mc_4");
    EXPECT_EQ(gaps[0].p, 7);
    EXPECT_EQ(gaps[0].group_cpus, 1);
    EXPECT_FALSE(gaps[0].spreads);
    EXPECT_EQ(gaps[1].name, "numa_8");
    EXPECT_EQ(gaps[1].p, 3);
    EXPECT_EQ(gaps[1].group_cpus, 4);
    EXPECT_TRUE(gaps[1].spreads);
    EXPECT_EQ(gaps[2].name, "numa_16");
    EXPECT_EQ(gaps[2].q, 4);
    EXPECT_EQ(gaps[2].p, 15);
    EXPECT_FALSE(gaps[2].spreads);
}

TEST(Gaps, LeavesLevelsOutThatAddNothing) {
    EXPECT_TRUE(gaps_of(0, {}).empty());
    EXPECT_TRUE(gaps_of(0, {{"MC", {}, {}}}).empty());
    std::vector<Gap> gaps = gaps_of(0, {{"", {}, {0, 1}}, {"DIE", {}, {0, 1}}});
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_EQ(gaps[0].name, "level0_2");
}

TEST(NumaLevels, DistancesBetweenNodesWithCpus) {
    Topology topology;
    EXPECT_EQ(numa_levels(topology), 0);
    topology.nodes = {
        {0, {0}, {10, 12, 17, 40}}, {1, {1}, {12, 10, 17, 40}}, {2, {2}, {17, 17, 10, 40}}};
    topology.nodes.push_back({3, {}, {40, 40, 40, 10}});  // memory only
    EXPECT_EQ(numa_levels(topology), 2);
}

TEST(ReachedByFork, UpToTheReclaimDistance) {
    Topology t;
    t.nodes = {{0, {0}, {10, 30, 31}}, {1, {1}, {30, 10, 31}}, {2, {2}, {31, 31, 10}}};
    EXPECT_TRUE(reached_by_fork(t, 0, 1));
    EXPECT_FALSE(reached_by_fork(t, 0, 2));
}

TEST(NodesJoinedByFork, TheLastWithANeighbour) {
    Topology t;
    t.nodes = {{0, {0, 1}, {10, 20, 40}}, {1, {2, 3}, {20, 10, 40}}, {2, {4, 5}, {40, 40, 10}}};
    std::optional<TwoNodes> nodes = nodes_joined_by_fork(t);
    ASSERT_TRUE(nodes);
    EXPECT_EQ(nodes->home.id, 1);
    EXPECT_EQ(nodes->other.id, 0);
    t.nodes[0].cpus = {0};
    EXPECT_FALSE(nodes_joined_by_fork(t));
    EXPECT_FALSE(nodes_joined_by_fork(Topology()));
}

TEST(CpuSizes, LeastAndMostCapacity) {
    Topology t;
    for (int capacity : {446, 700, 1024, 446, 1024}) {
        Cpu cpu;
        cpu.id = static_cast<int>(t.cpus.size());
        cpu.capacity = capacity;
        t.cpus.push_back(cpu);
    }
    std::optional<CpuSizes> sizes = cpu_sizes(t);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->little, (CpuList{0, 3}));
    EXPECT_EQ(sizes->big, (CpuList{2, 4}));
    t.cpus.resize(1);
    EXPECT_FALSE(cpu_sizes(t));
    EXPECT_FALSE(cpu_sizes(Topology()));
}
