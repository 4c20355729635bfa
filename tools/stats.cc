// SPDX-License-Identifier: GPL-2.0
#include "stats.h"

#include <algorithm>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>

namespace lbtools {
namespace {

// Largest number of values for which the permutation distribution is counted out:
// the cost grows with its fourth power, 40 takes a few milliseconds.
constexpr std::size_t kExactLimit = 40;
// Relative slack for "as unlikely as observed", as in R's fisher.test.
constexpr double kFisherSlack = 1e-7;
constexpr double kZeroMedian = 1e-12;
constexpr std::uint64_t kBootstrapSeed = 20191018;

double sorted_quantile(const Sample& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(std::floor(at));
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

// Twice the mid-ranks (so that they are whole numbers) of all values of both samples.
struct Ranks {
    std::vector<std::size_t> doubled;  // before's values first
    double tie_term = 0;               // sum of t^3 - t over groups of equal values
};

Ranks rank(const Sample& before, const Sample& after) {
    Sample all(before);
    all.insert(all.end(), after.begin(), after.end());
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return all[a] < all[b]; });
    Ranks ranks;
    ranks.doubled.resize(all.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && all[order[last + 1]] == all[order[first]]) ++last;
        for (std::size_t i = first; i <= last; ++i) ranks.doubled[order[i]] = first + last + 2;
        const auto ties = static_cast<double>(last - first + 1);
        ranks.tie_term += ties * ties * ties - ties;
        first = last + 1;
    }
    return ranks;
}

// Share of all ways to pick `n` of the ranks whose sum is at least as far from the
// expected one as `observed` is.
double permutation_p(const std::vector<std::size_t>& doubled, std::size_t n, std::size_t observed) {
    const std::size_t total = std::accumulate(doubled.begin(), doubled.end(), std::size_t{0});
    // ways[k][s]: number of subsets of k ranks with sum s.
    std::vector<std::vector<double>> ways(n + 1, std::vector<double>(total + 1, 0.0));
    ways[0][0] = 1;
    std::size_t reach = 0;
    for (const std::size_t value : doubled) {
        reach += value;
        for (std::size_t k = n; k-- > 0;) {
            for (std::size_t s = reach - value + 1; s-- > 0;) ways[k + 1][s + value] += ways[k][s];
        }
    }
    // The expected sum is total * n / N: multiplied by N all stays in whole numbers.
    const auto size = static_cast<std::ptrdiff_t>(doubled.size());
    const auto expected = static_cast<std::ptrdiff_t>(total * n);
    const auto distance = [&](std::size_t sum) {
        return std::abs(static_cast<std::ptrdiff_t>(sum) * size - expected);
    };
    double extreme = 0;
    double all = 0;
    for (std::size_t s = 0; s <= total; ++s) {
        all += ways[n][s];
        if (distance(s) >= distance(observed)) extreme += ways[n][s];
    }
    return std::min(1.0, extreme / all);
}

double normal_p(double rank_sum, double n, double m, double tie_term) {
    const double size = n + m;
    const double expected = n * (size + 1) / 2;
    const double variance = n * m / 12 * (size + 1 - tie_term / (size * (size - 1)));
    if (variance <= 0) return 1;  // all values are equal
    const double z = std::max(0.0, std::abs(rank_sum - expected) - 0.5) / std::sqrt(variance);
    return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z));
}

double resampled_median(const Sample& sample, boost::random::mt19937_64& random, Sample& scratch) {
    boost::random::uniform_int_distribution<std::size_t> pick(0, sample.size() - 1);
    scratch.clear();
    for (std::size_t i = 0; i < sample.size(); ++i) scratch.push_back(sample[pick(random)]);
    std::sort(scratch.begin(), scratch.end());
    return sorted_quantile(scratch, 0.5);
}

Interval middle_95(Sample draws) {
    std::sort(draws.begin(), draws.end());
    return {sorted_quantile(draws, 0.025), sorted_quantile(draws, 0.975)};
}

}  // namespace

double quantile(Sample sample, double p) {
    std::sort(sample.begin(), sample.end());
    return sorted_quantile(sample, p);
}

Summary summarize(const Sample& sample) {
    Sample sorted(sample);
    std::sort(sorted.begin(), sorted.end());
    Summary summary;
    summary.n = sorted.size();
    summary.min = sorted.front();
    summary.q1 = sorted_quantile(sorted, 0.25);
    summary.median = sorted_quantile(sorted, 0.5);
    summary.q3 = sorted_quantile(sorted, 0.75);
    summary.max = sorted.back();
    const auto n = static_cast<double>(summary.n);
    summary.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
    if (summary.n >= 2 && summary.mean != 0) {
        double squares = 0;
        for (const double value : sorted)
            squares += (value - summary.mean) * (value - summary.mean);
        summary.cv = std::sqrt(squares / (n - 1)) / std::abs(summary.mean);
    }
    return summary;
}

Change median_change(const Sample& before, const Sample& after, int resamples) {
    const double from = quantile(before, 0.5);
    const double to = quantile(after, 0.5);
    Change change;
    change.absolute = to - from;
    if (std::abs(from) > kZeroMedian) change.percent = 100 * (to - from) / std::abs(from);

    boost::random::mt19937_64 random(kBootstrapSeed);
    Sample scratch;
    Sample absolute;
    Sample percent;
    for (int i = 0; i < resamples; ++i) {
        const double drawn_from = resampled_median(before, random, scratch);
        const double drawn_to = resampled_median(after, random, scratch);
        absolute.push_back(drawn_to - drawn_from);
        if (std::abs(drawn_from) > kZeroMedian) {
            percent.push_back(100 * (drawn_to - drawn_from) / std::abs(drawn_from));
        }
    }
    change.absolute_ci = middle_95(absolute);
    if (change.percent && percent.size() == absolute.size()) {
        change.percent_ci = middle_95(std::move(percent));
    }
    return change;
}

RankTest mann_whitney(const Sample& before, const Sample& after) {
    const std::size_t n = before.size();
    const std::size_t size = n + after.size();
    const Ranks ranks = rank(before, after);
    const auto own_end = ranks.doubled.begin() + static_cast<std::ptrdiff_t>(n);
    const std::size_t observed = std::accumulate(ranks.doubled.begin(), own_end, std::size_t{0});
    RankTest test;
    test.exact = size <= kExactLimit;
    test.p = test.exact ? permutation_p(ranks.doubled, n, observed)
                        : normal_p(static_cast<double>(observed) / 2, static_cast<double>(n),
                                   static_cast<double>(after.size()), ranks.tie_term);
    double ways = 1;  // n of size
    for (std::size_t i = 1; i <= n; ++i) {
        ways *= static_cast<double>(size - n + i) / static_cast<double>(i);
    }
    test.min_p = std::min(1.0, 2 / ways);
    return test;
}

double fisher_exact(unsigned pass_before, unsigned fail_before, unsigned pass_after,
                    unsigned fail_after) {
    const unsigned passes = pass_before + pass_after;
    const unsigned draws = pass_before + fail_before;
    const unsigned total = passes + fail_before + fail_after;
    if (draws == 0 || draws == total || passes == 0 || passes == total) return 1;
    const boost::math::hypergeometric distribution(passes, draws, total);
    const double observed = boost::math::pdf(distribution, pass_before);
    const unsigned low = draws + passes > total ? draws + passes - total : 0;
    double p = 0;
    for (unsigned k = low; k <= std::min(draws, passes); ++k) {
        const double mass = boost::math::pdf(distribution, k);
        if (mass <= observed * (1 + kFisherSlack)) p += mass;
    }
    return std::min(1.0, p);
}

std::vector<double> holm(const std::vector<double>& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] < p[b]; });
    std::vector<double> corrected(p.size());
    double floor = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        floor = std::max(floor, std::min(1.0, p[order[i]] * static_cast<double>(p.size() - i)));
        corrected[order[i]] = floor;
    }
    return corrected;
}

}  // namespace lbtools
