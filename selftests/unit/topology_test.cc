// SPDX-License-Identifier: GPL-2.0
#include "lib/topology.h"

#include <gtest/gtest.h>

#include "fixture.h"
#include "lib/errors.h"

using namespace cfslb;

namespace {

// Two nodes of one socket each: 2 cores, 2 threads a core; CPUs 0-3 and 4-7.
class TwoSockets : public testing::Test {
  protected:
    void SetUp() override {
        tree.file("/sys/devices/system/cpu/online", "0-7\n");
        for (int cpu = 0; cpu < 8; cpu++) add_cpu(cpu);
        for (int node = 0; node < 2; node++) {
            std::string dir = "/sys/devices/system/node/node" + std::to_string(node);
            tree.file(dir + "/cpulist", node ? "4-7\n" : "0-3\n");
            tree.file(dir + "/distance", node ? "21 10\n" : "10 21\n");
        }
    }
    void add_cpu(int cpu) {
        std::string dir = "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
        int core = cpu / 2 * 2;
        std::string package = cpu < 4 ? "0-3\n" : "4-7\n";
        std::string threads = std::to_string(core) + "-" + std::to_string(core + 1) + "\n";
        tree.file(dir + "/topology/physical_package_id", cpu < 4 ? "0\n" : "1\n");
        tree.file(dir + "/topology/core_id", std::to_string(cpu % 4 / 2) + "\n");
        tree.file(dir + "/topology/thread_siblings_list", threads);
        tree.file(dir + "/topology/core_siblings_list", package);
        tree.file(dir + "/cache/index0/level", "1\n");
        tree.file(dir + "/cache/index0/shared_cpu_list", threads);
        tree.file(dir + "/cache/index3/level", "3\n");
        tree.file(dir + "/cache/index3/shared_cpu_list", package);
    }
    TempTree tree;
};

}  // namespace

TEST_F(TwoSockets, ReadsNodesAndDistances) {
    Topology t = read_topology(tree.root());
    EXPECT_EQ(t.nr_cpus(), 8);
    EXPECT_EQ(t.cpu_limit(), 8);
    ASSERT_EQ(t.nodes.size(), 2u);
    EXPECT_EQ(t.nodes[1].cpus, (CpuList{4, 5, 6, 7}));
    EXPECT_EQ(t.nodes[0].distances, (std::vector<int>{10, 21}));
    EXPECT_EQ(t.cpu(3).node, 0);
    EXPECT_EQ(t.cpu(4).node, 1);
}

TEST_F(TwoSockets, ReadsSiblingsAndCaches) {
    Topology t = read_topology(tree.root());
    EXPECT_TRUE(t.has_smt());
    EXPECT_EQ(t.cpu(5).threads, (CpuList{4, 5}));
    EXPECT_EQ(t.cpu(5).package, 1);
    EXPECT_EQ(t.cpu(6).core, 1);
    EXPECT_EQ(t.cpu(5).package_cpus, (CpuList{4, 5, 6, 7}));
    EXPECT_EQ(t.cpu(5).llc, (CpuList{4, 5, 6, 7}));
    EXPECT_EQ(t.cpu(5).llc_level, 3);
    EXPECT_EQ(t.cpu(5).capacity, 1024);
    EXPECT_FALSE(t.cpu(5).has_capacity);
}

TEST_F(TwoSockets, LeavesOfflineCpusOut) {
    tree.file("/sys/devices/system/cpu/online", "0-2,4-7\n");
    Topology t = read_topology(tree.root());
    EXPECT_EQ(t.nr_cpus(), 7);
    EXPECT_EQ(t.nodes[0].cpus, (CpuList{0, 1, 2}));
    EXPECT_EQ(t.cpu(0).llc, (CpuList{0, 1, 2}));
    EXPECT_THROW(t.cpu(3), std::out_of_range);
}

TEST_F(TwoSockets, ReadsCapacity) {
    tree.file("/sys/devices/system/cpu/cpu2/cpu_capacity", "446\n");
    Topology t = read_topology(tree.root());
    EXPECT_EQ(t.cpu(2).capacity, 446);
    EXPECT_TRUE(t.cpu(2).has_capacity);
}

TEST_F(TwoSockets, MemoryOnlyNodeIsNoCpuNode) {
    tree.file("/sys/devices/system/node/node10/cpulist", "\n");
    for (int node : {0, 1, 10}) {
        tree.file("/sys/devices/system/node/node" + std::to_string(node) + "/distance",
                  "10 21 30\n");
    }
    Topology t = read_topology(tree.root());
    EXPECT_EQ(t.nodes.size(), 3u);
    EXPECT_EQ(t.nodes[2].id, 10);
    EXPECT_EQ(t.cpu_nodes().size(), 2u);
}

TEST_F(TwoSockets, WithoutNumaIsOneNode) {
    tree.remove("/sys/devices/system/node");
    Topology t = read_topology(tree.root());
    ASSERT_EQ(t.nodes.size(), 1u);
    EXPECT_EQ(t.nodes[0].cpus.size(), 8u);
}

TEST_F(TwoSockets, ErrorsNameThePath) {
    tree.file("/sys/devices/system/node/node1/distance", "21\n");
    try {
        read_topology(tree.root());
        FAIL();
    } catch (const FormatError& e) {
        EXPECT_NE(std::string(e.what()).find("node1/distance"), std::string::npos);
    }
    tree.file("/sys/devices/system/cpu/online", "x\n");
    EXPECT_THROW(read_topology(tree.root()), FormatError);
    tree.remove("/sys/devices/system/cpu/online");
    try {
        read_topology(tree.root());
        FAIL();
    } catch (const SystemError& e) {
        EXPECT_EQ(e.error(), ENOENT);
        EXPECT_EQ(e.path(), tree.path("/sys/devices/system/cpu/online"));
    }
}

namespace {

const char kSchedstat15[] =
    "version 15\ntimestamp 4294892296\n"
    "cpu0 0 0 0 0 0 0 1 2 3\ndomain0 3 1 2 3\ndomain1 ff 4 5 6\n"
    "cpu1 0 0 0 0 0 0 1 2 3\ndomain0 3 1 2 3\n";

}  // namespace

TEST(Domains, SpansOfOneCpuOnly) {
    std::vector<CpuList> spans = parse_schedstat_spans(kSchedstat15, 0);
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[0], (CpuList{0, 1}));
    EXPECT_EQ(spans[1].size(), 8u);
    EXPECT_EQ(parse_schedstat_spans(kSchedstat15, 1).size(), 1u);
    EXPECT_TRUE(parse_schedstat_spans(kSchedstat15, 2).empty());
}

TEST(Domains, Version17HasNames) {
    std::vector<CpuList> spans =
        parse_schedstat_spans("version 17\ncpu0 0\ndomain0 MC 0000000f 1\n", 0);
    ASSERT_EQ(spans.size(), 1u);
    EXPECT_EQ(spans[0].size(), 4u);
    EXPECT_THROW(parse_schedstat_spans("version 17\ncpu0 0\ndomain0 MC\n", 0), FormatError);
}

TEST(Domains, NamesFromDebugfs) {
    TempTree tree;
    std::string dir = "/sys/kernel/debug/sched/domains/cpu0/";
    tree.file(dir + "domain0/name", "MC\n");
    tree.file(dir + "domain0/flags", "SD_BALANCE_NEWIDLE SD_SHARE_PKG_RESOURCES \n");
    tree.file(dir + "domain1/name", "NUMA\n");
    tree.file(dir + "domain1/flags", "SD_NUMA \n");
    tree.file("/proc/schedstat", kSchedstat15);
    std::vector<Domain> domains = read_domains(0, tree.root());
    ASSERT_EQ(domains.size(), 2u);
    EXPECT_EQ(domains[0].name, "MC");
    EXPECT_EQ(domains[0].flags[1], "SD_SHARE_PKG_RESOURCES");
    EXPECT_EQ(domains[0].span, (CpuList{0, 1}));
    EXPECT_EQ(domains[1].name, "NUMA");
    EXPECT_EQ(domains[1].span.size(), 8u);
}

TEST(Domains, NamesFromSysctlOf54) {
    TempTree tree;
    tree.file("/proc/sys/kernel/sched_domain/cpu0/domain0/name", "SMT\n");
    tree.file("/proc/sys/kernel/sched_domain/cpu0/domain0/flags", "687\n");
    std::vector<Domain> domains = read_domains(0, tree.root());
    ASSERT_EQ(domains.size(), 1u);
    EXPECT_EQ(domains[0].name, "SMT");
    // 687 = 0x2af
    EXPECT_EQ(domains[0].flags,
              (std::vector<std::string>{"SD_LOAD_BALANCE", "SD_BALANCE_NEWIDLE", "SD_BALANCE_EXEC",
                                        "SD_BALANCE_FORK", "SD_WAKE_AFFINE", "SD_SHARE_CPUCAPACITY",
                                        "SD_SHARE_PKG_RESOURCES"}));
    EXPECT_TRUE(domains[0].span.empty());
}

TEST(Domains, CountsMustAgree) {
    TempTree tree;
    tree.file("/sys/kernel/debug/sched/domains/cpu0/domain0/name", "MC\n");
    tree.file("/proc/schedstat", kSchedstat15);
    EXPECT_THROW(read_domains(0, tree.root()), FormatError);
}

TEST(Domains, NoSourceGivesNone) {
    TempTree tree;
    EXPECT_TRUE(read_domains(0, tree.root()).empty());
}
