// SPDX-License-Identifier: GPL-2.0
#include "lib/sampler.h"

#include <gtest/gtest.h>

#include "fixture.h"
#include "lib/errors.h"
#include "lib/scenario.h"

using namespace cfslb;

namespace {

const char kStat[] =
    "cpu  10 0 0 300 5 0 0 0 0 0\n"
    "cpu0 5 0 0 100 5 0 0 0 0 0\n"
    "cpu2 5 0 0 200 0 0 0 0 0 0\n"
    "intr 1 2 3\n";

}  // namespace

TEST(IdleTimes, IdleAndIowaitOfEachCpu) {
    IdleTimes times = parse_idle_times(kStat, 100, "stat");
    ASSERT_EQ(times.size(), 2u);
    EXPECT_DOUBLE_EQ(times[0], 1050);
    EXPECT_DOUBLE_EQ(times[2], 2000);
}

TEST(IdleTimes, ReadBelowARoot) {
    TempTree tree;
    tree.file("/proc/stat", kStat);
    EXPECT_EQ(read_idle_times(tree.root()).size(), 2u);
    tree.file("/proc/stat", "intr 1\n");
    EXPECT_THROW(read_idle_times(tree.root()), FormatError);
    tree.file("/proc/stat", "cpu0 1 2\n");
    EXPECT_THROW(read_idle_times(tree.root()), FormatError);
}

TEST(IdleTimes, DifferenceNeverNegative) {
    IdleTimes between = idle_between({{0, 100}, {1, 50}, {2, 5}}, {{0, 160}, {1, 40}});
    EXPECT_DOUBLE_EQ(between[0], 60);
    EXPECT_DOUBLE_EQ(between[1], 0);
    EXPECT_DOUBLE_EQ(between[2], 0);
}

TEST(IdleTimes, PercentOfAllCpus) {
    EXPECT_DOUBLE_EQ(idle_percent({{0, 100}, {1, 0}}, 1000), 5);
    EXPECT_DOUBLE_EQ(idle_percent({}, 1000), 0);
    EXPECT_DOUBLE_EQ(idle_percent({{0, 1}}, 0), 0);
}

TEST(Seed, EachShiftsTheStart) {
    EXPECT_EQ(seed_offset_ns(0), 0);
    EXPECT_EQ(seed_offset_ns(3), 4110000);
    EXPECT_EQ(seed_offset_ns(1001), seed_offset_ns(1));
}
