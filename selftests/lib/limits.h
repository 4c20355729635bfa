// SPDX-License-Identifier: GPL-2.0
// Tolerances that several drivers share, each with its derivation.
#ifndef CFSLB_LIMITS_H
#define CFSLB_LIMITS_H

#include <algorithm>

namespace cfslb {

// An idle CPU looks for work in a domain at least every max_interval = 2 * span milliseconds
// (sd_init() in kernel/sched/topology.c: min_interval is the span in ms, doubled once after a
// failed balance). The span is at most all CPUs.
constexpr int longest_idle_interval_ms(int nr_cpus) { return 2 * nr_cpus; }

// Attempts until a cache-hot waiting task is taken: more than cache_nice_tries failures, which is
// 2 on NUMA levels and less below.
constexpr int kAttemptsToPull = 4;

// Attempts until the running task of a busy CPU is pushed by active balance: more than
// cache_nice_tries + 2 failures, and the push itself.
constexpr int kAttemptsToPush = 6;

// A balance that finds only tasks whose affinity forbids the CPU doubles its interval up to this
// (MAX_PINNED_INTERVAL in kernel/sched/fair.c): after affinities have widened, the next look at
// that level may be so far away.
constexpr int kMaxPinnedIntervalMs = 512;

// How long a CPU may idle while a task waits elsewhere that may run there. 100 ms at least: ticks,
// kernel threads and the sampler each steal an attempt on a small box.
constexpr int idle_while_waiting_limit_ms(int nr_cpus) {
    return std::max(100, kAttemptsToPull * longest_idle_interval_ms(nr_cpus));
}

// Time that tasks are kept on their start CPUs where they must look busy before they are let go:
// a new task's utilization starts at half of a CPU at most and reaches 94 % after 100 ms (PELT,
// half-life 32 ms), enough for a group full of them to count as busy.
constexpr int kConfinedMs = 100;

// As idle_while_waiting_limit_ms(), but for a CPU that met only pinned tasks for CONFINED_MS: the
// interval doubles each time, so one that started within that time is shorter than that time
// plus the first interval.
constexpr int after_confinement_limit_ms(int nr_cpus, int confined_ms) {
    return std::min(confined_ms, kMaxPinnedIntervalMs) + idle_while_waiting_limit_ms(nr_cpus);
}

// The same when an earlier case, too, may have pinned tasks around that CPU: the interval that it
// has backed off to stays until it pulls something.
constexpr int after_pinned_limit_ms(int nr_cpus) {
    return kMaxPinnedIntervalMs + idle_while_waiting_limit_ms(nr_cpus);
}

// Tasks of a fork burst that end up alone on CPUs of the wrong part of the box. Only one CPU of a
// domain's group balances the widest level, and pushes one of them at a time.
constexpr int pushed_one_by_one(int nr_cpus) { return std::max(1, nr_cpus / 8); }

// Time at the start of a case that is not judged: the fork burst leaves tasks where the fork
// found room, and active balance has to undo it. 500 ms at least, since load averages need
// 345 ms to reach their full value (PELT, half-life 32 ms). Half of a run at most: large boxes
// need a longer one (64 CPUs: 13 s).
constexpr int settle_ms(int nr_cpus, int run_ms) {
    return std::min(std::max(500, pushed_one_by_one(nr_cpus) * kAttemptsToPush *
                                      longest_idle_interval_ms(nr_cpus)),
                    run_ms / 2);
}

// How often a busy CPU balances the widest domain: busy_factor * span ms, with a factor of 16 (32
// before 5.10).
constexpr int busy_interval_ms(int nr_cpus) { return 16 * nr_cpus; }

// Tasks that one NUMA node may run more than another one with room: the balancer leaves two
// alone there on purpose, so that a pair that talks to each other stays together
// (NUMA_IMBALANCE_MIN, adjust_numa_imbalance() in kernel/sched/fair.c, since 5.8).
constexpr int kNumaImbalance = 2;

// How far a node's tasks may be from its SHARE where nothing is idle: groups within imbalance_pct
// of each other, 117 % at the least, count as balanced, at each of the LEVELS of nodes. Half of the
// 17 % to either side of their mean; a task at least.
constexpr double overloaded_slack(double share, int levels) {
    return std::max(1.0, 0.085 * share * levels);
}

// A node may hold a task more or less than its even share for half of the judged time: moves in
// progress and counting windows blur the mean, a task that stays off for good shows as 1.
constexpr double kNodeSlack = 0.5;

}  // namespace cfslb

#endif
