// SPDX-License-Identifier: GPL-2.0
// Description: statistics agree with values computed by hand or printed in R's manuals.
#include "stats.h"

#include <gtest/gtest.h>

namespace lbtools {
namespace {

TEST(Stats, QuantilesAreTypeSeven) {
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(quantile({4, 1, 3, 2}, 0.75), 3.25);
    EXPECT_DOUBLE_EQ(quantile({7}, 0.75), 7);
}

TEST(Stats, Summary) {
    const Summary s = summarize({2, 4, 4, 4, 5, 5, 7, 9});  // squares of deviations sum to 32
    EXPECT_EQ(s.n, 8U);
    EXPECT_DOUBLE_EQ(s.mean, 5);
    EXPECT_DOUBLE_EQ(s.median, 4.5);
    EXPECT_DOUBLE_EQ(s.min, 2);
    EXPECT_DOUBLE_EQ(s.max, 9);
    EXPECT_NEAR(s.cv.value(), 2.13808993529940 / 5, 1e-12);  // sqrt(32 / 7)
    EXPECT_FALSE(summarize({3}).cv);
    EXPECT_FALSE(summarize({-1, 1}).cv);
}

// ?wilcox.test in R: W = 35, one-sided p-value = 0.1272.
TEST(Stats, MannWhitneyOfTheRManual) {
    const Sample x = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const Sample y = {1.15, 0.88, 0.90, 0.74, 1.21};
    const RankTest test = mann_whitney(x, y);
    EXPECT_TRUE(test.exact);
    EXPECT_NEAR(test.p, 0.2544, 0.0001);
}

TEST(Stats, MannWhitneyByHand) {
    EXPECT_NEAR(mann_whitney({1, 2, 3}, {4, 5, 6}).p, 2.0 / 20, 1e-12);
    EXPECT_NEAR(mann_whitney({1, 2, 3}, {4, 5, 6}).min_p, 2.0 / 20, 1e-12);
    // Sums of 3 of the ranks 1 to 6: 20 ways, mean 10.5. Observed 1+2+4 = 7; as far
    // away: 6, 7, 14, 15, one way each.
    EXPECT_NEAR(mann_whitney({1, 2, 4}, {3, 5, 6}).p, 4.0 / 20, 1e-12);
    EXPECT_NEAR(mann_whitney({1, 2, 3, 4}, {5, 6, 7, 8}).p, 2.0 / 70, 1e-12);
    EXPECT_NEAR(mann_whitney({1}, {2}).p, 1, 1e-12);
}

TEST(Stats, MannWhitneyCountsTies) {
    EXPECT_DOUBLE_EQ(mann_whitney({5, 5, 5}, {5, 5, 5}).p, 1);
    // All of one side equal, all of the other equal: still only 2 of 20 ways.
    EXPECT_NEAR(mann_whitney({0, 0, 0}, {9, 9, 9}).p, 2.0 / 20, 1e-12);
    // Mid-ranks 1.5 1.5 | 3.5 3.5 over {1,1},{2,2}: 2 of the 6 ways.
    EXPECT_NEAR(mann_whitney({1, 1}, {2, 2}).p, 2.0 / 6, 1e-12);
}

TEST(Stats, MannWhitneyOfManyValues) {
    Sample low, high, same;
    for (int i = 0; i < 30; ++i) {
        low.push_back(i);
        high.push_back(i + 100);
        same.push_back(1);
    }
    const RankTest test = mann_whitney(low, high);
    EXPECT_FALSE(test.exact);
    // W = 0: z = (450 - 0.5) / sqrt(900 * 61 / 12) = 6.6456
    EXPECT_NEAR(test.p, 3.02e-11, 0.02e-11);
    EXPECT_DOUBLE_EQ(mann_whitney(same, same).p, 1);
    EXPECT_NEAR(mann_whitney(low, low).p, 1, 1e-9);
}

// Fisher's tea drinker, ?fisher.test in R: one-sided 0.2429, two-sided 0.4857.
TEST(Stats, FisherTeaTasting) { EXPECT_NEAR(fisher_exact(3, 1, 1, 3), 0.4857, 0.0001); }

TEST(Stats, FisherByHand) {
    EXPECT_NEAR(fisher_exact(0, 3, 3, 0), 2.0 / 20, 1e-9);
    EXPECT_NEAR(fisher_exact(0, 4, 4, 0), 2.0 / 70, 1e-9);
    EXPECT_DOUBLE_EQ(fisher_exact(3, 0, 3, 0), 1);
    EXPECT_DOUBLE_EQ(fisher_exact(0, 0, 3, 0), 1);
    EXPECT_NEAR(fisher_exact(0, 1, 1, 0), 1, 1e-9);
}

// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") gives 0.03 0.06 0.06 0.02.
TEST(Stats, Holm) {
    const std::vector<double> p = holm({0.01, 0.04, 0.03, 0.005});
    EXPECT_NEAR(p[0], 0.03, 1e-12);
    EXPECT_NEAR(p[1], 0.06, 1e-12);
    EXPECT_NEAR(p[2], 0.06, 1e-12);
    EXPECT_NEAR(p[3], 0.02, 1e-12);
    EXPECT_DOUBLE_EQ(holm({0.9, 0.8})[1], 1);
    EXPECT_TRUE(holm({}).empty());
}

TEST(Stats, ChangeOfMedians) {
    const Change change = median_change({100, 110, 120}, {50, 55, 60});
    EXPECT_DOUBLE_EQ(change.absolute, -55);
    EXPECT_DOUBLE_EQ(change.percent.value(), -50);
    // Medians of resamples of 3 lie within the sample's range.
    EXPECT_GE(change.percent_ci->low, -100 * 70.0 / 120 - 1e-9);
    EXPECT_LE(change.percent_ci->high, -40 + 1e-9);
    EXPECT_LT(change.percent_ci->low, change.percent_ci->high);
}

TEST(Stats, ChangeIsRepeatable) {
    const Change a = median_change({1, 2, 3, 4, 5}, {2, 3, 4, 5, 7});
    const Change b = median_change({1, 2, 3, 4, 5}, {2, 3, 4, 5, 7});
    EXPECT_EQ(a.percent_ci->low, b.percent_ci->low);
    EXPECT_EQ(a.percent_ci->high, b.percent_ci->high);
}

TEST(Stats, NoPercentOfZero) {
    const Change zero = median_change({0, 0, 0}, {5, 6, 7});
    EXPECT_FALSE(zero.percent);
    EXPECT_DOUBLE_EQ(zero.absolute, 6);
    EXPECT_GE(zero.absolute_ci.low, 5);
    const Change some = median_change({0, 3, 4}, {5, 6, 7});
    EXPECT_TRUE(some.percent);
    EXPECT_FALSE(some.percent_ci);
    const Change constant = median_change({-2, -2}, {-1, -1});
    EXPECT_DOUBLE_EQ(constant.percent.value(), 50);
}

}  // namespace
}  // namespace lbtools
