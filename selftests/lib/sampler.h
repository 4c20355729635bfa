// SPDX-License-Identifier: GPL-2.0
// Samples all worker slots at a fixed rate, and reads idle time per CPU.
#ifndef CFSLB_SAMPLER_H
#define CFSLB_SAMPLER_H

#include <map>
#include <string>

#include "samples.h"
#include "workers.h"

namespace cfslb {

// Time between samples. Two and a half ticks of a 250 Hz kernel: shorter than any balance
// interval of a box with more than 8 CPUs (one millisecond a CPU), so that no decision of the
// balancer hides between two samples; long enough that the wake-up and one read of each slot
// (about 10k instructions with 64 workers) stay below 15 % of one CPU even on 64 emulated CPUs
// of 8 million instructions a second. Only shared memory is read: a /proc file of each task would
// cost 10 to 20 thousand instructions a task and would itself be the load.
constexpr int64_t kSampleMs = 10;

// Above any FIFO worker, so that samples are not late.
constexpr int kSamplerPriority = 50;

// Reads every slot once into a new row.
void take_sample(const Workers& workers, int64_t time_ns, Samples& samples);

// SCHED_FIFO for the caller for as long as the object lives, when permitted. Children forked
// meanwhile do not inherit it.
class RealtimeScope {
  public:
    RealtimeScope();
    ~RealtimeScope();
    RealtimeScope(const RealtimeScope&) = delete;
    RealtimeScope& operator=(const RealtimeScope&) = delete;
    bool granted() const { return granted_; }

  private:
    bool granted_ = false;
};

// Idle time of each CPU since boot, in ms: idle + iowait of /proc/stat. The kernel counts
// microseconds but prints USER_HZ ticks (10 ms): a difference of two readings is off by up to
// one tick a CPU either way, see idle_resolution_ms().
using IdleTimes = std::map<int, double>;

IdleTimes parse_idle_times(const std::string& proc_stat, long user_hz, const std::string& path);
IdleTimes read_idle_times(const std::string& root = "/");
double idle_resolution_ms();

// Idle time of each CPU of BEFORE between two readings, in ms, never negative.
IdleTimes idle_between(const IdleTimes& before, const IdleTimes& after);

// Idle share in percent of all CPUs of BETWEEN, a difference over SPAN_MS.
double idle_percent(const IdleTimes& between, double span_ms);

}  // namespace cfslb

#endif
