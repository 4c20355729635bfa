// SPDX-License-Identifier: GPL-2.0
#include "lib/cgroup.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "fixture.h"
#include "lib/errors.h"

using namespace cfslb;

namespace {

std::string missing(const std::string& root) {
    try {
        find_cpu_controller(root);
    } catch (const Skip& e) {
        return e.what();
    }
    return "found";
}

}  // namespace

TEST(CpuController, FindsVersion1) {
    TempTree tree;
    tree.file("/proc/self/mounts",
              "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n"
              "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n"
              "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu,cpuacct 0 0\n");
    CpuController found = find_cpu_controller(tree.root());
    EXPECT_EQ(found.version, 1);
    EXPECT_EQ(found.mount, tree.path("/sys/fs/cgroup/cpu"));
}

TEST(CpuController, FindsVersion2) {
    TempTree tree;
    tree.file("/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
    tree.file("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io\n");
    CpuController found = find_cpu_controller(tree.root());
    EXPECT_EQ(found.version, 2);
    EXPECT_EQ(found.mount, tree.path("/sys/fs/cgroup"));
}

TEST(CpuController, HybridTakesTheOneThatHasIt) {
    TempTree tree;
    tree.file("/proc/self/mounts",
              "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
              "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n");
    tree.file("/sys/fs/cgroup/unified/cgroup.controllers", "\n");
    EXPECT_EQ(find_cpu_controller(tree.root()).version, 1);
}

TEST(CpuController, SaysWhatIsMissing) {
    TempTree tree;
    EXPECT_NE(missing(tree.root()).find("mounted cgroup hierarchy"), std::string::npos);
    tree.file("/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n");
    tree.file("/sys/fs/cgroup/cgroup.controllers", "cpuset io\n");
    EXPECT_NE(missing(tree.root()).find("cgroup.controllers"), std::string::npos);
    tree.file("/proc/self/mounts", "cgroup /sys/fs/cgroup/set cgroup rw,cpuset 0 0\n");
    EXPECT_NE(missing(tree.root()).find("mounted cgroup hierarchy"), std::string::npos);
}

TEST(Cgroup, EnablesTheControllerAndRemovesItself) {
    TempTree tree;
    tree.file("/cg/cgroup.subtree_control", "");
    std::string path;
    {
        Cgroup group({2, tree.path("/cg")}, "a");
        path = group.path();
        EXPECT_EQ(tree.read("/cg/cgroup.subtree_control"), "+cpu");
        EXPECT_EQ(group.procs(), path + "/cgroup.procs");
        EXPECT_EQ(path, tree.path("/cg/cfslb-" + std::to_string(getpid()) + "-a"));
        EXPECT_TRUE(std::filesystem::is_directory(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Cgroup, WeightByVersion) {
    TempTree tree;
    tree.file("/cg/cgroup.subtree_control", "cpu\n");
    std::string name = "/cg/cfslb-" + std::to_string(getpid()) + "-a";
    {
        Cgroup group({2, tree.path("/cg")}, "a");
        tree.file(name + "/cpu.weight", "");
        group.set_weight(200);
        EXPECT_EQ(tree.read(name + "/cpu.weight"), "200");
        tree.remove(name + "/cpu.weight");
    }
    Cgroup group({1, tree.path("/cg")}, "a");
    tree.file(name + "/cpu.shares", "");
    group.set_weight(200);
    EXPECT_EQ(tree.read(name + "/cpu.shares"), "2048");
    tree.remove(name + "/cpu.shares");
    EXPECT_THROW(group.set_weight(100), SystemError);
}

TEST(Cgroup, SharesStayWithinTheKernelsLimits) {
    EXPECT_EQ(shares_of_weight(100), 1024);
    EXPECT_EQ(shares_of_weight(1), 10);
    EXPECT_EQ(shares_of_weight(0), 2);
    EXPECT_EQ(shares_of_weight(1000000), 262144);
}
