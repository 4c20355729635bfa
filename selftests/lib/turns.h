// SPDX-License-Identifier: GPL-2.0
// How evenly CPU time can be expected when a few tasks more than CPUs take turns. Pure functions.
#ifndef CFSLB_TURNS_H
#define CFSLB_TURNS_H

namespace cfslb {

// Hits out of DRAWS independent draws of probability P, each with a chance of no more than
// CHANCE to be exceeded: the fewest (least) and the most.
int most_hits(int draws, double p, double chance);
int least_hits(int draws, double p, double chance);

// Least CPU time of a task in percent of the most that kernels reach which make tasks take
// turns; TASKS is above NR_CPUS and at most twice that. With MORE = TASKS - NR_CPUS, two in each
// of MORE pairs share a CPU at any time and get half of what the others get. Balancing after
// every busy interval decides who that is next. In the worst case it draws blindly; then the number
// of turns that a task shares is binomial, and all but one run in a hundred keep the limit.
// 50 % is what tasks get that share for ever. 0: too short to tell.
double turns_limit_pct(int tasks, int nr_cpus, double judged_ms, double turn_ms);

}  // namespace cfslb

#endif
