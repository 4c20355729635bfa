// SPDX-License-Identifier: GPL-2.0
#include "lib/cpulist.h"

#include <gtest/gtest.h>

#include "lib/files.h"

using namespace cfslb;

TEST(CpuList, ParsesWhatTheKernelPrints) {
    EXPECT_EQ(*parse_cpu_list("0-3,8\n"), (CpuList{0, 1, 2, 3, 8}));
    EXPECT_EQ(*parse_cpu_list("5"), (CpuList{5}));
    EXPECT_EQ(*parse_cpu_list("\n"), CpuList{});
    EXPECT_EQ(*parse_cpu_list("2-3,1-2"), (CpuList{1, 2, 3}));
}

TEST(CpuList, RejectsWhatItDoesNot) {
    for (const char* text : {"3-1", "0,,1", "0,", "a", "-1", "0-", "1 2", "99999"}) {
        EXPECT_FALSE(parse_cpu_list(text)) << text;
    }
}

TEST(CpuList, FormatsBack) {
    EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
    EXPECT_EQ(format_cpu_list({}), "");
}

TEST(CpuMask, ReadsWordsFromTheRight) {
    EXPECT_EQ(*parse_cpu_mask("f"), (CpuList{0, 1, 2, 3}));
    EXPECT_EQ(*parse_cpu_mask("00000001,80000000"), (CpuList{31, 32}));
    EXPECT_EQ(*parse_cpu_mask("A0\n"), (CpuList{5, 7}));
    EXPECT_FALSE(parse_cpu_mask("0x1"));
    EXPECT_FALSE(parse_cpu_mask(""));
}

TEST(CpuList, ContainsLooksUpExactly) {
    EXPECT_TRUE(contains({1, 3}, 3));
    EXPECT_FALSE(contains({1, 3}, 2));
}

TEST(Numbers, WholeAndWithinRange) {
    EXPECT_EQ(parse_number("12", 0, 20), 12);
    EXPECT_EQ(parse_number("-2", -5, 5), -2);
    for (const char* text : {"", "-", "12x", " 1", "21", "99999999999999999999"}) {
        EXPECT_FALSE(parse_number(text, 0, 20)) << text;
    }
}
