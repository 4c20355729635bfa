// SPDX-License-Identifier: GPL-2.0
// Pure functions from samples to figures of single workers: where they were, when they came there,
// beside whom. Worker arguments are indices into the samples.
#ifndef CFSLB_PLACEMENT_H
#define CFSLB_PLACEMENT_H

#include <optional>
#include <vector>

#include "analysis.h"
#include "samples.h"
#include "topology.h"

namespace cfslb {

// Load weight of a nice value, -20..19: a factor of 1.25 a step, 1024 for 0. The kernel's table
// (sched_prio_to_weight in kernel/sched/core.c).
int weight_of_nice(int nice);

// Mean sum of the weights of the active workers located on each CPU; WEIGHTS is by worker.
std::vector<double> mean_weight_per_cpu(const Samples& samples, const std::vector<int>& weights,
                                        int cpu_limit, const Span& span);

// From FROM_NS to the first sample that shows WORKER active on one of CPUS, in ms; none when
// there is no such sample.
std::optional<double> ms_until_on(const Samples& samples, size_t worker, const CpuList& cpus,
                                  int64_t from_ns);

// True when WORKER, asleep or not, was seen on one of CPUS before OTHER first was (or OTHER never).
bool on_before(const Samples& samples, size_t worker, size_t other, const CpuList& cpus);

// From FROM_NS to the first sample in which each of CPUS has an active worker.
std::optional<double> ms_until_all_busy(const Samples& samples, const CpuList& cpus,
                                        int64_t from_ns);

// Share in percent of the WORKERS' active samples within SPAN that lie on CPUS; 0 without samples.
double percent_on(const Samples& samples, const std::vector<size_t>& workers, const CpuList& cpus,
                  const Span& span);

// Share in percent of GUESTS' active samples within SPAN in which an active one of HOSTS is located
// on the same CPU; 0 without samples.
double percent_beside(const Samples& samples, const std::vector<size_t>& guests,
                      const std::vector<size_t>& hosts, const Span& span);

// Share in percent of the samples within SPAN in which A and B, asleep or not, were last on CPUs of
// the same node; 0 without samples.
double percent_together(const Samples& samples, size_t a, size_t b, const Topology& topology,
                        const Span& span);

// Moves of one worker within SPAN, as observed_moves().
long moves_of(const Samples& samples, size_t worker, const Span& span);

// Moves of one worker to another node within SPAN.
long node_moves_of(const Samples& samples, size_t worker, const Topology& topology,
                   const Span& span);

// How many of CPUS (-1: none) lie in each node that has CPUs.
std::vector<double> count_per_node(const std::vector<int>& cpus, const std::vector<Node>& nodes);

}  // namespace cfslb

#endif
