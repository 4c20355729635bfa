// SPDX-License-Identifier: GPL-2.0
#include "lib/turns.h"

#include <gtest/gtest.h>

using namespace cfslb;

namespace {

TEST(Hits, AreQuantilesOfTheBinomial) {
    // Ten coins: 10 heads once in 1024 runs, 9 or more 11 times.
    EXPECT_EQ(most_hits(10, 0.5, 0.5 / 1024), 10);
    EXPECT_EQ(most_hits(10, 0.5, 2.0 / 1024), 9);
    EXPECT_EQ(most_hits(10, 0.5, 12.0 / 1024), 8);
    EXPECT_EQ(least_hits(10, 0.5, 12.0 / 1024), 2);
    EXPECT_EQ(most_hits(10, 0, 0.01), 0);
    EXPECT_EQ(most_hits(10, 1, 0.01), 10);
    EXPECT_EQ(least_hits(10, 1, 0.01), 10);
}

TEST(Turns, TheMoreTheFairer) {
    double few = turns_limit_pct(11, 8, 4000, 128);
    double many = turns_limit_pct(11, 8, 40000, 128);
    EXPECT_GT(few, 60);
    EXPECT_LT(few, 70);
    EXPECT_GT(many, 85);
    EXPECT_LT(many, 90);
    EXPECT_GT(turns_limit_pct(9, 8, 4000, 128), few);
}

TEST(Turns, OneTurnTellsNothing) {
    EXPECT_DOUBLE_EQ(turns_limit_pct(11, 8, 130, 128), 50);
    EXPECT_DOUBLE_EQ(turns_limit_pct(11, 8, 100, 128), 0);
}

TEST(Turns, AllShareAlike) { EXPECT_DOUBLE_EQ(turns_limit_pct(16, 8, 4000, 128), 100); }

}  // namespace
