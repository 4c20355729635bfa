// SPDX-License-Identifier: GPL-2.0
// Runs workers under the sampler and hands back what was seen.
#ifndef CFSLB_SCENARIO_H
#define CFSLB_SCENARIO_H

#include <string>
#include <vector>

#include "analysis.h"
#include "cpu_use.h"
#include "driver.h"
#include "sampler.h"
#include "samples.h"
#include "workers.h"

namespace cfslb {

// A change of affinity during the run.
struct AffinityChange {
    int64_t at_ms = 0;  // after the gate opened
    size_t worker = 0;
    CpuList cpus;
};

// A worker put to sleep or woken during the run.
struct HoldChange {
    int64_t at_ms = 0;
    size_t worker = 0;
    bool held = false;
};

struct Scenario {
    std::vector<WorkerSpec> workers;
    std::vector<AffinityChange> changes;  // in time order
    std::vector<HoldChange> holds;        // in time order; after the changes of the same time
    int64_t run_ms = 0;                   // from the gate's opening to the last sample
    int64_t judged_from_ms = 0;           // start of the judged part
    // Where the sampler runs. A fixed CPU: its wake-ups make that CPU look for work, so it must not
    // sit by chance where a case expects idleness. -1: the first online CPU.
    int sampler_cpu = -1;
    bool measure_cpu_time = false;  // fills Recording::cpu_ms; two system calls a worker
    bool measure_cpu_use = false;   // fills Recording::cpu_use; /proc/stat once a second
};

struct Recording {
    Samples samples;
    std::vector<TrackedWorker> workers;
    Span judged;
    IdleWhileWaiting lost;           // the invariant within the judged part, bounded by idle_ms
    IdleTimes idle_ms;               // of each CPU within the judged part, from /proc/stat
    double idle_pct = 0;             // all online CPUs within the judged part, from /proc/stat
    double idle_resolution_pct = 0;  // what one USER_HZ tick on every CPU makes in idle_pct
    bool realtime_sampler = false;
    std::vector<double> cpu_ms;   // CPU time of each worker within the judged part, when measured
    std::vector<CpuUse> cpu_use;  // at the start and once a second, when measured
    std::vector<int> first_cpus;  // where each forked worker began; -1 for the others
    std::optional<double> waste_ms;  // within the judged part, if the module counts it (waste.h)
};

// The scenario's whole-length default: --seconds, judged after settle_ms() (limits.h).
Scenario timed_scenario(const Context& context);

// Forks the workers, shifts the start by the seed, opens the gate, samples to the end, kills
// the workers. Throws SystemError, Interrupted, or what Workers throws.
Recording run_scenario(const Scenario& scenario, const Context& context);

// Start offset of SEED: each step moves the start by 1.37 ms, which is no fraction or multiple
// of any tick (1, 3.33, 4 or 10 ms), so that every seed meets another phase of tick and
// balance interval, and the same one each time in a replayed guest.
constexpr int64_t kSeedStepNs = 1370000;
constexpr int64_t seed_offset_ns(int seed) { return (seed % 1000) * kSeedStepNs; }

}  // namespace cfslb

#endif
