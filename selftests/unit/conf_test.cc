// SPDX-License-Identifier: GPL-2.0
#include "lib/conf.h"

#include <gtest/gtest.h>

#include "fixture.h"
#include "lib/errors.h"

using namespace cfslb;

namespace {

std::string error_of(const std::string& text) {
    try {
        parse_conf(text, "x.conf");
    } catch (const FormatError& e) {
        return e.what();
    }
    return "accepted";
}

}  // namespace

TEST(Conf, ReadsEveryKey) {
    TopologyConf conf = parse_conf(
        "# a box\narch = x86_64\nmode = fast\nsockets = 2\ncores=2 # per socket\nthreads = 2\n"
        "node = 0-3\nnode = 4-7\ndistance = 10 21\ndistance = 21 10\nmemory = 512\n"
        "domains = SMT:2 MC:4 NUMA:8\n",
        "x.conf");
    EXPECT_EQ(conf.mode, "fast");
    EXPECT_EQ(conf.nr_cpus(), 8);
    EXPECT_EQ(conf.nodes[1], (CpuList{4, 5, 6, 7}));
    EXPECT_EQ(conf.distances[0][1], 21);
    EXPECT_EQ(conf.memory_mib, 512);
    ASSERT_EQ(conf.domains.size(), 3u);
    EXPECT_EQ(conf.domains[2].name, "NUMA");
    EXPECT_EQ(conf.domains[2].span, 8);
}

TEST(Conf, NumbersCpusThreadFirst) {
    TopologyConf conf = parse_conf("sockets = 2\ncores = 2\nthreads = 2\n", "x.conf");
    EXPECT_EQ(conf.core_cpus(5), (CpuList{4, 5}));
    EXPECT_EQ(conf.socket_cpus(5), (CpuList{4, 5, 6, 7}));
}

TEST(Conf, DefaultsToOneNodeAndPlainDistances) {
    TopologyConf one = parse_conf("cores = 4\n", "x.conf");
    EXPECT_EQ(one.nodes, (std::vector<CpuList>{{0, 1, 2, 3}}));
    EXPECT_EQ(one.mode, "replay");
    TopologyConf two = parse_conf("cores = 4\nnodes = 2\n", "x.conf");
    EXPECT_EQ(two.nodes, (std::vector<CpuList>{{0, 1}, {2, 3}}));
    EXPECT_EQ(two.distances, (std::vector<std::vector<int>>{{10, 20}, {20, 10}}));
}

TEST(Conf, ReadsCapacitiesAndClusters) {
    TopologyConf conf = parse_conf(
        "arch = arm64\ncores = 4\ncapacity = 446 446 1024 1024\ncluster = 0-1\ncluster = 2-3\n",
        "x.conf");
    EXPECT_EQ(conf.capacities, (std::vector<int>{446, 446, 1024, 1024}));
    EXPECT_EQ(conf.clusters[1], (CpuList{2, 3}));
}

TEST(Conf, ErrorsNameLineAndProblem) {
    EXPECT_EQ(error_of("cores = 4\nsocks = 2\n"), "x.conf:2: unknown key \"socks\"");
    EXPECT_EQ(error_of("cores 4\n"), "x.conf:1: not \"key = value\"");
    EXPECT_EQ(error_of("arch = mips\n"), "x.conf:1: \"mips\" is neither x86_64 nor arm64");
    EXPECT_NE(error_of("cores = 0\n").find("x.conf:1: \"0\" is not a number"), std::string::npos);
    EXPECT_NE(error_of("node = 3-1\n").find("not a CPU list"), std::string::npos);
    EXPECT_NE(error_of("domains = MC\n").find("not NAME:span"), std::string::npos);
    EXPECT_NE(error_of("cores = 2\ndistance = 10 x\n").find("x.conf:2:"), std::string::npos);
}

TEST(Conf, ErrorsOfTheWhole) {
    EXPECT_EQ(error_of("cores = 4\nnode = 0-2\nnode = 2-3\n"),
              "x.conf: CPU 2 is in node 0 and in node 1");
    EXPECT_EQ(error_of("cores = 4\nnode = 0-1\n"), "x.conf: CPU 2 is in no node");
    EXPECT_EQ(error_of("cores = 2\nnode = 0-2\n"), "x.conf: CPU 2 does not exist");
    EXPECT_EQ(error_of("cores = 4\nnode = 0-3\nnodes = 1\n"),
              "x.conf: has both \"nodes\" and \"node\" lines");
    EXPECT_EQ(error_of("cores = 4\nnodes = 3\n"), "x.conf: 4 CPUs do not split into 3 equal nodes");
    EXPECT_EQ(error_of("cores = 2\nnodes = 2\ndistance = 10 20\ndistance = 21 10\n"),
              "x.conf: distance of nodes 1 and 0 is not symmetric");
    EXPECT_EQ(error_of("cores = 2\nnodes = 2\ndistance = 10 20\n"),
              "x.conf: distances are not 2 rows of 2");
    EXPECT_NE(error_of("cores = 2\ncapacity = 1024\n").find("one value"), std::string::npos);
    EXPECT_NE(error_of("sockets = 8000\ncores = 8000\n").find("more than"), std::string::npos);
}

TEST(Conf, ReadsFromAFile) {
    TempTree tree;
    tree.file("/box.conf", "cores = 2\n");
    EXPECT_EQ(read_conf(tree.path("/box.conf")).nr_cpus(), 2);
    EXPECT_THROW(read_conf(tree.path("/none.conf")), SystemError);
}
