// SPDX-License-Identifier: GPL-2.0
// What the sampler saw: one row of worker states for each look. Plain data, no system calls.
#ifndef CFSLB_SAMPLES_H
#define CFSLB_SAMPLES_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpulist.h"

namespace cfslb {

struct WorkerSample {
    uint64_t beats = 0;
    int16_t cpu = -1;  // -1: has not run yet
    bool sleeping = false;
};

// Rows in time order. Memory is taken (and touched) once, at construction.
class Samples {
  public:
    Samples(size_t workers, size_t capacity)
        : workers_(workers), rows_(workers * capacity), times_(capacity) {}

    size_t workers() const { return workers_; }
    size_t count() const { return count_; }
    bool full() const { return count_ == times_.size(); }
    // Since the gate was opened.
    int64_t time_ns(size_t k) const { return times_[k]; }
    const WorkerSample& at(size_t k, size_t worker) const { return rows_[k * workers_ + worker]; }

    // The caller fills the row's `workers()` states. Not when full().
    WorkerSample* append(int64_t time_ns) {
        times_[count_] = time_ns;
        return &rows_[count_++ * workers_];
    }

  private:
    size_t workers_;
    size_t count_ = 0;
    std::vector<WorkerSample> rows_;
    std::vector<int64_t> times_;
};

// Where a worker may run from some time on; empty CPUs: anywhere.
struct AffinityFrom {
    int64_t from_ns = 0;
    CpuList cpus;
};

// What the analysis must know of a worker. Affinities are in time order, the first from 0.
struct TrackedWorker {
    bool judged = true;
    int realtime_priority = 0;  // 0: a CFS task
    std::vector<AffinityFrom> affinity;
};

}  // namespace cfslb

#endif
