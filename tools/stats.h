// SPDX-License-Identifier: GPL-2.0
//
// The statistics of a before/after comparison. Samples are small (3 to some
// tens of seeds or boots a side), so tests are exact wherever that is feasible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lbtools {

using Sample = std::vector<double>;

// Quantile by linear interpolation between order statistics (R's type 7).
// p in [0, 1]; the sample must not be empty.
double quantile(Sample sample, double p);

struct Summary {
    std::size_t n = 0;
    double min = 0, q1 = 0, median = 0, q3 = 0, max = 0, mean = 0;
    std::optional<double> cv;  // sample standard deviation / |mean|; none for n < 2 or mean 0
};
// The sample must not be empty.
Summary summarize(const Sample& sample);

struct Interval {
    double low = 0, high = 0;
};

// Change of the median from before to after.
struct Change {
    double absolute = 0;
    Interval absolute_ci;
    std::optional<double> percent;       // none when the median before is 0
    std::optional<Interval> percent_ci;  // none when some resample has a median of 0 before
};
// 95 % percentile bootstrap, `resamples` draws from each side by a generator with a
// fixed seed: the same samples give the same interval on every machine.
Change median_change(const Sample& before, const Sample& after, int resamples = 4999);

struct RankTest {
    double p = 1;       // two-sided
    double min_p = 1;   // what complete separation would give at these sizes
    bool exact = true;  // the permutation distribution, ties included
};
// Mann-Whitney U. Exact up to 40 values in all, above that the normal approximation
// with corrections for ties and continuity. Both samples must not be empty.
RankTest mann_whitney(const Sample& before, const Sample& after);

// Two-sided p of Fisher's exact test on {pass, fail} counts of both sides.
double fisher_exact(unsigned pass_before, unsigned fail_before, unsigned pass_after,
                    unsigned fail_after);

// Holm's step-down correction; result in the order of the input.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace lbtools
