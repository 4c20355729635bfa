// SPDX-License-Identifier: GPL-2.0
// Pure functions from samples to figures. No system calls: the unit tests feed known sequences.
//
// A window is the time between two neighbouring samples. In it,
//   a CPU is idle if no worker located on it made progress and no active worker is located there;
//   a worker waits if it is active (not sleeping) at both ends and another active worker is
//   located on the same CPU; one that has never run waits too. The highest real-time priority on
//   a CPU runs, so it does not wait unless it shares that priority;
//   an idle CPU violates the invariant if some waiting worker may run there.
//
// Blind spots:
//   - A worker's location is the CPU of its last finished chunk. One that was moved while it
//     waited shows its old CPU until it has run, a slice or so: short violations may be false,
//     hence the limits on the longest run.
//   - Two workers that share a CPU both count as waiting, the one that runs included: which of
//     them waits at that instant is not visible, and they take turns.
//   - Only workers are seen. A CPU kept busy by anything else reads idle (bounded_by_idle_time()
//     takes that back), a worker kept off its CPU by anything else does not read as waiting.
//   - A CPU that idles for less than a window between two workers' progress reads busy; idle time
//     from /proc/stat shows that.
#ifndef CFSLB_ANALYSIS_H
#define CFSLB_ANALYSIS_H

#include <cstdint>
#include <map>
#include <vector>

#include "cpulist.h"
#include "samples.h"
#include "topology.h"

namespace cfslb {

// The judged part of a run, from the gate's opening. Samples at both ends are included.
struct Span {
    int64_t from_ns = 0;
    int64_t to_ns = INT64_MAX;
    bool holds(int64_t time_ns) const { return time_ns >= from_ns && time_ns <= to_ns; }
};

enum class Who { judged, all };

// Mean number of active workers located on each CPU; index is the CPU number, length CPU_LIMIT.
// All 0 when no sample lies in SPAN.
std::vector<double> mean_tasks_per_cpu(const Samples& samples,
                                       const std::vector<TrackedWorker>& workers, int cpu_limit,
                                       const Span& span, Who who);

// Sums of PER_CPU over the CPUs of each node that has CPUs.
std::vector<double> per_node(const std::vector<double>& per_cpu, const std::vector<Node>& nodes);

// Beats of each judged worker within SPAN, as a share in percent of all judged beats.
std::vector<double> work_shares(const Samples& samples, const std::vector<TrackedWorker>& workers,
                                const Span& span);

// The least worked worker against the most, in percent: 100 is perfectly fair. 100 when SHARES
// is empty, 0 when nobody worked.
double min_max_percent(const std::vector<double>& shares);

// Times a worker (any of WHO) showed another CPU than in the sample before: at least that many
// migrations took place.
long observed_moves(const Samples& samples, const std::vector<TrackedWorker>& workers,
                    const Span& span, Who who);

struct IdleWhileWaiting {
    // CPU time lost: in each window the lesser of violating CPUs and tasks in excess of one per
    // CPU, times the window.
    double total_ms = 0;
    // The longest unbroken row of windows in which one CPU violated.
    double longest_ms = 0;
    int longest_cpu = -1;                      // -1: no violation
    std::map<int, double> longest_ms_per_cpu;  // CPUs that violated at least once
};

// CPUS are those that may be found idle, normally all online ones.
IdleWhileWaiting idle_while_waiting(const Samples& samples,
                                    const std::vector<TrackedWorker>& workers, const CpuList& cpus,
                                    const Span& span);

// LOST with every CPU's longest run cut to the idle time that the kernel counted on it meanwhile
// (IDLE_MS, from /proc/stat) plus RESOLUTION_MS, and the total cut to their sum: what exceeds it
// was some other task's time, such as a build beside the test. CPUs missing in IDLE_MS stay.
IdleWhileWaiting bounded_by_idle_time(const IdleWhileWaiting& lost,
                                      const std::map<int, double>& idle_ms, double resolution_ms);

// Number of active workers on each CPU every STEP_MS from the first sample on, each time the
// newest sample: timeline[step][cpu].
std::vector<std::vector<int>> timeline(const Samples& samples, int cpu_limit, int64_t step_ms);

}  // namespace cfslb

#endif
