// SPDX-License-Identifier: GPL-2.0
#include "lib/cpu_use.h"

#include <gtest/gtest.h>

#include "fixture.h"
#include "lib/errors.h"

namespace cfslb {
namespace {

TEST(CpuUse, ReadsTotals) {
    TempTree tree;
    tree.file("/proc/stat",
              "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 12345 1 2 3\n");
    CpuUse use = read_cpu_use(tree.root());
    EXPECT_EQ(use.ticks[0], 10);
    EXPECT_EQ(use.ticks[7], 80);
    EXPECT_EQ(use.interrupts, 12345);
}

TEST(CpuUse, RejectsOtherText) {
    TempTree tree;
    tree.file("/proc/stat", "cpu  1 2 3\nintr 1\n");
    EXPECT_THROW(read_cpu_use(tree.root()), FormatError);
    tree.file("/proc/stat", "cpu  1 2 x 4 5 6 7 8\nintr 1\n");
    EXPECT_THROW(read_cpu_use(tree.root()), FormatError);
}

TEST(MpstatLine, ColumnsInItsOrder) {
    CpuUse before, after;
    // user nice system idle iowait irq softirq steal
    after.ticks = {1, 2, 3, 50, 4, 5, 6, 29};
    after.interrupts = 77;
    EXPECT_EQ(mpstat_line(3, before, after),
              "03   all    1.00    2.00    3.00    4.00    5.00    6.00   29.00   50.00     77.00");
    EXPECT_EQ(mpstat_line(3, before, after).size(), mpstat_header().size());
}

TEST(MpstatLine, NoTick) {
    CpuUse same;
    EXPECT_NE(mpstat_line(1, same, same).find("0.00"), std::string::npos);
}

}  // namespace
}  // namespace cfslb
