// SPDX-License-Identifier: GPL-2.0
#include "turns.h"

#include <cmath>

namespace cfslb {

namespace {

// Of a run with a fair kernel to fail.
constexpr double kFalseAlarm = 0.01;

double log_chance_of(int hits, int draws, double p) {
    return std::lgamma(draws + 1.0) - std::lgamma(hits + 1.0) - std::lgamma(draws - hits + 1.0) +
           hits * std::log(p) + (draws - hits) * std::log1p(-p);
}

}  // namespace

int most_hits(int draws, double p, double chance) {
    if (p >= 1) return draws;
    double above = 0;
    int hits = draws;
    for (; p > 0 && hits > 0; hits--) {
        above += std::exp(log_chance_of(hits, draws, p));
        if (above > chance) break;
    }
    return p > 0 ? hits : 0;
}

int least_hits(int draws, double p, double chance) {
    return draws - most_hits(draws, 1 - p, chance);
}

double turns_limit_pct(int tasks, int nr_cpus, double judged_ms, double turn_ms) {
    int turns = static_cast<int>(judged_ms / turn_ms);
    if (turns < 1) return 0;
    double p = 2.0 * (tasks - nr_cpus) / tasks;
    // Each task may be the unluckiest and each the luckiest.
    double chance = kFalseAlarm / 2 / tasks;
    double least = 1 - 0.5 * most_hits(turns, p, chance) / turns;
    double most = 1 - 0.5 * least_hits(turns, p, chance) / turns;
    return 100 * least / most;
}

}  // namespace cfslb
