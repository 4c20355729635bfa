// SPDX-License-Identifier: GPL-2.0
#include "lib/pairs.h"

#include <gtest/gtest.h>

using namespace cfslb;

namespace {

// NODES nodes of CORES cores of THREADS threads, numbered thread first; all equally far.
Topology box(int nodes, int cores, int threads) {
    Topology t;
    for (int n = 0; n < nodes; n++) {
        Node node;
        node.id = n;
        node.distances.assign(static_cast<size_t>(nodes), 20);
        node.distances[static_cast<size_t>(n)] = 10;
        for (int c = 0; c < cores; c++) {
            int first = (n * cores + c) * threads;
            for (int i = 0; i < threads; i++) {
                Cpu cpu;
                cpu.id = first + i;
                cpu.node = n;
                for (int s = 0; s < threads; s++) cpu.threads.push_back(first + s);
                t.cpus.push_back(cpu);
                t.online.push_back(cpu.id);
                node.cpus.push_back(cpu.id);
            }
        }
        t.nodes.push_back(node);
    }
    return t;
}

void expect_pairs(const std::optional<Pairs>& pairs, int a, int b, int q, int p) {
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->start, (CpuList{a, b}));
    EXPECT_EQ(pairs->q, q);
    EXPECT_EQ(pairs->p, p);
}

}  // namespace

TEST(Pairs, CrossNodeAsMeasured) {
    std::optional<Pairs> pairs = pairs_cross_node(box(4, 4, 1));
    expect_pairs(pairs, 2, 3, 4, 5);
    EXPECT_EQ(pairs->start, (CpuList{2, 3}));
    EXPECT_EQ(pairs->widened(), (CpuList{2, 3, 4, 5}));
}

TEST(Pairs, CrossNodeTakesTheNearest) {
    Topology t = box(3, 4, 1);
    t.nodes[0].distances = {10, 30, 20};
    expect_pairs(pairs_cross_node(t), 2, 3, 8, 9);
}

TEST(Pairs, CrossNodeSkipsSmallNodes) {
    Topology t = box(3, 2, 1);
    t.nodes[1].cpus = {2};
    expect_pairs(pairs_cross_node(t), 0, 1, 4, 5);
    EXPECT_FALSE(pairs_cross_node(box(1, 8, 1)));
    EXPECT_FALSE(pairs_cross_node(box(4, 1, 1)));
}

TEST(Pairs, SameNodeAvoidsCpu0) {
    expect_pairs(pairs_same_node(box(4, 4, 1)), 4, 5, 6, 7);
    expect_pairs(pairs_same_node(box(1, 8, 1)), 4, 5, 6, 7);
    expect_pairs(pairs_same_node(box(1, 4, 1)), 0, 1, 2, 3);
    EXPECT_FALSE(pairs_same_node(box(2, 2, 1)));
}

TEST(Pairs, SameNodeTakesOneThreadPerCore) {
    expect_pairs(pairs_same_node(box(2, 4, 2)), 8, 10, 12, 14);
    EXPECT_FALSE(pairs_same_node(box(2, 2, 2)));
}

TEST(Pairs, SmtTakesTwoCoresOfANode) {
    expect_pairs(pairs_smt(box(2, 2, 2)), 4, 5, 6, 7);
    expect_pairs(pairs_smt(box(2, 2, 4)), 8, 9, 12, 13);
    expect_pairs(pairs_smt(box(1, 4, 2)), 4, 5, 6, 7);
    EXPECT_FALSE(pairs_smt(box(4, 4, 1)));
    EXPECT_FALSE(pairs_smt(box(4, 1, 2)));
}

TEST(WholeNodes, ANodeAndTheFirstTwoCpusOfItsNeighbour) {
    std::optional<Pairs> pairs = whole_nodes(box(4, 4, 1));
    ASSERT_TRUE(pairs);
    EXPECT_EQ(pairs->start, (CpuList{0, 1, 2, 3}));
    EXPECT_EQ(pairs->widened(), (CpuList{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(pairs->q, 4);
    EXPECT_FALSE(whole_nodes(box(1, 8, 1)));
}

TEST(Pairs, SamplerStaysAway) {
    EXPECT_EQ(cpu_away_from(box(4, 4, 1), {2, 3, 4, 5}), 15);
    EXPECT_EQ(cpu_away_from(box(2, 4, 1), {2, 3, 4, 5}), 7);
    EXPECT_EQ(cpu_away_from(box(2, 4, 1), {4, 5, 6, 7}), 3);
    EXPECT_EQ(cpu_away_from(box(2, 2, 1), {0, 1, 2, 3}), -1);
}
